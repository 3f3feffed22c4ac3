#!/usr/bin/env bash
# Train all card strategies that the package ships, one after another; start it again to carry on.
#
#     nice -n 10 benchmarks/train_cards.sh FOLDER [THREADS] [SCALE]
#
# Every strategy has a checkpoint in FOLDER, written every minute; a run that was stopped goes on
# from there, and what is done is skipped. SCALE divides the deals (1000 tries the script out).
# Results depend on the seed and the deals, not on the threads. At the end each strategy is trimmed
# to FOLDER/ship, and the sizes are added up: all shipped data must stay below 25 MB.
# The table in docs/decisions/0030 says how long this takes.
set -euo pipefail
folder=$1 threads=${2:-$(nproc)} scale=${3:-1}
mkdir -p "$folder/ship"

# name, deals in millions, visits that stay, flags
plan() {
    cat <<'PLAN'
3 160 50 --players 3 --levels hands-last
4 160 200 --players 4 --levels hands-last
5 120 60 --players 5 --levels medium-last
6 120 60 --players 6 --levels medium-last
2 80 20 --players 2 --levels hands
mushka4 80 60 --players 4 --game mushka --levels medium
pamphile4 80 60 --rules pamphile4.json --levels medium --pot 20
PLAN
}

tremble=(--tremble 0.05 --tremble-weighted)
cat >"$folder/pamphile4.json" <<'RULES'
{"players": 4, "pamphile": true}
RULES

while read -r name millions visits flags; do
    out=$folder/$name.npz ship=$folder/ship/$name.npz state=$folder/$name.npz.checkpoint
    [ -e "$ship" ] && continue
    deals=$((millions * 1000000 / scale))
    flags=${flags/pamphile4.json/$folder/pamphile4.json}
    echo "$(date +%T) $name: $deals deals"
    if [ -e "$state" ]; then
        mouche cards solve --resume "$state" --deals "$deals" --threads "$threads" --out "$out"
    else
        # shellcheck disable=SC2086  # flags are words
        mouche cards solve $flags "${tremble[@]}" --deals "$deals" --seed 1 --threads "$threads" \
            --out "$out"
    fi
    mouche cards trim "$out" --visits "$visits" --short --out "$ship"
done < <(plan)
du -bc "$folder"/ship/*.npz
