#!/bin/bash
# Measures the memory of an SM on ibsim: resident set after SUBNET UP, after ten more heavy sweeps, and the maximum; OpenSM and torus-sm in turn.
# usage: packaging/bench/memory.sh [RUNS] [TORUS]... such as: 1 10x10x10,hosts=2 16x16x16,hosts=1
# SWEEPS=NUMBER: instead of ten; ONLY=torus-sm: without OpenSM. Example: ONLY=torus-sm SWEEPS=1 packaging/bench/memory.sh 1 24x24x24,hosts=2
# Needs ibsim-utils, opensm, and a built torus-sm.
# all.sh: 12 1 10x10x10,hosts=2 16x16x16,hosts=1
# shellcheck disable=SC2154 # what ibsim-torus.sh sets
set -eu
here=$(readlink -f "$0")
if [ $# -gt 2 ]; then
  for each in "${@:2}"; do "$here" "$1" "$each"; done
  exit
fi
set -- "${1:-1}" "${2:-10x10x10,hosts=2}"
. "$(dirname "$here")/ibsim-torus.sh"

sweeps=${SWEEPS:-10}
mib() { awk -v k="$1" 'BEGIN { printf "%.0f", k / 1024 }'; }

# shellcheck disable=SC2154
one() { # NAME LOG COMMAND...: MiB up, after the sweeps, at most
  begin_one "$@"
  sleep 5
  up=$(resident_kib)
  for _ in $(seq "$sweeps"); do
    before=$(ups "$log")
    kill -HUP "$pid" # a heavy sweep, of both
    until [ "$(ups "$log")" -gt "$before" ]; do
      kill -0 "$pid"
      sleep 0.1
    done
  done
  echo "$name $(mib "$up") $(mib "$(resident_kib)") $(mib "$(peak_kib)")"
  stop_all
}

echo 'force_log_flush TRUE' >opensm.conf
echo "$torus: SM, MiB when the subnet is up, after $sweeps heavy sweeps, at most"
both one
of() { awk -v n="$1" -v c="$2" '$1 == n { print $c }' times | middle; }
result "memory when up, $torus" MiB "$(of opensm 2)" "$(of torus-sm 2)"
result "memory after $sweeps heavy sweeps, $torus" MiB "$(of opensm 3)" "$(of torus-sm 3)"
result "memory at most, $torus" MiB "$(of opensm 4)" "$(of torus-sm 4)"
