#!/bin/sh
# Games run by other match programs: GNU Go's twogtp (the one in Perl, from its
# sources) with every game, and gomill's ringmaster, where only kawari counts.
#
#     TWOGTP=…/twogtp RINGMASTER=…/ringmaster arenas.sh KAWARI
set -eu
kawari=$(realpath "$1")
PATH=$PATH:/usr/games
room=$(mktemp -d)
trap 'rm -rf "$room"' EXIT

if command -v "${TWOGTP:=twogtp}" >/dev/null; then
    twogtp=$(realpath "$(command -v "$TWOGTP")")
    cd "$room"
    for game in "go 9 native 9" "no 9 native 9" "no 9 panel 19" "go-san 9 panel 19" "tao 9 panel 19" \
        "sygo 9 native 9" "stoical 9 native 9" "2.5d 9 native 19"; do
        set -- $game
        engine="$kawari --variant $1 --size $2 --encoding $3 --playouts 10"
        "$twogtp" --black "$engine" --white "$engine" --size "$4" --komi 0.5 --games 3 >games.txt
        echo "twogtp, $game: $(grep -c '^Game' games.txt) games"
        # Two scores in a line are two that differ.
        [ "$(grep -cE '^Game [0-9]+: [BW]\+[0-9.]+ *$' games.txt)" = 3 ]
    done
else
    echo "no twogtp (set TWOGTP): skipped"
fi

if command -v "${RINGMASTER:=ringmaster}" >/dev/null && command -v gnugo >/dev/null; then
    cd "$room"
    cat >arena.ctl <<END
competition_type = 'playoff'
players = {
    'kawari': Player("$kawari --playouts 50"),
    'gnugo': Player("gnugo --mode gtp --chinese-rules --level 1", is_reliable_scorer=False),
    'stoic': Player("$kawari --variant stoical --playouts 50"),
    'late': Player("$kawari --variant stoical --playouts 5"),
}
board_size = 9
komi = 7.5
scorer = 'players'
matchups = [
    Matchup('kawari', 'gnugo', alternating=True, number_of_games=4),
    Matchup('stoic', 'late', alternating=True, number_of_games=4),
]
END
    "$RINGMASTER" arena.ctl run -q
    "$RINGMASTER" arena.ctl show >table.txt
    grep games table.txt
    [ "$(grep -c '(4/4 games)' table.txt)" = 2 ]
    ! grep -iE 'forfeit|unknown|void|fail' table.txt
else
    echo "no ringmaster or gnugo (set RINGMASTER): skipped"
fi
