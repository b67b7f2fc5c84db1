#!/bin/bash
# Measures an SM that starts on a torus that is up: from process start to the first PathRecord of another host, OpenSM and torus-sm in
# turn. The tables are first those of the same SM, which was killed, then those of the other SM.
# SIM=torus-sm in the environment: on torus-sm fabric instead of ibsim.
# usage: packaging/bench/takeover.sh [RUNS] [TORUS] such as: 5 10x10x10,hosts=2
# all.sh: 8 1 10x10x10,hosts=2
# Needs ibsim-utils, opensm, gcc, libibumad-dev, and a built torus-sm.
set -eu
here=$(dirname "$(readlink -f "$0")")
. "$here/ibsim-torus.sh"
gcc -O2 -Wall -o sa-first "$here/sa-first.c" -libumad
asker=$(nodes Ca | tail -1)
lids=$(($(nodes Ca | wc -l) + $(nodes Switch | wc -l))) # both SMs number from 1, without gaps

# shellcheck disable=SC2054
command_of() { # NAME: sets log and command
  case $1 in
    opensm) log=opensm.log command=(opensm -F opensm.conf -Q -R torus-2QoS,no_fallback --torus_config torus-2QoS.conf -f opensm.log) ;;
    torus-sm) log=out.txt command=("$sm" -F torus-sm.conf -Q -R torus-2QoS,no_fallback --torus_config torus-2QoS.conf --state-dir state) ;;
  esac
}

# shellcheck disable=SC2154
one() { # BEFORE NAME: seconds from the start of NAME to the first path on a fabric that BEFORE brought up
  command_of "$1"
  start_sim "$log"
  start_sm "${command[@]}"
  await_up "$log" 0.1
  sleep 5 # reads after SUBNET UP
  lid=$(SIM_HOST=$asker ibsim-run sminfo | sed -n 's/.*sm lid \([0-9]*\) .*/\1/p')
  kill -9 "$pid"
  wait "$pid" 2>/dev/null || true
  command_of "$2"
  rm -f "$log"
  SIM_HOST=$asker ibsim-run ./sa-first "$lid" 2 "$lids" >answer &
  first=$!
  sleep 1
  start=$EPOCHREALTIME
  start_sm "${command[@]}"
  wait "$first"
  answered=$(cat answer)
  await_up "$log" 0.01
  awk -v w="$2 after $1" -v a="$start" -v b="$answered" -v c="$EPOCHREALTIME" \
    'BEGIN { printf "%s: first path %.2f s, up %.2f s\n", w, b - a, c - a }'
  stop_all
  cp "$log" "last-$2-after-$1.log"
}

echo 'force_log_flush TRUE' >opensm.conf
for _ in $(seq "$runs"); do
  one opensm opensm
  one torus-sm torus-sm
  one opensm torus-sm
done | tee times
for what in 'opensm after opensm' 'torus-sm after torus-sm' 'torus-sm after opensm'; do
  sed -n "s/^$what: first path \([0-9.]*\) s.*/\1/p" times | median "$what"
done
of() { sed -n "s/^$1: first path \([0-9.]*\) s.*/\1/p" times | middle; }
result "first path after a takeover of its own tables, $torus" s "$(of 'opensm after opensm')" "$(of 'torus-sm after torus-sm')"
[ -z "${KEEP_LOGS:-}" ] || cp last-*.log "$KEEP_LOGS"
