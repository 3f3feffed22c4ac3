#!/usr/bin/env bash
# Train all card strategies that the package ships, one after another; start it again to carry on.
#
#     nice -n 10 benchmarks/train_cards.sh FOLDER [THREADS] [SCALE]
#
# Every strategy has a checkpoint in FOLDER, written every minute and when the script is stopped
# (Ctrl-C, SIGTERM); a run that was stopped goes on from there, and what is done is skipped. SCALE
# divides the deals (4000 tries the script out in a minute). A folder keeps to one plan and one
# scale, and to one run at a time. Results depend on the seed and the deals, not on the threads.
# At the end each strategy is trimmed to FOLDER/ship; benchmarks/ship_cards.py FOLDER measures these
# files against the shipped ones. The table in docs/decisions/0030 says how long this takes.
set -euo pipefail
folder=$1 threads=${2:-$(nproc)} scale=${3:-1}
mkdir -p "$folder/ship"
cd "$folder"

# name, deals in millions, visits that stay, flags
plan() {
    cat <<'PLAN'
3 112 50 --players 3 --levels hands-last
4 80 66 --players 4 --levels hands-last
5 80 60 --players 5 --levels medium-last
6 80 60 --players 6 --levels medium-last
2 80 20 --players 2 --levels hands
mushka4 80 200 --players 4 --game mushka --levels medium
pamphile4 80 60 --rules pamphile4.json --levels medium --pot 20
PLAN
}
tremble=(--tremble 0.05 --tremble-weighted)

# Commands that are still at work hold the lock too, so a second run never joins an orphan.
exec 9>lock
flock --timeout 5 9 || { echo "another run is at work in $folder" >&2 && exit 1; }

child=
run() {
    "$@" </dev/null &
    child=$!
    wait "$child"
    child=
}
stop() {
    trap '' INT TERM HUP
    [ -z "$child" ] || { kill -TERM "$child" && wait "$child"; } || true
    exit 130
}
trap stop INT TERM HUP

# A checkpoint knows its flags, and a finished file is skipped: neither may be of another plan.
while read -r name millions visits flags; do
    wanted="$((millions * 1000000 / scale)) deals, seed 1, ${tremble[*]}, $flags"
    if [ -e "$name.plan" ] && [ "$(cat "$name.plan")" != "$wanted" ]; then
        echo "$folder/$name.plan says '$(cat "$name.plan")', now it is '$wanted':" \
            "take another folder, or delete $name.*, ship/$name.npz" >&2
        exit 1
    fi
    echo "$wanted" >"$name.plan"
done < <(plan)
echo '{"players": 4, "pamphile": true}' >pamphile4.json

while read -r name millions visits flags; do
    out=$name.npz ship=ship/$name.npz state=$name.npz.checkpoint
    [ -e "$ship" ] && continue
    deals=$((millions * 1000000 / scale))
    echo "$(date +%T) $name: $deals deals"
    if [ -e "$state" ]; then
        run mouche cards solve --resume "$state" --deals "$deals" --threads "$threads" --out "$out"
    else
        # shellcheck disable=SC2086  # flags are words
        run mouche cards solve $flags "${tremble[@]}" --deals "$deals" --seed 1 \
            --threads "$threads" --out "$out"
    fi
    run mouche cards trim "$out" --visits "$visits" --short --out "$ship"
done < <(plan)
du -bc ship/*.npz
