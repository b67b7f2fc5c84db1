#!/bin/sh
# Runs on a fabric (torus-fabric SPEC -- packaging/demo-fabric.sh): OpenSM brings the subnet up, then infiniband-diags read it.
set -eu
work=$(mktemp -d)
trap 'kill "$opensm" 2>/dev/null || true; rm -rf "$work"' EXIT
echo 'force_log_flush TRUE' >"$work/opensm.conf"
OSM_CACHE_DIR=$work OSM_TMP_DIR=$work opensm -e -F "$work/opensm.conf" -f "$work/opensm.log" >"$work/opensm.out" 2>&1 &
opensm=$!
turns=0
until grep -qs 'SUBNET UP' "$work/opensm.log"; do
  turns=$((turns + 1))
  if [ "$turns" -gt 300 ] || ! kill -0 "$opensm" 2>/dev/null; then
    cat "$work/opensm.out" >&2
    exit 1
  fi
  sleep 0.1
done
echo "OpenSM: SUBNET UP"
ibnetdiscover >"$work/topology"
echo "ibnetdiscover: $(grep -c '^Switch' "$work/topology") switches, $(grep -c '^Ca' "$work/topology") hosts"
sminfo
iblinkinfo -l | head -n 4
