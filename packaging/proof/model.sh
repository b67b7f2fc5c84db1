#!/bin/bash
# Checks packaging/proof/mastership.pml (no wrong write, eventually one master) and order.pml (no credit loop while tables change, all tables
# are in place at the end) exhaustively with spin. Every planted fault must be found.
# usage: packaging/proof/model.sh   (on Debian 12: apt-get install spin gcc; minutes, 3 GiB)
set -eu
here=$(dirname "$(readlink -f "$0")")
for program in spin gcc; do
  command -v $program >/dev/null || { echo "$program is missing: apt-get install spin gcc" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

run() { # STARTS DEATHS STOPS LOSSES ENDS CUTS CHANGES BUG [settles|slow]: checks mastership.pml
  local define=("-DSTARTS=$1" "-DDEATHS=$2" "-DSTOPS=$3" "-DLOSSES=$4" "-DENDS=$5" "-DCUTS=$6" "-DCHANGES=$7" "-DBUG=$8")
  flags=(-DSAFETY) arguments=()
  case ${9:-} in
    settles) define+=(-DSETTLES) flags=(-DNFAIR=5) arguments=(-a -f) ;;
    slow) define+=(-DSLOW) ;;
  esac
  visit "$*" mastership.pml "${define[@]}"
}
run_order() { # SWITCHES PLANS TRIES LOSSES TAKEOVERS CABLES BUG: checks order.pml
  flags=(-DSAFETY) arguments=()
  visit "$*" order.pml "-DSWITCHES=$1" "-DPLANS=$2" "-DTRIES=$3" "-DLOSSES=$4" "-DTAKEOVERS=$5" "-DCABLES=$6" "-DBUG=$7"
}
visit() { # NAME MODEL DEFINITION...: visits all states; prints errors and states, and fails if there are errors
  local name=$1 model=$2
  shift 2
  spin "$@" -a "$here/$model" >/dev/null
  gcc -w -O2 -DCOLLAPSE -DMEMLIM=3000 "${flags[@]}" -o pan pan.c
  ./pan -m4000000 -w24 "${arguments[@]}" >said
  ! grep -q 'max search depth too small\|out of memory\|pan: reached' said || { echo "not exhaustive" >&2; exit 1; }
  awk -v name="$name" '/errors:/ { e = $NF } /states, stored/ { s = $1 } END { printf "%-24s %s errors %10d states\n", name, e, s }' said
  grep -q 'errors: 0' said
}

echo "starts deaths stops losses ends cuts changes bug"
run 3 0 0 0 0 0 0 0
run 3 1 0 0 0 0 0 0
run 2 0 1 1 0 0 0 0
run 2 1 0 1 0 0 0 0
run 2 0 0 1 1 0 0 0
run 2 0 0 1 0 1 0 0
run 2 0 0 1 0 0 1 0
run 2 0 0 0 0 0 0 0 settles
run 2 1 0 0 0 0 0 0 settles
for bug in 1 2 3; do
  if run 2 0 1 1 0 0 0 $bug; then
    echo "planted fault $bug was not found" >&2
    exit 1
  fi
done

echo "switches plans tries losses takeovers cables bug"
run_order 2 2 1 2 1 0 0
run_order 2 2 2 1 0 0 0
run_order 2 3 1 0 0 0 0
run_order 2 2 1 1 0 2 0
for fault in "2 2 1 1 0 0 1" "2 2 1 0 0 0 2" "2 3 1 1 0 0 3" "2 3 1 0 1 0 4" "2 2 1 0 0 0 5" "2 3 1 0 0 0 6" "2 2 1 0 0 1 7"; do
  # shellcheck disable=SC2086 # seven arguments
  if run_order $fault; then
    echo "planted fault ${fault##* } was not found" >&2
    exit 1
  fi
done
