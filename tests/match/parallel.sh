#!/bin/sh
# A match in four shards, played by GNU parallel and merged.
#
#     parallel.sh KAWARI
set -eu
command -v parallel >/dev/null || { echo "GNU parallel is not installed: skipped"; exit 0; }
here=$(dirname "$(realpath "$0")")
kawari=$(realpath "$1")
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room"

parallel --will-cite -j 2 "$kawari" match \
    --engine "'a=$kawari --playouts 1'" --engine "'b=$kawari --playouts 8'" \
    --variant no --size 7 --games 40 --seed 1 --opening-turns 2 \
    --shard {}/4 --out part-{}.jsonl '>' part-{}.txt '2>&1' ::: 1 2 3 4

! "$kawari" match merge part-3.jsonl part-1.jsonl part-4.jsonl >table.txt 2>missing.txt
grep -q '10 games are missing' missing.txt
"$kawari" match merge part-3.jsonl part-1.jsonl part-4.jsonl part-2.jsonl --out all.jsonl >table.txt
cat table.txt
"$here/statistics.py" all.jsonl table.txt
