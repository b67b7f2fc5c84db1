#!/bin/bash
# Checks packaging/proof/mastership.pml exhaustively with spin: no wrong write, eventually one master, and every planted fault is found.
# usage: packaging/proof/model.sh   (on Debian 12: apt-get install spin gcc; minutes, 3 GiB)
set -eu
here=$(dirname "$(readlink -f "$0")")
for program in spin gcc; do
  command -v $program >/dev/null || { echo "$program is missing: apt-get install spin gcc" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

run() { # STARTS DEATHS STOPS LOSSES ENDS CUTS CHANGES BUG [settles|slow]: prints errors and states, and fails if there are errors
  local flags=(-DSAFETY) arguments=() define=("-DSTARTS=$1" "-DDEATHS=$2" "-DSTOPS=$3" "-DLOSSES=$4" "-DENDS=$5" "-DCUTS=$6" "-DCHANGES=$7" "-DBUG=$8")
  case ${9:-} in
    settles) define+=(-DSETTLES) flags=(-DNFAIR=5) arguments=(-a -f) ;;
    slow) define+=(-DSLOW) ;;
  esac
  spin "${define[@]}" -a "$here/mastership.pml" >/dev/null
  gcc -w -O2 -DCOLLAPSE -DMEMLIM=3000 "${flags[@]}" -o pan pan.c
  ./pan -m2000000 -w24 "${arguments[@]}" >said
  ! grep -q 'max search depth too small\|out of memory\|pan: reached' said || { echo "not exhaustive" >&2; exit 1; }
  awk -v name="$*" '/errors:/ { e = $NF } /states, stored/ { s = $1 } END { printf "%-24s %s errors %10d states\n", name, e, s }' said
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
