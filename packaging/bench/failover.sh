#!/bin/bash
# Ends the master of a pair of SMs on a torus, by kill -9 and in order, and measures the longest time without a PathRecord at a host that asks
# MasterSMLID of its port, as a kernel does. OpenSM and torus-sm in turn, with their defaults and, for torus-sm, replication.
# SIM=torus-sm in the environment: on torus-sm fabric instead of ibsim.
# usage: packaging/bench/failover.sh [RUNS] [TORUS] such as: 3 10x10x10,hosts=2
# all.sh: 8 1 10x10x10,hosts=2
# Needs ibsim-utils, opensm, gcc, libibumad-dev, keytool, and a built torus-sm.
set -eu
here=$(dirname "$(readlink -f "$0")")
. "$here/ibsim-torus.sh"
gcc -O2 -Wall -o sa-first "$here/sa-first.c" -libumad
asker=$(nodes Ca | tail -1)
first=$(nodes Ca | head -1)
second=$(nodes Ca | sed -n 2p)
lids=$(($(nodes Ca | wc -l) + $(nodes Switch | wc -l))) # both SMs number from 1, without gaps
(umask 077 && keytool -genkeypair -alias torus-sm -keyalg EC -groupname secp384r1 -dname CN=torus-sm -validity 2 \
  -storetype PKCS12 -storepass torus-sm -keystore replication.p12 2>/dev/null)
port=$((20000 + RANDOM % 10000))

# shellcheck disable=SC2054,SC2154
start_at() { # HOST NAME NUMBER PRIORITY: an SM of a pair; sets pid
  mkdir -p "cache-$3"
  case $2 in
    opensm) command=(opensm -F opensm.conf -Q -R torus-2QoS,no_fallback --torus_config torus-2QoS.conf -f "log-$3" -p "$4") ;;
    torus-sm)
      printf 'replication_listen = "127.0.0.1:%s"\nreplication_peers = "127.0.0.1:%s"\nreplication_key_file = "%s"\n' \
        $((port + $3)) $((port + 1 - $3)) "$work/replication.p12" >"sm-$3.conf"
      command=("$sm" -F "sm-$3.conf" -Q -R torus-2QoS,no_fallback --torus_config torus-2QoS.conf --state-dir "state-$3" -p "$4") ;;
  esac
  SIM_HOST=$1 OSM_CACHE_DIR=$work/cache-$3 OSM_TMP_DIR=$work/cache-$3 ibsim-run "${command[@]}" >"out-$3" 2>&1 </dev/null &
  pid=$!
  [ "$2" = opensm ] || ln -sf "out-$3" "log-$3"
}

one() { # NAME SIGNAL: the longest time without an answer when the master gets the signal
  start_sim none
  rm -rf state-* cache-* log-* out-*
  start_at "$first" "$1" 0 9
  master=$pid
  await_up log-0 0.1
  start_at "$second" "$1" 1 5
  until grep -qE 'STANDBY' log-1 2>/dev/null; do sleep 0.1; done
  sleep 10 # reads and replication after SUBNET UP
  SIM_HOST=$asker ibsim-run ./sa-first own 2 "$lids" pauses >pause &
  asking=$!
  sleep 1
  kill -"$2" "$master"
  await_up log-1 0.1
  sleep 1
  kill -TERM "$asking"
  wait "$asking"
  echo "$1 after kill -$2: $(cat pause) s without an answer"
  wait "$master" 2>/dev/null || true
  stop_all
}

echo 'force_log_flush TRUE' >opensm.conf
for _ in $(seq "$runs"); do
  for signal in KILL TERM; do
    [ "${ONLY:-opensm}" != opensm ] || one opensm $signal
    one torus-sm $signal
  done
done | tee times
of() { sed -n "s/^$1 after kill -$2: \([0-9.]*\) s.*/\1/p" times | middle; }
result "no path after kill -9 of the master of a pair, $torus" s "$(of opensm KILL)" "$(of torus-sm KILL)"
result "no path after an orderly end of the master of a pair, $torus" s "$(of opensm TERM)" "$(of torus-sm TERM)"
