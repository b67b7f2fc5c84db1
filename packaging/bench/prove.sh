#!/bin/bash
# Compares torus-sm prove with ibdmchk and the second verifier on tables of OpenSM 3.3.23: the golden fabrics of torus-2QoS and of its other
# engines. A line for each fabric: verdict and seconds of ibdmchk on unicast, of ibdmchk -M, of torus-sm prove (on hosts, with
# switch ports 0, with groups; its JVM's start included), and of verify-certificate.py, whose "-" means that there is no certificate.
# usage: packaging/bench/prove.sh [PATTERN]   (fabrics whose name has it; needs ibutils, python3, a built torus-sm, or one that TORUS_SM names)
# all.sh: 6 666_pristine
set -eu
root=$(dirname "$(readlink -f "$0")")/../..
. "$root/packaging/bench/measure.sh"
torus_sm=${TORUS_SM:-$root/daemon/target/torus-sm/bin/torus-sm}
pattern=${1:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

timed() { # FILE COMMAND...: seconds; the exit code goes to $code
  local begin=$EPOCHREALTIME out=$1
  shift
  code=0
  "$@" >"$out" 2>&1 || code=$?
  awk -v a="$begin" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }' >"$work/seconds"
}
ibdm() { # [-M]: verdict and seconds
  local files=(-s "$work/f/subnet.lst" -f "$work/f/fdbs" -l "$(cat "$work/f/lmc")" -d "$work/f/slvl")
  [ ! -e "$work/f/psl" ] || files+=(-c "$work/f/psl")
  [ ! -e "$work/f/mcfdbs" ] || files+=(-m "$work/f/mcfdbs")
  [ -e "$work/f/mcfdbs" ] || files+=(-m /dev/null)
  timed "$work/said" ibdmchk "${files[@]}" "$@"
  local verdict="?"
  if grep -q -- '-E- credit loops in routing' "$work/said"; then verdict=LOOP
  elif grep -q 'Traversals Failed\|-E- ' "$work/said"; then verdict=error
  elif grep -q 'no credit loops found' "$work/said"; then verdict=free; fi
  printf '%-5s %6s' "$verdict" "$(cat "$work/seconds")"
}
judge() { # NAME, files in $work/f
  local one all mine verify=- certificate=$work/f/certificate
  one=$(ibdm) all=-
  [ ! -e "$work/f/mcfdbs" ] || all=$(ibdm -M)
  timed "$work/said" "$torus_sm" prove "$work/f" --lmc "$(cat "$work/f/lmc")" --certificate "$certificate"
  mine=$(sed -n 's/^hosts: *\([fCu]\).*/\1/p; s/^hosts and .*: *\([fCu]\).*/\1/p' "$work/said" | tr 'fCu' '.L?' | tr -d '\n')
  if grep -q '^LOST' "$work/said"; then mine="$mine lost"; fi
  mine=$(printf '%-8s %6s' "$mine" "$(cat "$work/seconds")")
  if [ -e "$certificate" ]; then
    timed "$work/verified" python3 "$root/packaging/verify-certificate.py" "$certificate"
    verify="$([ "$code" = 0 ] && echo proof || echo "NO PROOF") $(cat "$work/seconds")"
  fi
  printf '%-22s %-14s %-14s %-17s %s\n' "$1" "$one" "$all" "$mine" "$verify"
  result "proof of tables, $1, beside ibdmchk" s "${one##* }" "${mine##* }"
}

echo "load $(cut -d' ' -f1 /proc/loadavg)"
printf '%-22s %-14s %-14s %-17s %s\n' fabric ibdmchk "ibdmchk -M" "prove (h,s,g)" verifier
for golden in "$root"/routing-torus2qos/src/test/resources/golden/*"$pattern"*/; do
  [ -e "$golden/lft.gz" ] || continue
  rm -rf "$work/f" "$work/dump" "$work/state"
  python3 "$root/packaging/bench/recorded.py" torus "$golden" "$work/f"
  zcat "$golden/fabric.topo.gz" >"$work/fabric.topo"
  "$torus_sm" --once --simulate "$work/fabric.topo" -R torus-2QoS -Q --torus_config "$golden/torus-2QoS.conf" --http-listen none \
    --state-dir "$work/state" --dump-dir "$work/dump" -f "$work/log" >/dev/null 2>&1 || { echo "${golden}: refused"; continue; }
  # ibdmchk reads the dump as it is; hosts' rows do not matter to either
  cp "$work/dump/opensm-sl2vl.dump" "$work/f/slvl"
  judge "$(basename "$golden")"
done
for recorded in "$root"/sm-core/src/test/resources/engines/*.txt.gz; do
  for name in $(python3 "$root/packaging/bench/recorded.py" cases "$recorded"); do
    engine=$(basename "$recorded" .txt.gz)
    case $engine/$name in *"$pattern"*) ;; *) continue ;; esac
    rm -rf "$work/f"
    python3 "$root/packaging/bench/recorded.py" engine "$recorded" "$name" "$work/f"
    [ ! -e "$work/f/fdbs" ] || judge "$engine/$name"
  done
done
