#!/bin/bash
# Tests the daemon on ibsim under a hostile machine: clock jumps, a full or read-only disk, no file descriptors, no randomness, other
# languages and time zones. The last output is a table: for each row the action, the expected and the observed outcome.
# Exit code 0 if every row is as expected. Run by hand; five minutes.
# usage: packaging/adversity.sh [ROW]...   such as: clock disk (default: all rows)
# Needs ibsim-utils, infiniband-diags, curl and a built torus-sm (TORUS_SM=PROGRAM: another one). Row clock needs libfaketime, rows disk
# and entropy need root, row turkish needs the locale tr_TR.UTF-8. A row without its requirements is skipped with the reason. Writes only to
# a temporary directory.
set -eu
wanted=" $* "
here=$(dirname "$(readlink -f "$0")")
source=$(readlink -f "$here/..")
set -- 1 4x3x1,hosts=1
# shellcheck source=packaging/bench/ibsim-torus.sh
. "$here/bench/ibsim-torus.sh"
unset JAVA_OPTS LD_PRELOAD
http=127.0.0.1:$((20000 + $$ % 10000))
table='' failed='' pid='' sim='' keep='' mounted=''
trap 'exec 3>&- 2>/dev/null; kill $(jobs -p) 2>/dev/null || true; [ -z "$mounted" ] || umount -l "$mounted"; rm -rf "$work"' EXIT

# ---- Parts of rows

is_wanted() { [ "$wanted" = "  " ] || [[ $wanted = *" $1 "* ]]; }
log() { cat out.txt; }
ctl() { "${sm}ctl" --socket "$work/control.sock" "$@"; }
at() { SIM_HOST=$1 ibsim-run "${@:2}"; }
lid() { ctl lids "$1" | awk '$1 ~ /^[0-9]+$/ { print $1; exit }'; }
served() { at "$asker" saquery -p --src-to-dst "1:$(lid "$victim")"; } # a path to $victim from the SA
says() { # PATTERN COMMAND...: waits at most 40 s until a line of the command matches
  local pattern=$1 try
  shift
  for ((try = 0; try < 80; try++)); do
    "$@" 2>&1 | grep -qE -- "$pattern" && return 0
    sleep 0.5
  done
  return 1
}
row() { # NAME DONE EXPECTED
  name=$1 done=$2 expected=$3 seen='' bad=''
  printf '\n## %s: %s\n' "$name" "$done"
}
see() { # WHAT PATTERN COMMAND...
  local what=$1
  shift
  if says "$@"; then
    seen+="${seen:+, }$what"
    echo "seen: $what"
  else
    bad=yes seen+="${seen:+, }NOT $what"
    echo "NOT SEEN: $what ($1)"
    "${@:2}" 2>&1 | tail -n 5 || true
  fi
}
goes_on() {
  see 'no error of its own' '^0$' sh -c "grep -cE ' ERROR .*TSM-(1003|1205|1214|5006|6009|7209|8001) ' out.txt || true"
  see 'the SA answers' 'dlid\.' served
  see 'sweeps go on' 'requested' ctl sweep heavy
  see 'routed' '^state: routed' ctl status
}
over() {
  [ -z "$bad" ] || failed+=" $name"
  table+="| $name | $done | $expected | $seen |"$'\n'
}
skipped() { # WHY
  echo "skipped: $1"
  table+="| $name | $done | $expected | skipped: $1 |"$'\n'
}

# ---- The fabric and the subnet manager

"$sm" --once -Q -R torus-2QoS --simulate "torus:4x3x1,hosts=1" --dump-dir dumps >sim.log 2>&1
victim=host-1-1-0-0
fabric() {
  start_sim out.txt
  asker=$(nodes Ca | sed -n 2p)
  cat >torus-sm.conf <<EOF
qos = true
routing_engine = "torus-2QoS"
torus_config = "$work/torus-2QoS.conf"
state_dir = "${1:-$work/state}"
control_socket = "$work/control.sock"
http_listen = "$http"
sweep_interval = 1
EOF
}
starts() { # COMMAND...: the prefix of the command of the subnet manager
  rm -f out.txt
  start_sm "$@" "$sm" -F torus-sm.conf
}
up() {
  starts "$@"
  await_up out.txt 0.1
}
act() { echo "$1" >console; }

# ---- Rows

faketime=$(find /usr/lib -name libfaketimeMT.so.1 2>/dev/null | head -n 1)
if is_wanted clock; then
  row clock 'the clock jumps an hour forward, then two hours back' 'a message; the SM goes on'
  if [ -z "$faketime" ]; then
    skipped 'libfaketime is not installed'
  else
    fabric
    jump() { printf '%s\n' "$1" >faketime.tmp && mv faketime.tmp faketime; }
    jump +0
    # settimeofday does not change the monotonic clock either.
    # shellcheck disable=SC2016 # expanded by the shell that ibsim-run starts
    up env FAKETIME_TIMESTAMP_FILE="$work/faketime" FAKETIME_NO_CACHE=1 FAKETIME_DONT_FAKE_MONOTONIC=1 \
      sh -c 'LD_PRELOAD=$LD_PRELOAD:$0 exec "$@"' "$faketime"
    jump +1h
    see 'that the process stood still, it looks who is master' 'TSM-3013' log
    goes_on
    jump -1h
    sleep 3
    goes_on
    stop_all
  fi
  over
fi

if is_wanted disk; then
  row disk-full 'the state directory is full when a host gets its first LID; then it is not' 'reported, and again when it is written; the SM goes on'
  if ! { mkdir -p disk && mount -t tmpfs -o size=1m tmpfs "$work/disk" 2>/dev/null; }; then
    skipped 'a tmpfs cannot be mounted'
  else
    mounted=$work/disk
    fabric "$work/disk/state"
    mapfile -t newcomers < <(nodes Ca | tail -n 2)
    act "Unlink \"${newcomers[0]}\""
    act "Unlink \"${newcomers[1]}\""
    up
    dd if=/dev/zero of=disk/ballast bs=4k 2>/dev/null || true
    act "ReLink \"${newcomers[0]}\""
    see 'that a file is not written' 'TSM-9004' log
    goes_on
    rm disk/ballast
    see 'that it is written again' 'TSM-9003' log
    over
    row disk-read-only 'the state directory is read-only when a host gets its first LID; then it is not' 'reported, and again when it is written; the SM goes on'
    # A second mount on top: Linux refuses a read-only remount while the lock of the directory is open for writing.
    : >out.txt
    mount -t tmpfs -o ro tmpfs "$work/disk/state"
    act "ReLink \"${newcomers[1]}\""
    see 'that a file is not written' 'TSM-9004' log
    goes_on
    umount "$work/disk/state"
    see 'that it is written again' 'TSM-9003' log
    goes_on
    stop_all
    umount "$work/disk"
    mounted=''
  fi
  over
fi

if is_wanted slow-disk; then
  row slow-disk 'the disk hangs while a LID is written' 'a message; hosts get their LIDs all the same'
  if grep -q 'aDiskThatHangsDoesNotKeepTheFabricDown' "$source/sm-core/src/test/java/io/torussm/sweep/AddressSweepTest.java"; then
    seen='by AddressSweepTest, in virtual time'
  else
    bad=yes seen='no test'
  fi
  over
fi

if is_wanted descriptors; then
  row descriptors 'ulimit -n 80, and 60 clients that say nothing' 'messages; the SM goes on, health is answered within ten seconds'
  fabric
  # shellcheck disable=SC2016 # expanded by the shell that ibsim-run starts
  up bash -c 'ulimit -n 80; exec "$@"' bash
  see 'a warning of the limit' 'TSM-1010' log
  see 'health with few clients' '^ok' curl -s -m 2 "$http/healthz"
  clients=()
  for ((i = 0; i < 60; i++)); do
    exec {fd}<>"/dev/tcp/${http%:*}/${http#*:}" && clients+=("$fd")
  done
  see 'that no client is accepted' 'TSM-1215' log
  see 'the SA answers' 'dlid\.' served
  if curl -s -m 10 "$http/healthz" | grep -q '^ok'; then seen+=', health'; else bad=yes seen+=', NO health'; fi
  for fd in "${clients[@]}"; do exec {fd}>&-; done
  see 'that clients are accepted' 'TSM-1216' log
  goes_on
  stop_all
  over
fi

if is_wanted entropy; then
  row entropy '/dev/random never gives a byte, and keys are drawn' 'the SM starts, and the keys are in force'
  fabric
  mkfifo random
  exec {silent}<>random
  if ! unshare --mount mount --bind random /dev/random 2>/dev/null; then
    skipped 'nothing can be mounted over /dev/random'
  else
    # shellcheck disable=SC2016 # expanded by the shell that unshare starts
    up unshare --mount sh -c 'mount --bind random /dev/random && exec "$@"' sh
    ctl keys new
    see 'that keys are in force' '^M_Key: generated' ctl keys
    goes_on
    stop_all
  fi
  exec {silent}>&-
  over
fi

if is_wanted paused; then
  row paused 'a cable is pulled or plugged in, and at ten moments after that the master is stopped until its standby rules' \
    'going on, it ends no sweep before the other has handed over to it'
  fabric
  mapfile -t ends < <(sed -n '/^Switch/,/^$/s/^\[\([0-9]*\)\].*"S-.*/\1/p;/^Switch/s/.*"\(S-[^"]*\)".*/\1/p' dumps/fabric.topo | head -n 2)
  printf 'sminfo_polling_timeout = 500\npolling_retry_number = 2\n' >>torus-sm.conf
  sed -e 's/"\(.*\)state"/"\1state-2"/; s/control\.sock/control-2.sock/' -e '/http_listen/d' torus-sm.conf >standby.conf
  echo 'sm_priority = 3' >>standby.conf
  echo 'sm_priority = 9' >>torus-sm.conf
  up
  OSM_CACHE_DIR=$work at "$(nodes Ca | tail -n 1)" "$sm" -F standby.conf >standby.txt 2>&1 </dev/null &
  standby=$!
  see 'a standby' 'DISCOVERING -> STANDBY' cat standby.txt
  early=''
  for moment in 0 1 2 3 4 5 6 7 8 9; do
    ruled=$(grep -c -e '-> MASTER' standby.txt || true)
    if [ $((moment % 2)) = 0 ]; then act "Unlink \"${ends[0]}\"[${ends[1]}]"; else act "ReLink \"${ends[0]}\"[${ends[1]}]"; fi
    sleep "0.$moment"
    kill -STOP "$pid"
    for try in 1 2 3; do says "^$((ruled + 1))\$" grep -c -e '-> MASTER' standby.txt && break; done
    lines=$(wc -l <out.txt)
    kill -CONT "$pid"
    says "^$((ruled + 1))\$" grep -c 'MASTER -> STANDBY' standby.txt && says 'SUBNET UP' tail -n "+$((lines + 1))" out.txt || early+=" $moment?"
    over=$(grep 'MASTER -> STANDBY' standby.txt | tail -n 1) wrote=$(tail -n "+$((lines + 1))" out.txt | grep -m 1 'SUBNET UP') || true
    echo "moment $moment: handed over ${over%% *}, up ${wrote%% *}"
    [[ "${over%% *}" < "${wrote%% *}" ]] || early+=" $moment"
  done
  if [ -z "$early" ]; then seen+=', that it was handed over to before each time'; else bad=yes seen+=", NOT at moment$early"; fi
  goes_on
  kill "$standby"
  wait "$standby" 2>/dev/null || true
  stop_all
  over
fi

reference=''
language() { # NAME DONE COMMAND...
  row "$1" "$2" 'the same answers as elsewhere'
  fabric
  up env "${@:3}"
  goes_on
  answers=$(ctl lids "$victim"; ctl path host-0-0-0-0 "$victim"; ctl torus --draw | sed "s/ since .*//"; ctl status --json | tr -d ' ' | grep -E '"(state|routing|switches|hostPorts)"'
    curl -s "$http/metrics" | grep -E '^torussm_(links|rings|switches)')
  : "${reference:=$answers}"
  if [ "$answers" = "$reference" ]; then seen+=', the same answers'; else
    bad=yes seen+=', NOT the same answers'
    diff <(echo "$reference") <(echo "$answers") || true
  fi
  stop_all
  over
}
if is_wanted language; then
  language c 'LC_ALL=C, TZ=UTC' LC_ALL=C TZ=UTC
  language turkish 'LC_ALL=tr_TR.UTF-8, -Duser.language=tr' LC_ALL=tr_TR.UTF-8 JAVA_OPTS='-Duser.language=tr -Duser.country=TR'
  language arabic 'digits that are not ASCII: -Duser.language=ar -Duser.country=EG' JAVA_OPTS='-Duser.language=ar -Duser.country=EG'
  language east 'TZ=Pacific/Apia' TZ=Pacific/Apia
  language half 'TZ=America/St_Johns' TZ=America/St_Johns
fi

printf '\n| row | done | expected | seen |\n|---|---|---|---|\n%s' "$table"
[ -z "$failed" ] || { echo "not as it should be:$failed"; exit 1; }
echo "all was as it should be"
