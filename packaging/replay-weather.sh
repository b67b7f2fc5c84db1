#!/bin/bash
# Repeats on ibsim the faults of an operator's trial of commit 2014275: one row for each of its findings C1 to C4 and M1 to M15. A row prints
# its actions and the important lines of the output. Exit code 0 if every row shows the expected lines.
# Row SL cuts a ring, kills SMs and mends the ring, and compares the SLs of all pairs after each step. Rows updn, ftree, lash, dfsssp and nue
# do the same with a cable and a switch of trees and random graphs. AUDIT=COMMAND verifies the fabric from a host after each of these steps
# and must exit with 0.
# In the output, "sim>" is the console of ibsim, ctl is torus-smctl, log is the log of the SM, and "at" runs a tool at a host.
# usage: packaging/replay-weather.sh [ROW]...   such as: C1 M9 (default: all rows, five minutes)
# Needs ibsim-utils, infiniband-diags, ibutils, curl, prometheus, and a built torus-sm (TORUS_SM=PROGRAM: another one); no root. Writes only
# to a temporary directory.
set -eu
wanted=" $* "
here=$(dirname "$(readlink -f "$0")")
source=$(readlink -f "$here/..")
set -- 1 6x5x1,hosts=2
# shellcheck source=packaging/bench/ibsim-torus.sh
. "$here/bench/ibsim-torus.sh"
. "$here/bench/graphs.sh"
unset JAVA_OPTS
http=127.0.0.1:$((20000 + $$ % 10000))
failed='' pid='' sim='' keep=''

# ---- Parts of rows

is_wanted() { # ROW...: checks whether one of them is requested
  [ "$wanted" = "  " ] && return 0
  for row in "$@"; do [[ $wanted = *" $row "* ]] && return 0; done
  return 1
}
row() { # NAME TITLE
  name=$1
  printf '\n## %s %s\n' "$1" "$2"
}
act() { # COMMAND OF THE CONSOLE OF IBSIM
  echo "sim> $1"
  echo "$1" >console
}
fail() { # TEXT
  printf 'NOT SHOWN: %s\n' "$1"
  failed+=" $name"
}
answer() { # COMMAND...: prints its output, and its exit code unless it is 0
  local code=0
  "$@" 2>&1 || code=$?
  [ $code -eq 0 ] || echo "exit code $code"
}
see() { # [-n LINES] PATTERN... -- COMMAND...: waits at most 20 s until each extended regular expression matches a line; prints these lines
  local most=3 patterns=() pattern text=''
  [ "$1" != -n ] || { most=$2 && shift 2; }
  while [ "$1" != -- ]; do patterns+=("$1") && shift; done
  shift
  echo "\$ $*"
  for ((try = 0; try < 40; try++)); do
    text=$(answer "$@")
    local absent=''
    for pattern in "${patterns[@]}"; do
      grep -qE -- "$pattern" <<<"$text" || absent=$pattern
    done
    [ -n "$absent" ] || break
    sleep 0.5
  done
  if [ -n "$absent" ]; then
    echo "$text"
    fail "$absent"
  else
    for pattern in "${patterns[@]}"; do
      grep -E -m "$most" -- "$pattern" <<<"$text"
    done | awk '!seen[$0]++' | cut -c1-300
  fi
}
exactly() { # N PATTERN -- COMMAND...: exactly N lines match
  local count=$1 pattern=$2
  shift 3
  local text
  text=$(answer "$@" | grep -E -- "$pattern" || true)
  echo "\$ $* | grep -cE '$pattern'"
  printf %s "${text:+$text$'\n'}" | wc -l
  [ "$(printf %s "${text:+$text$'\n'}" | wc -l)" -eq "$count" ] || fail "$count lines: $text"
}
test_shows() { # TEST TEXT: a behaviour that ibsim cannot show has a test
  echo "shown by $1: $2"
  grep -qr --include="${1%%#*}.java" -- " ${1##*#}(" "$source" || fail "there is no $1"
}
socket=control-1.sock
ctl() { "${sm}ctl" --socket "$work/$socket" "$@"; }
log() { cat out.txt; }
at() { # HOST COMMAND...: runs one of infiniband-diags at a host of ibsim
  SIM_HOST=$1 ibsim-run "${@:2}"
}

# ---- Fabrics and subnet managers

tools=H-0000000100000200 # (0,2,0), on a ring that is not cut
fabric() { # GRAPH ENGINES: ibsim with this torus, tree:PORTS or random:SWITCHES, and a configuration for it
  case $1 in
    *:*) "${1%%:*}" "${1#*:}" | topology >dumps/fabric.topo ;;
    *)
      "$sm" --once -Q -R torus-2QoS --simulate "torus:$1" --dump-dir dumps >sim.log 2>&1
      "$sm" suggest-conf "torus:$1" >torus-2QoS.conf
      ;;
  esac
  start_sim out.txt first.dump
  rm -rf state-1 state-2 ./*-dumps
  socket=control-1.sock
  configure torus-sm.conf "$2" state-1 control-1.sock "$http"
  echo 'Default=0x7fff : ALL=full;' >partitions.conf
}
configure() { # FILE ENGINES STATE SOCKET HTTP
  cat >"$1" <<EOF
qos = true
routing_engine = "$2"
torus_config = "$work/torus-2QoS.conf"
partition_config_file = "$work/partitions.conf"
state_dir = "$work/$3"
dump_files_dir = "$work/$3-dumps"
control_socket = "$work/$4"
http_listen = "$5"
sweep_interval = 1
EOF
}
starts() {
  rm -f out.txt
  start_sm "$sm" -F torus-sm.conf
}
up() {
  starts
  await_up out.txt 0.1
}
killed() {
  kill -9 "$pid"
  wait "$pid" 2>/dev/null || true
}
cut_twice() { # the ring (*,1,0)
  act 'Unlink "S-0000000000200060"[1]'
  act 'Unlink "S-0000000000200150"[1]'
}
lid() { ctl lids "$1" | awk '$1 ~ /^[0-9]+$/ { print $1; exit }'; }
pkeys() { at "$tools" smpquery pkeys "$(lid "$1")" 1; }
served() { # NAME: a path to a host
  see 'dlid\.' -- at "$tools" saquery -p --src-to-dst "1:$(lid "$1")"
}

audited() { # EVENT STATE SM [others]: the expected state after the event, the number of the master, and whether SLs may change
  row "$name" "$1"
  socket=control-$3.sock
  see "^state: $2" -- ctl status
  ctl dump >/dev/null
  (
    cd "state-$3-dumps"
    ibdmchk -s opensm-subnet.lst -f opensm.fdbs -m opensm.mcfdbs -c opensm-path-sl.dump -d opensm-sl2vl.dump >../ibdmchk.txt 2>&1
  ) 2>/dev/null || true # ibdmchk crashes after its verdict, also with OpenSM's files
  see 'no credit loops' -- cat ibdmchk.txt
  exactly 0 '^-[EW]-' -- cat ibdmchk.txt
  sort "state-$3-dumps/opensm-path-sl.dump" >now.dump
  [ -e first.dump ] || cp now.dump first.dump
  echo "$(wc -l <first.dump) SLs at first; now there are $(wc -l <now.dump), of which $(comm -12 first.dump now.dump | wc -l) are as they were"
  [ "${4:-}" = others ] || [ -z "$(comm -13 first.dump now.dump)" ] || fail "SLs as they were first"
  # AUDIT is a command and its arguments.
  # shellcheck disable=SC2086
  [ -z "${AUDIT:-}" ] || at "$tools" $AUDIT || fail "nothing to find for $AUDIT"
}

# ---- Rows

if is_wanted C1 C2 C3 M3 M10; then
  fabric 6x5x1,hosts=2 torus-2QoS,no_fallback
  up
  row C1 'a ring is cut twice, and routes may not be bent (routing_engine = "torus-2QoS,no_fallback")'
  see 'arrives at' -- ctl path host-1-1-0-0 host-4-1-0-0
  cut_twice
  see '^state: REFUSED since' '^rings: .* 1 cut' '^absent: 2 cables' -- ctl status
  see '^routing: REFUSED' '^cut rings: 1' -- ctl torus
  see '^ +1 .* x .* x ' -- ctl torus --draw
  see '^state +DOWN' '^led to +sw-2-1-0 .* lost since' -- ctl port 1,1,0 1
  see 'this path is dead since' 'exit code 1' -- ctl path host-1-1-0-0 host-4-1-0-0
  see 'cables that are not there any more' 'proved again' 'exit code 1' -- ctl check
  see 'routing refused since' -- curl -s "$http/readyz"
  see '"state":"REFUSED"' -- curl -s "$http/api/status"
  see '^torussm_routing_state.*"refused".*} 1' '^torussm_links.* 118' '^torussm_missing_links.* 2' '^torussm_rings.*"cut".*} 1' -- \
    curl -s "$http/metrics"
  see 'error TSM-5004' 'warn TSM-5025' -- ctl conditions

  row M3 'ten sweeps of the same state'
  sleep 2
  lines=$(wc -l <out.txt)
  sleep 10
  exactly 0 . -- tail -n "+$((lines + 1))" out.txt
  exactly 1 'WARN .*TSM-4010.*sw-1-1-0' -- log

  row C2 'a host reboots meanwhile'
  act 'Unlink "H-0000000100001200"'
  see 'TSM-4007' -- log
  act 'ReLink "H-0000000100001200"'
  see 'TSM-4008' -- log
  see '^state +ACTIVE' -- ctl port host-3-3-0-0
  see '^LinkState.*Active' -- at "$tools" smpquery portinfo "$(lid host-3-3-0-0)" 1
  served host-3-3-0-0

  row M10 'a host is lost'
  act 'Unlink "H-0000000100000b00"'
  see 'TSM-4007.*host-2-1-0-0.*cabled to .2,1,0.' -- log
  see '^host ' '^host-2-1-0-0 ' -- ctl absent
  see 'is absent, last seen' -- ctl port host-2-1-0-0
  see '^led to +host-2-1-0-0' -- ctl port 2,1,0 7
  see 'host-2-1-0-0.*is gone' -- ctl changes
  act 'ReLink "H-0000000100000b00"'
  see 'TSM-4008.*host-2-1-0-0' -- log

  row C3 'kill -9 and a new start meanwhile; then a standby takes over'
  killed
  starts
  see 'TSM-5027' -- log
  see '^state: ADOPTED since' '^absent: ' -- ctl status
  served host-3-3-0-0
  first=$pid
  configure standby.conf torus-2QoS,no_fallback state-2 control-2.sock none
  SIM_HOST=H-0000000100000300 OSM_CACHE_DIR=$work ibsim-run "$sm" -F standby.conf >standby.txt 2>&1 </dev/null &
  pid=$!
  see '(DISCOVERING|MASTER) -> STANDBY' -- cat standby.txt
  kill -9 "$first"
  wait "$first" 2>/dev/null || true
  see 'STANDBY -> DISCOVERING' 'TSM-5027' -- cat standby.txt
  see 'dlid\.' -- at "$tools" saquery -p --src-to-dst \
    "1:$(socket=control-2.sock lid host-3-3-0-0)"
  stop_all
fi

if is_wanted M2 M11 M5 M4 M9 C4 M7 M15; then
  fabric 6x5x1,hosts=2 torus-2QoS
  up
  cut_twice
  row M2 'a ring is cut twice, and routes may be bent (the default): the same words everywhere'
  see '^state: DEGRADED since' '^rings: .* 1 cut' -- ctl status
  see '^cut rings: 1' '^open rings: none' '^thinned rings: none' -- ctl torus
  see '^torussm_routing_state.*"degraded".*} 1' '^torussm_rings.*"x",state="cut".*} 1' '^torussm_rings.*"x",state="open".*} 0' -- \
    curl -s "$http/metrics"
  see 'TorusSmRingCut' 'TorusSmRingOpen' 'TorusSmRingThinned' -- cat "$source/packaging/prometheus/torus-sm.rules.yml"

  row M11 'what is asked first'
  see '^state: ' '^subnet: ' '^rings: ' '^absent: ' '^active routes: .*; subnet up since ' '^last sweep: ' '^last change: ' '^running since: ' -- ctl status
  see '"state" : "DEGRADED"' '"hostPorts" : 60' '"cut" : 1' '"priority" : 0' -- ctl status --json
  act 'ReLink "S-0000000000200060"[1]'
  act 'ReLink "S-0000000000200150"[1]'
  see '^state: routed' -- ctl status
  exactly 0 'TSM-[4-6]' -- ctl conditions # but for TSM-3014: there are no keys here

  row M5 'torus-2QoS.conf is edited badly, and read again: SIGHUP, and a new start'
  sed -i 's/^torus /tors /' torus-2QoS.conf
  echo '$ sed -i "s/^torus /tors /" torus-2QoS.conf; kill -HUP PID'
  kill -HUP "$pid"
  see 'TSM-5101.*torus-2QoS.conf:1' 'TSM-5023' -- log
  see '^state: routed' -- ctl status
  killed
  up
  see '^state: routed' -- ctl status
  see 'TSM-5023' -- ctl conditions

  row M4 'the losses of cables that are played with such a file'
  sed -i 's/^sweep_interval.*/sweep_interval = 10/' torus-sm.conf
  kill -HUP "$pid"
  sleep 9
  exactly 0 'TSM-5005' -- log
  sed -i 's/^tors /torus /' torus-2QoS.conf
  sed -i 's/^sweep_interval.*/sweep_interval = 1/' torus-sm.conf
  kill -HUP "$pid"
  see 'TSM-5024' -- log
  exactly 0 'TSM-[4-6]' -- ctl conditions # but for TSM-3014: there are no keys here

  row M9 'a switch is slow to answer'
  act 'Error "S-0000000000200150" 60'
  see 'requested' -- ctl sweep heavy
  see -n 1 'TSM-5110.*does not answer or is left out|TSM-5110.*does not answer, or is left out' 'TSM-4001.*sw-4-1-0' -- log
  exactly 0 'missing or down|M_Key' -- log
  act 'Error "S-0000000000200150" 0'
  see '^state: routed' '^absent: nothing' -- ctl status

  row C4 'partitions.conf is edited badly, and the SM is started anew'
  cat >partitions.conf <<'EOF'
Default=0x7fff : ALL=limited, SELF=full;
storage=0x10 : 0x0000000100000301=full, 0x0000000100000401=full;
EOF
  see '^.*partitions.conf: 89 of 90 end ports' -- ctl partitions preview
  see 'a heavy sweep is requested' -- ctl partitions apply
  see '0x7fff 0x8010' -- pkeys host-0-3-0-0
  echo 'oops=0x99999 : ALL;' >>partitions.conf
  echo '$ echo "oops=0x99999 : ALL;" >>partitions.conf; kill -9 PID'
  killed
  up
  see 'TSM-7001' 'TSM-7003' -- log
  see '^0x7fff' '^0x0010' -- ctl partitions
  see '0x7fff 0x8010' -- pkeys host-0-3-0-0
  see 'TSM-7003' -- ctl conditions

  row M7 'a rehearsal with the settings of the SM that runs, and a second SM on its directory'
  echo 'Default=0x7fff : ALL=limited, SELF=full;' >partitions.conf
  before=$(find state-1 -type f ! -name lock -exec cksum {} + | sort)
  see 'SUBNET UP' -- "$sm" --once --simulate torus:6x5x1 -F torus-sm.conf
  [ "$before" = "$(find state-1 -type f ! -name lock -exec cksum {} + | sort)" ] || fail "the state directory as it was"
  see 'state_dir|state directory' 'exit code 2' -- at H-0000000100000300 timeout 30 "$sm" -F torus-sm.conf --http-listen none

  row M15 'names'
  see '^LID ' 'sw-4-1-0' -- ctl switches
  echo 'There is no map of names yet: nodes are called by their NodeDescription, and told apart by place and GUID.'
  stop_all
fi

if is_wanted M1; then
  fabric 4x4x1,hosts=1,links=2 torus-2QoS
  up
  row M1 'one of two parallel cables is lost'
  act 'Unlink "S-0000000000200000"[1]'
  see '^rings: 7 whole, 1 thinned' '^absent: 1 cable' -- ctl status
  see '^thinned rings: 1' -- ctl torus
  see 'sw-0-0-0' -- ctl absent
  see '^torussm_rings.*"x",state="thinned".*} 1' '^torussm_absent_cables.* 1' -- curl -s "$http/metrics"
  see 'TorusSmRingThinned' -- cat "$source/packaging/prometheus/torus-sm.rules.yml"
  stop_all
fi

if is_wanted M6; then
  row M6 'step by step from OpenSM: migrate, rehearse as root, start'
  printf 'qos TRUE\nrouting_engine torus-2QoS\ntorus_config %s\nlog_file %s\n' "$work/torus-2QoS.conf" "$work/opensm.log" >opensm.conf
  see 'taken over' 'log_file' -- "$sm" migrate-conf opensm.conf
  "$sm" migrate-conf opensm.conf >migrated.conf 2>migrate.txt
  echo "log_file = \"$work/torus-sm.log\"" >>migrated.conf
  "$sm" suggest-conf torus:6x5x1,hosts=2 >torus-2QoS.conf
  see 'log_file' 'SUBNET UP' -- "$sm" --once --simulate torus:6x5x1,hosts=2 -F migrated.conf --torus_config torus-2QoS.conf
  [ ! -e torus-sm.log ] || fail "no log file of the SM that is to come"
fi

if is_wanted M8; then
  row M8 'there is no adapter yet'
  configure waiting.conf minhop state-2 control-2.sock none
  "$sm" -F waiting.conf --ca no-such-adapter >waiting.txt 2>&1 &
  pid=$!
  see 'TSM-2010' -- cat waiting.txt
  kill -0 "$pid" || fail "an SM that waits"
  kill "$pid"
  wait "$pid" 2>/dev/null || true
  test_shows UnitsTest#aUnitIsNeverSkippedAndNeverGivesUp 'systemd never gives the unit up'
  test_shows PortLossTest#aResetAdapterIsOpenedAgainAndTheSubnetIsSweptImmediately 'an adapter that goes and comes back'
fi

if is_wanted M12 M13 M14; then
  row M12 'several subnets under one Prometheus'
  see 'TorusSmNoMaster' 'TorusSmTwoMasters' 'sum by .subnet_prefix, subnet.' -- cat "$source/packaging/prometheus/torus-sm.rules.yml"
  test_shows AlertRulesTest#mastersAreCountedBySubnet 'a subnet without a master and one with two, side by side'
  row M13 'the trial has no finding of this number'
  row M14 'colours of the page'
  test_shows PictureBrowserTest#showsEachStateOfRouting 'fair, open, cut and bent'
  test_shows PictureBrowserTest#showsThatRoutingIsRefused 'the banner of refused routing'
  test_shows PictureBrowserTest#showsRingsThatAreThinned 'rings that are thinned, in three dimensions'
fi

if is_wanted SL; then
  name=SL
  fabric 6x5x1,hosts=1 torus-2QoS
  up
  audited 'all is whole' routed 1
  cut_twice
  audited 'a ring is cut twice' DEGRADED 1
  killed
  up
  audited 'the SM is killed, and started anew' DEGRADED 1
  act 'Unlink "H-0000000100001200"'
  see 'TSM-4007' -- log
  act 'ReLink "H-0000000100001200"'
  see 'TSM-4008' -- log
  audited 'a host restarts' DEGRADED 1
  first=$pid
  configure standby.conf torus-2QoS state-2 control-2.sock none
  SIM_HOST=H-0000000100000300 OSM_CACHE_DIR=$work ibsim-run "$sm" -F standby.conf >standby.txt 2>&1 </dev/null &
  pid=$!
  see '(DISCOVERING|MASTER) -> STANDBY' -- cat standby.txt
  kill -9 "$first"
  wait "$first" 2>/dev/null || true
  audited 'the master is killed, and its standby takes over' DEGRADED 2
  act 'ReLink "S-0000000000200060"[1]'
  act 'ReLink "S-0000000000200150"[1]'
  audited 'the ring is mended' routed 2
  stop_all
fi

faults() { # ENGINE GRAPH SWITCH PORT STATE [others]: a cable and then the switch are lost and return; STATE while one is absent
  is_wanted "$1" || return 0
  name=$1
  fabric "$2" "$1"
  tools=$SIM_HOST
  up
  audited "$2, all is whole" routed 1
  act "Unlink \"$3\"[$4]"
  see '^absent: 1 cable' -- ctl status
  audited 'a cable is lost' "$5" 1 "${6:-}"
  act "ReLink \"$3\"[$4]"
  see '^absent: nothing' -- ctl status
  audited 'the cable is back' routed 1
  act "Unlink \"$3\""
  see '^absent: .*1 switch' -- ctl status
  audited 'a switch is lost' "$5" 1 "${6:-}"
  killed
  up
  audited 'the SM is killed, and started anew' "$5" 1 "${6:-}"
  act "ReLink \"$3\""
  see '^absent: nothing' -- ctl status
  audited 'the switch is back' routed 1
  stop_all
}
# a spine; ftree without root_guid_file needs an even tree, so the last resort completes its tables
faults updn tree:4 S-0000000000200300 1 routed
faults ftree tree:4 S-0000000000200300 1 DEGRADED
# a switch with a host; a path with another route may need another VL
faults lash random:20 S-0000000000200a00 1 routed others
faults dfsssp random:20 S-0000000000200a00 1 routed others
faults nue random:20 S-0000000000200a00 1 routed

echo
[ -z "$failed" ] || { echo "not as it should be:$failed"; exit 1; }
echo "all rows show what they should"
