#!/bin/bash
# Routing engines on ibsim, OpenSM and torus-sm in turn, each from its start to SUBNET UP, dumps off. For every run: seconds of routing
# alone (OpenSM: tables computed and queued, by the times in its log; torus-sm: computed and proved), seconds until SUBNET UP, of
# processor time until then, and the most memory used, in MiB.
# SIM=torus-sm in the environment: on torus-sm fabric instead of ibsim.
# usage: packaging/bench/engines.sh [RUNS] FABRIC ENGINE...   (needs ibsim-utils, opensm, a built torus-sm)
# all.sh: 6 1 8x8x8,hosts=1 minhop dor sssp nue
# FABRIC: 8x8x8,hosts=1 (a torus) | tree:24 (of switches with 24 ports, three levels) | random:2000 (switches with six cables and a host)
set -eu
[[ ${1:-} =~ ^[0-9]+$ ]] || set -- 1 "$@"
fabric=$2
case $fabric in *:*) torus=2x2x1 ;; *) torus=$fabric ;; esac
here=$(dirname "$(readlink -f "$0")")
. "$here/ibsim-torus.sh" "$1" "$torus"
. "$here/graphs.sh"
shift 2

case $fabric in
  tree:* | random:*) "${fabric%%:*}" "${fabric#*:}" | topology >dumps/fabric.topo ;;
esac
echo "$fabric: $(nodes Switch | wc -l) switches, $(nodes Ca | wc -l) hosts; load $(cut -d' ' -f1 /proc/loadavg)"

# Only the routing module logs its start; more logging would cost OpenSM time.
printf 'osm_ucast_mgr.c 0x07\n' >modules
printf 'force_log_flush TRUE\nper_module_logging_file %s\ndo_mesh_analysis TRUE\n' "$work/modules" >opensm.conf
printf 'on_credit_loop = warn\nhttp_listen = none\nlash { do_mesh_analysis = true }\n' >torus-sm.conf

clock() { awk -v re="$1" '$0 ~ re { split($3, t, ":"); print 3600 * t[1] + 60 * t[2] + t[3] + $4 / 1e6; exit }' opensm.log; }

routing() { # NAME LOG: seconds
  case $1 in
    opensm) awk -v a="$(clock 'building routing with')" -v b="$(clock 'tables configured on all')" 'BEGIN { printf "%.2f", b - a }' ;;
    *) sed -n 's/.*SUBNET UP.* route \([0-9.]*\) s.*/\1/p' "$2" | head -1 ;;
  esac
}

one() { # ENGINE NAME LOG COMMAND...
  engine=$1 name=$2 log=$3
  shift 3
  start_sim "$log"
  start=$EPOCHREALTIME
  start_sm "$@"
  until grep -q 'SUBNET UP' "$log" 2>/dev/null; do
    if ! kill -0 "$pid" 2>/dev/null || grep -qs 'No routing engine able\|TSM-5004' "$log"; then
      echo "$engine $name: refused"
      stop_all 2>/dev/null || true
      return
    fi
    sleep 0.1
  done
  end=$EPOCHREALTIME
  cpu=$(awk -v hz="$(getconf CLK_TCK)" '{ print ($14 + $15) / hz }' "/proc/$pid/stat")
  memory=$(awk '/^VmHWM/ { print int($2 / 1024) }' "/proc/$pid/status")
  awk -v e="$engine $name" -v r="$(routing "$name" "$log")" -v a="$start" -v b="$end" -v c="$cpu" -v m="$memory" \
    'BEGIN { printf "%s: routing %s s, up after %.1f s, %.1f s of processor time, %d MiB\n", e, r, b - a, c, m }'
  stop_all
}

for engine in "$@"; do
  : >rows
  for _ in $(seq "$runs"); do
    one "$engine" opensm opensm.log opensm -F opensm.conf -Q -R "$engine,no_fallback" -f opensm.log
    one "$engine" torus-sm out.txt "$sm" -F torus-sm.conf -Q -R "$engine,no_fallback" --state-dir state --control-socket "$work/ctl"
  done | tee rows
  of() { sed -n "s/^$engine $1: routing \([0-9.]*\) s, up after \([0-9.]*\) s.*/\\$2/p" rows | middle; }
  ours=$(of torus-sm 1)
  [ -z "$ours" ] || result "routing and proof, $engine, ${fabric/:/ }" s "$(of opensm 1)" "$ours"
  ours=$(of torus-sm 2)
  [ -z "$ours" ] || result "start to SUBNET UP, $engine, ${fabric/:/ }" s "$(of opensm 2)" "$ours"
done
