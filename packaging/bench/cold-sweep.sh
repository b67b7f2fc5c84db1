#!/bin/bash
# Measures a cold sweep of a torus on ibsim from process start to SUBNET UP, OpenSM and torus-sm in turn, without dumps. Then measures the rate of
# a program in C that only sends SMPs to the same switches (smp-load.c), and the share of it that torus-sm reaches from the first SMP to the last.
# SIM=torus-sm in the environment: on torus-sm fabric instead of ibsim.
# usage: packaging/bench/cold-sweep.sh [RUNS] [TORUS]... such as: 5 10x10x10,hosts=2
# Needs ibsim-utils, opensm, gcc, libibumad-dev, and a built torus-sm.
# all.sh: 12 3 10x10x10,hosts=2 16x16x16,hosts=1
set -eu
here=$(dirname "$(readlink -f "$0")")
. "$here/ibsim-torus.sh"
gcc -O2 -Wall -o smp-load "$here/smp-load.c" -libumad

one() { # NAME LOG COMMAND...: prints seconds until SUBNET UP in LOG, and processor seconds until then
  name=$1 log=$2
  shift 2
  start_sim "$log"
  start=$EPOCHREALTIME
  start_sm "$@"
  await_up "$log" 0.01
  awk -v n="$name" -v a="$start" -v b="$EPOCHREALTIME" -v c="$(processor_ms "$pid")" 'BEGIN { printf "%s %.2f %.2f\n", n, b - a, c / 1000 }'
  stop_all
  [ "$name" = opensm ] || sed -n 's/.*SUBNET UP.* \([0-9]*\) SMPs; discover \([0-9.]*\) s, route \([0-9.]*\) s, program \([0-9.]*\) s, activate \([0-9.]*\) s.*/\1 \2 \3 \4 \5/p' \
    "$log" | head -1 >>stages
}

# shellcheck disable=SC2154
stop_sim() {
  kill "$sim" "$keep"
  wait "$sim" "$keep" 2>/dev/null || true
}

limit() { # SMPs a second of the program in C, with 16 in flight, the maximum of ibsim without losses
  start_sim none
  ibsim-run ./smp-load set 16 100000 <routes
  stop_sim
}

column() { awk -v n="$1" -v c="$2" '$1 == n { print $c }' times | middle; } # of the middle run
stage() { awk -v c="$1" '{ print $c }' stages | middle; }

echo 'force_log_flush TRUE' >opensm.conf
start_sim none # sets SIM_HOST
stop_sim
awk -v from="$SIM_HOST" -f "$here/routes.awk" dumps/fabric.topo >routes
limit >rates # before and after the sweeps, because the speed of the machine varies
both one
limit >>rates
for name in opensm torus-sm; do
  awk -v n=$name '$1 == n { print $2 }' times | median $name
done
rate=$(middle <rates)
awk -v smps="$(stage 1)" -v d="$(stage 2)" -v r="$(stage 3)" -v p="$(stage 4)" -v a="$(stage 5)" -v c="$rate" -v up="$(column torus-sm 2)" -v osm="$(column opensm 2)" \
  -v cpu="$(column torus-sm 3)" -v osmcpu="$(column opensm 3)" 'BEGIN {
  sweep = d + r + p + a
  printf "ratio %.2f; processor time until then: opensm %.2f s, torus-sm %.2f s\n", up / osm, osmcpu, cpu
  printf "torus-sm: %d SMPs; start %.2f, discovery %.2f, routing and proof %.2f, tables %.2f, ports %.2f s\n", smps, up - sweep, d, r, p, a
  printf "torus-sm: %d SMPs a second from the first to the last, smp-load %d: %.0f %%\n", smps / sweep, c, 100 * smps / sweep / c
  printf "%d %.2f\n", smps / sweep, smps / c >"figures"
}'
read -r ours least <figures
# shellcheck disable=SC2154
what="cold sweep ${x}x${y}x${z}, $(nodes Ca | wc -l) hosts"
result "$what" s "$(column opensm 2)" "$(column torus-sm 2)" "$least"
result "$what: processor time" s "$(column opensm 3)" "$(column torus-sm 3)"
result "$what: SMPs sent" SMPs/s "" "$ours" "$rate"
result "$what: SMPs" SMPs "" "$(stage 1)"
if [ $# -gt 2 ]; then
  "$here/cold-sweep.sh" "$1" "${@:3}"
fi
