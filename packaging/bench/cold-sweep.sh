#!/bin/bash
# Cold sweep of a torus on ibsim, process start to SUBNET UP, OpenSM and torus-sm in turn, dumps off.
# SIM=torus-sm in the environment: on torus-sm fabric instead of ibsim.
# usage: packaging/bench/cold-sweep.sh [RUNS] [TORUS] such as: 5 10x10x10,hosts=2   (needs ibsim-utils, opensm, a built torus-sm)
set -eu
. "$(dirname "$(readlink -f "$0")")/ibsim-torus.sh"

one() { # NAME LOG COMMAND...: seconds until LOG says SUBNET UP
  name=$1 log=$2
  shift 2
  start_sim "$log"
  start=$EPOCHREALTIME
  start_sm "$@"
  await_up "$log" 0.01
  awk -v n="$name" -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%s %.2f\n", n, b - a }'
  stop_all
}

echo 'force_log_flush TRUE' >opensm.conf
both one
for name in opensm torus-sm; do
  awk -v n=$name '$1 == n { print $2 }' times | median $name
done
