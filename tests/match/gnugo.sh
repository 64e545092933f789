#!/bin/sh
# A match with GNU Go as a player that knows plain Go only, and as the referee program,
# which removes dead stones.
#
#     gnugo.sh KAWARI
set -eu
PATH=$PATH:/usr/games
command -v gnugo >/dev/null || { echo "gnugo is not installed: skipped"; exit 0; }
here=$(dirname "$(realpath "$0")")
kawari=$(realpath "$1")
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT
cd "$room"
gnugo="gnugo --mode gtp --chinese-rules --level 1"

"$kawari" match --engine "$kawari --playouts 200" --engine "$gnugo --seed {seed}" \
    --size 9 --komi 7 --games 10 --concurrency 2 --opening-turns 2 \
    --referee "$gnugo" --time "fischer 20 1" --out games.jsonl >table.txt
cat table.txt
"$here/statistics.py" games.jsonl table.txt
! grep -E '"reason":"(illegal|crash|no-response|invalid-response|error-response|not-expressible|referee|time)"' games.jsonl
