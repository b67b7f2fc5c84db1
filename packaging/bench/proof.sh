#!/bin/bash
# Measures routes and proofs, whole and incremental after a fault, in process on all processors, on cubes of 8, 16 and 24 switches a side; and the
# offline commands that use them: what-if of every single failure and of every two of 8x8x8, plan of 16x16x16 with its tolerated losses.
# OpenSM has no equivalent. prove.sh compares with ibdmchk.
# usage: packaging/bench/proof.sh [RADIX...]   (default: 8 16 24; needs a JDK, a built torus-sm, or one that TORUS_SM names, and compiled tests:
#        mvn test-compile; TREE names another tree)
# all.sh: 6
set -eu
here=$(dirname "$(readlink -f "$0")")
. "$here/measure.sh"
root=${TREE:-$here/../..}
torus_sm=${TORUS_SM:-$root/daemon/target/torus-sm/bin/torus-sm}
[ $# -gt 0 ] || set -- 8 16 24
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

classes=$work
for module in mad-transport sm-core routing-torus2qos; do
  classes=$classes:$root/$module/target/classes:$root/$module/target/test-classes
done
for jar in "$root"/daemon/target/torus-sm/lib/*.jar "$HOME"/.m2/repository/org/jspecify/jspecify/*/jspecify-*.jar; do
  case $jar in *torus-sm*/lib/sm-core* | *sources*) ;; *) classes=$classes:$jar ;; esac
done
javac -proc:none -nowarn -Xlint:none -d "$work" -cp "$classes" \
  "$root/routing-torus2qos/src/bench/java/io/torussm/torus2qos/ProofTimes.java"

echo "load $(cut -d' ' -f1 /proc/loadavg), $(nproc) processors"
for radix in "$@"; do
  hosts=1 rounds=20 # 24x24x24 with two hosts a switch has 41,472 LIDs
  [ "$radix" -lt 20 ] || { hosts=2 rounds=6; }
  # a young generation as small as the daemon's: in a larger one each round touches new memory
  java -Xmx4g -Xmn64m -cp "$classes" io.torussm.torus2qos.ProofTimes "$radix" "$hosts" "$rounds" >"$work/times"
  while IFS=$'\t' read -r what seconds; do
    printf '%-70s %9.1f ms\n' "$what" "$(awk -v s="$seconds" 'BEGIN { print 1000 * s }')"
    result "$what" s "" "$seconds"
  done <"$work/times"
done

timed() { # WORK COMMAND...: seconds of the whole process, its JVM's start included
  local begin=$EPOCHREALTIME what=$1
  shift
  "$torus_sm" "$@" >"$work/said" 2>&1 || [ $? = 7 ] # 7: some pairs of failures are refused
  local seconds
  seconds=$(awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }')
  printf '%-70s %9s s\n  %s\n' "$what" "$seconds" "$(tail -1 "$work/said")"
  result "$what" s "" "$seconds"
}
timed "what-if, every single failure of 8x8x8" what-if torus:8x8x8 --each all
timed "what-if, every two failures of 8x8x8" what-if torus:8x8x8 --pairs
timed "plan of 16x16x16 with what it can lose" plan torus:16x16x16
