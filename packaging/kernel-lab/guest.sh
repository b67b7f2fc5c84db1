# Sourced in the guest by scenarios.sh: the fabric, subnet managers, hosts, and checks.
# shellcheck shell=bash
run=/run/lab
mkdir -p "$run"
: "${fabric:=3 3 3}" "${adapters:=4}"
export JAVA_OPTS="-XX:TieredStopAtLevel=1"

# ---- Fabric

load_adapters() {
  modprobe -a ib_umad ib_cm ib_ipoib
  [ -e /dev/vhca ] || insmod /lab/vhca.ko "hcas=$adapters"
  echo 1 >/sys/module/ib_ipoib/parameters/debug_level 2>/dev/null || true
  udevadm settle
}
start_fabric() {
  load_adapters
  rm -f "$run/fabric.in"
  mkfifo "$run/fabric.in"
  sleep infinity >"$run/fabric.in" &
  echo $! >"$run/fabric.holder"
  # shellcheck disable=SC2086 # a list of numbers
  /lab/vfab $fabric "$adapters" <"$run/fabric.in" >"$run/fabric.out" 2>&1 &
  echo $! >"$run/fabric.pid"
  await 10 grep -q '^up' "$run/fabric.out"
}
stop_fabric() {
  kill "$(cat "$run/fabric.pid")" "$(cat "$run/fabric.holder")"
  sleep 0.5
}
fab() { # COMMAND...: to the console of the fabric
  echo "$*" >"$run/fabric.in"
  sleep 0.3
}
switch_guid() { printf '0x%016x' $((0x0002190000100000 + $1)); }
port_guid() { printf '0x%016x' $((0x0002190000000000 + 0x100 * ($1 + 1) + 1)); }
switches() { # their number in the fabric
  set -- $fabric
  [ "$1" = tree ] && echo $(($2 + $3)) || echo $(($1 * $2 * $3))
}
torus_conf() {
  set -- $fabric
  echo "torus $1 $2 $3"
  [ "$1" -eq 1 ] || echo "xp_link $(switch_guid 0) $(switch_guid 1)"
  [ "$2" -eq 1 ] || echo "yp_link $(switch_guid 0) $(switch_guid "$1")"
  [ "$3" -eq 1 ] || echo "zp_link $(switch_guid 0) $(switch_guid $(($1 * $2)))"
}

# ---- Subnet managers by name; "a" is the one at the first adapter

start_sm() { # NAME ADAPTER [OPTION]...
  local name=$1 guid=0
  [ "$2" = any ] || guid=$(port_guid "$2")
  shift 2
  [ ! -e "$run/$name.log" ] || cat "$run/$name.log" >>"$run/$name.old"
  : >"$run/$name.log"
  torus_conf >"$run/torus.conf"
  echo "${settings:-}" >"$run/$name.conf"
  torus-sm -F "$run/$name.conf" -g "$guid" -R "${engine:-torus-2QoS}" --torus_config "$run/torus.conf" -Q \
    --state-dir "$run/$name.state" --control-socket "$run/$name.sock" --http-listen "${http:-none}" -f "$run/$name.log" \
    -t "${smp_timeout:-1000}" "$@" >"$run/$name.out" 2>&1 &
  echo $! >"$run/$name.pid"
}
lives() { kill -0 "$(cat "$run/$1.pid" 2>/dev/null)" 2>/dev/null; }
stop_sm() { # NAME [SIGNAL]
  ! lives "$1" || kill "${2:--TERM}" "$(cat "$run/$1.pid")"
  await 20 gone "$1"
}
gone() { ! lives "$1"; }
smctl() { # NAME ARGUMENT...
  local name=$1
  shift
  timeout 60 torus-smctl --socket "$run/$name.sock" "$@"
}
logged() { # NAME PATTERN: a line of the log since the last mark matches
  tail -n +$((mark + 1)) "$run/$1.log" | grep -qE -- "$2"
}
set_mark() { mark=$(wc -l <"$run/$1.log"); }
mark=0
await_up() { await 180 grep -q TSM-6001 "$run/$1.log"; }
is_master() { # ADAPTER: the master SM is at this adapter, as sminfo at another adapter reports
  sminfo -C "vhca$((($1 + 2) % adapters))" | grep -qi "sm guid $(port_guid "$1" | sed 's/0x0*/0x/')"
}

# ---- Hosts

port() { cat "/sys/class/infiniband/vhca$1/ports/1/$2"; }
is_active() { [[ $(port "$1" state) == 4:* ]]; }
all_active() {
  local i
  for ((i = 0; i < adapters; i++)); do is_active "$i" || return 1; done
}
lid() { printf '%d' "$(port "$1" lid)"; }
is_sm() { (($(port "$1" cap_mask) & 2)); }
interface() { # ADAPTER: its IPoIB interface, outside of namespaces
  local each
  for each in /sys/class/net/*; do
    [ "$(cat "$each/type")" != 32 ] || ! grep -q "$(printf '%02x:01' $(($1 + 1)))\$" "$each/address" || basename "$each"
  done
}
start_ipoib() { # ADAPTER: in a namespace, with 10.0.0.(ADAPTER + 1)
  local device
  device=$(interface "$1")
  [ -n "$device" ] || return 0
  ip netns add "n$1" 2>/dev/null || true
  ip link set "$device" netns "n$1"
  ip -n "n$1" link set lo up
  ip -n "n$1" addr add "10.0.0.$(($1 + 1))/24" dev "$device"
  ip -n "n$1" link set "$device" up
}
start_all_ipoib() {
  local i
  for ((i = 0; i < adapters; i++)); do start_ipoib "$i"; done
}
ping_ib() { ip netns exec "n$1" ping -c 1 -W 1 "10.0.0.$(($2 + 1))"; } # FROM TO
pings() { await 20 ping_ib "$1" "$2"; }
events() { dmesg | grep -cE "Event $1 on device"; } # NUMBER: events of the kernel that IPoIB saw

# ---- Checks

patience=$(cat /lab/patience)
await() { # SECONDS COMMAND...: waits until it succeeds; $patience times as long, because the guest is slow
  local limit=$((SECONDS + $1 * patience))
  shift
  until "$@" >/dev/null 2>&1; do
    [ "$SECONDS" -lt "$limit" ] || return 1
    sleep 0.2
  done
}
checks=0 failures=0
check() { # WHAT COMMAND...
  local what=$1
  shift
  checks=$((checks + 1))
  if "$@" >"$run/check.out" 2>&1; then
    echo "  ok $what"
  else
    echo "  FAIL $what"
    tail -n 8 "$run/check.out" | sed 's/^/       /'
    failures=$((failures + 1))
  fi
}
not() { ! "$@"; }
says() { # PATTERN COMMAND...
  local pattern=$1
  shift
  "$@" 2>&1 | tee "$run/said" | grep -qE -- "$pattern" || { cat "$run/said" && return 1; }
}
counts() { # NUMBER PATTERN COMMAND...
  local number=$1 pattern=$2
  shift 2
  [ "$("$@" 2>"$run/said" | grep -cE -- "$pattern")" -eq "$number" ] || { cat "$run/said" && return 1; }
}

# The state in which each scenario begins: all links, one SM at the first adapter, its subnet up, IPoIB everywhere.
from_the_start() {
  local other
  [ -e "$run/fabric.pid" ] || start_fabric
  for other in b x; do [ ! -e "$run/$other.pid" ] || stop_sm "$other" -KILL; done
  fab loss 0
  if ! lives a; then
    start_sm a 0 -p 5
    await_up a || return 1
  fi
  await 60 all_active || return 1
  start_all_ipoib
  await 30 is_master 0
}
