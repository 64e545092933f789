#!/bin/sh
# Refereed matches of gogui-twogtp in every variant and encoding: no game may
# end with an error, and the three scores must agree. The engines draw a new
# seed for each game; with --seed all games would be the same.
#
#   GOGUI=CLASSES KAWARI=target/release/kawari tests/gogui/twogtp.sh [GAMES [PLAYOUTS [ONLY]]]
#
# CLASSES is what build.sh made. ONLY is a line of the list below to play alone.
# Needs java; says so and stops with 77 without it or without GoGui.
set -eu
games=${1:-10}
playouts=${2:-40}
only=${3:-}
kawari=${KAWARI:-target/release/kawari}
command -v java >/dev/null || { echo "skipped: no java"; exit 77; }
[ -d "${GOGUI:-}/net/sf/gogui" ] || { echo "skipped: no GoGui (set GOGUI, see build.sh)"; exit 77; }
[ -x "$kawari" ] || { echo "skipped: no $kawari"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0

# variant, size of the variant, side that GoGui receives, encoding
while read -r variant size side encoding; do
    [ -z "$only" ] || [ "$only" = "$variant $encoding" ] || continue
    name=$variant-$encoding
    engine="$kawari --variant $variant --size $size --encoding $encoding --playouts $playouts --log off"
    java -Djava.awt.headless=true -cp "$GOGUI" net.sf.gogui.tools.twogtp.Main -auto \
        -games "$games" -size "$side" -komi 6.5 -sgffile "$work/$name" \
        -black "$engine" -white "$engine" -referee "$engine" \
        >"$work/$name.out" 2>&1 || { echo "$name: failed"; cat "$work/$name.out"; wrong=1; continue; }
    # Columns of the table: 2 to 4 are the scores, 7 the length, 12 an error.
    if awk -F '\t' -v name="$name" -v games="$games" '
        /^#/ { next }
        { n++; length_ += $7 }
        $2 != $3 || $3 != $4 || $4 !~ /^([BW]\+|0)/ { bad++; print "  scores: " $2, $3, $4 }
        $12 != 0 { bad++; print "  error in game " $1 ": " $13 }
        END {
            printf "%s: %d games, %.0f moves each, %s\n", name, n, length_ / (n ? n : 1), bad ? bad " wrong" : "all agree"
            exit bad || n != games
        }' "$work/$name.dat"
    then :; else wrong=1; fi
done <<LIST
go 9 9 native
go 9 9 panel
no 9 9 native
no 9 19 panel
go-san 9 9 native
go-san 9 19 panel
tao 9 9 native
tao 9 19 panel
sygo 9 9 native
sygo 9 9 panel
stoical 9 9 native
stoical 9 9 panel
2.5d 5 11 native
2.5d 5 11 panel
LIST
exit $wrong
