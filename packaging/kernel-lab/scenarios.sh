#!/bin/bash
# In the guest: runs one scenario. A line for each check; the last line counts them. Exit code 1 if one failed.
# usage: scenarios.sh NAME
# shellcheck source=packaging/kernel-lab/guest.sh
. /lab/guest.sh

up() {
  local i
  check "the subnet is up" grep -q TSM-6001 "$run/a.log"
  for ((i = 0; i < adapters; i++)); do
    check "vhca$i is ACTIVE" is_active "$i"
    check "vhca$i has the LID of the SM" [ "$(port "$i" sm_lid)" = "$(port 0 lid)" ]
  done
  check "IsSM is set at the port of the SM" is_sm 0
  check "and at no other" not is_sm 1
  check "another adapter discovers all switches" counts "$(switches)" '^Switch' ibnetdiscover -C vhca1
  check "every line of the log has a code" not grep -vE 'TSM-[0-9]{4}' "$run/a.log"
  check "each port became active once for the kernel" [ "$(events 9)" -ge 1 ]
}
ipoib() {
  local i j
  for ((i = 0; i < adapters; i++)); do
    for ((j = 0; j < adapters; j++)); do
      [ "$i" -eq "$j" ] || check "vhca$i reaches vhca$j" pings "$i" "$j"
    done
  done
  check "the SA has the broadcast group" says '0xff12401bffff' smctl a mcast
}
failover() {
  start_sm b 1 -p 3
  check "the second SM is standby" await 120 grep -q STANDBY "$run/b.log"
  sleep 3
  set_mark b
  kill -KILL "$(cat "$run/a.pid")"
  check "the kernel clears IsSM of the dead SM" await 5 not is_sm 0
  check "the standby is master" await 20 is_master 1
  check "its log says that no SM runs there" logged b 'TSM-[0-9]+.*no SM runs'
  check "its subnet is up" await 30 logged b TSM-6001
  check "hosts reach each other" pings 2 3
  check "all ports have the LID of the new SM" await 10 [ "$(port 3 sm_lid)" = "$(port 1 lid)" ]
}

tools() {
  local n=$(($(switches) + adapters)) one
  one=$(lid 3)
  check "saquery: NodeRecords" counts "$n" 'NodeRecord dump' saquery -C vhca2
  check "saquery: PathRecords in one table" counts $((n * n)) 'PathRecord dump' saquery -C vhca2 -p
  check "saquery: members of groups" says 'MCMemberRecord' saquery -C vhca2 -m
  check "sminfo" says 'priority 5 state 3' sminfo -C vhca2
  check "ibtracert" says "To ca|ca port" ibtracert -C vhca2 "$(lid 2)" "$one"
  check "perfquery" says 'PortXmitData' perfquery -C vhca2 "$one"
  check "ibaddr" says "LID start 0x" ibaddr -C vhca2 "$one"
  ibping -C vhca3 -S >/dev/null 2>&1 &
  server=$!
  sleep 1
  check "ibping" says '10 packets transmitted, 10 received' ibping -C vhca2 -c 10 "$one"
  kill "$server"
  check "osmtest: an inventory of the SA" says 'PASS' osmtest -g "$(port_guid 2)" -f c -i "$run/osmtest.dat"
  check "osmtest: validation" says 'PASS' osmtest -g "$(port_guid 2)" -f v -i "$run/osmtest.dat"
}
rmpp() {
  local n=$(($(switches) + adapters))
  stop_sm a
  settings="kernel_rmpp = true" start_sm a 0 -p 5
  check "the subnet is up with the RMPP of the kernel" await_up a
  check "PathRecords" counts $((n * n)) 'PathRecord dump' saquery -C vhca2 -t 10000 -p
  check "PortInfoRecords" says 'PortInfoRecord dump' saquery -C vhca2 PIR
  check "SL2VL records" says 'SL2VL' saquery -C vhca2 SL2VL
  stop_sm a
}
restart() {
  local before
  before=$(events 17)
  set_mark a
  stop_sm a -KILL
  start_sm a 0 -p 5
  check "the subnet is up after kill -9" await_up a
  check "the kernel has ClientReregister events" await 20 test "$(events 17)" -gt "$before"
  check "hosts are members again" await 20 says '0xff12401bffff' smctl a mcast
  check "hosts reach each other" pings 2 3
  check "no defect" not says 'defects' smctl a status
}
cable() {
  local seconds
  for seconds in 2 5 11; do
    set_mark a
    fab unlink v0 1
    sleep "$seconds"
    fab relink v0 1
    check "cable of the SM out for $seconds s: ACTIVE again" await 20 is_active 0
    check "routing was not refused" not logged a TSM-5004
  done
  check "the condition has ended" await 10 no_condition TSM-2012
  check "hosts reach each other" pings 0 3
}
no_condition() { ! smctl a conditions | grep "$1"; }
remove() {
  set_mark a
  fab unlink v0 1
  sleep 2
  fab del 0
  fab relink v0 1
  sleep 3
  fab add 0
  check "the port is opened again" await 40 logged a TSM-2009
  check "it is ACTIVE" await 30 is_active 0
  check "IsSM is set again" await 10 is_sm 0
  check "the condition has ended" await 10 no_condition TSM-2012
  check "the event does not describe the port as it was when it was opened" not logged a 'TSM-2008.*LID 0'
}
module() {
  local i
  set_mark a
  for ((i = 0; i < adapters; i++)); do ip netns del "n$i" 2>/dev/null; done
  sleep 1
  stop_fabric
  rmmod ib_ipoib
  check "the module can be removed while torus-sm runs" rmmod vhca
  check "torus-sm reports it" await 20 logged a TSM-2008
  start_fabric
  check "the port is opened again" await 60 logged a TSM-2009
  check "all ports are ACTIVE" await 60 all_active
  start_all_ipoib
  check "hosts reach each other" pings 2 3
}
pkey() {
  local i device
  mkdir -p /etc/torus-sm
  printf 'Default=0x7fff, ipoib: ALL=full;\npart1=0x8001, ipoib: %s=full, %s=full;\n' "$(port_guid 1)" "$(port_guid 2)" \
    >/etc/torus-sm/partitions.conf
  smctl a reroute --wait
  check "the kernel has the P_Key" await 10 has_pkey 1 0x8001
  check "other hosts do not" not has_pkey 3 0x8001
  for i in 1 2; do
    device=$(ip -n "n$i" -br link | awk '/^ib/ { print $1; exit }')
    ip -n "n$i" link add link "${device%@*}" name part type ipoib pkey 0x8001 mode datagram
    ip -n "n$i" addr add "10.1.0.$i/24" dev part
    ip -n "n$i" link set part up
  done
  check "hosts of the partition reach each other" await 20 ip netns exec n1 ping -c 1 -W 1 10.1.0.2
  rm /etc/torus-sm/partitions.conf
  printf 'Default=0x7fff, ipoib: ALL=full;\npart1=0x8001, ipoib: %s=full;\n' "$(port_guid 1)" >/etc/torus-sm/partitions.conf
  smctl a reroute --wait
  check "the P_Key is removed" await 10 not has_pkey 2 0x8001
  check "and its packets are dropped" not ip netns exec n1 ping -c 1 -W 1 10.1.0.2
  check "all others reach each other" pings 1 2
  for i in 1 2; do ip -n "n$i" link del part; done
  rm /etc/torus-sm/partitions.conf
  smctl a reroute --wait
}
has_pkey() { grep -qx "$2" "/sys/class/infiniband/vhca$1/ports/1/pkeys/"*; } # ADAPTER P_KEY
loss() {
  local percent
  for percent in 5 10 15; do # in each direction: 10, 19 and 28 % of the tries
    fab loss "$percent"
    check "$percent % of MADs lost in each direction: a heavy sweep ends" says 'up' timeout 150 torus-smctl --socket "$run/a.sock" sweep heavy --wait
    fab loss 0
  done
  smctl a status | grep -E 'sent|retried' || true
  check "all ports are ACTIVE afterwards" await 40 all_active
  check "hosts reach each other" pings 2 3
}
opensm_pair() {
  opensm -g "$(port_guid 1)" -p 15 -f "$run/opensm.log" >"$run/opensm.out" 2>&1 &
  opensm=$!
  check "OpenSM with a higher priority becomes master" await 40 is_master 1
  sleep 3
  check "hosts reach each other" pings 2 3
  kill -KILL "$opensm"
  check "torus-sm is master again" await 30 is_master 0
  check "hosts reach each other" pings 2 3
  opensm -g "$(port_guid 1)" -p 1 -f "$run/opensm.log" >"$run/opensm.out" 2>&1 &
  opensm=$!
  sleep 8
  check "OpenSM with a lower priority is standby" is_master 0
  kill -KILL "$opensm"
}
keys() {
  # Refused while the SM counts the OpenSM that was killed last: for three light sweeps.
  check "keys are made" await 60 smctl a keys new
  sleep 3
  check "a host protects its M_Key" says 'ProtectBits:\.*[1-3]' smpquery -C vhca2 portinfo "$(lid 2)"
  fab unlink v2 1
  sleep 1
  fab relink v2 1
  check "a host with a key becomes ACTIVE again" await 25 is_active 2
  stop_sm a -KILL
  start_sm a 0 -p 5
  check "the subnet is up with the keys of the state directory" await_up a
  check "all ports are ACTIVE" await 15 all_active
  check "keys are removed" smctl a keys remove
  sleep 3
}
lmc() {
  local i base before
  before=$(events 11)
  stop_sm a
  start_sm a 0 -p 5 -l 2
  check "the subnet is up" await_up a
  check "the kernel has LMC 2" await 10 grep -qx 2 /sys/class/infiniband/vhca1/ports/1/lid_mask_count
  check "LIDs are aligned" [ $(($(lid 1) % 4)) -eq 0 ]
  base=$(lid 0)
  for i in 0 1 2 3; do check "the SM responds at LID $((base + i))" sminfo -C vhca2 $((base + i)); done
  check "hosts reach each other" pings 1 2
  stop_sm a
  rm -rf "$run/a.state"
  start_sm a 0 -p 5
  check "the subnet is up without LMC" await_up a
  check "the kernel has LID events" await 10 test "$(events 11)" -gt "$before"
}
second() {
  check "a second torus-sm on the port ends and names the first" says 'another subnet manager runs on this port .*pid' \
    timeout 100 torus-sm -F /dev/null -g "$(port_guid 0)" --once --state-dir "$run/x.state" --control-socket "$run/x.sock" --http-listen none -f stdout
  check "OpenSM does not start there" says 'another instance' timeout 20 opensm -g "$(port_guid 0)" -o -f "$run/opensm.log"
}
roce() {
  modprobe dummy
  ip link add dummy0 type dummy
  ip link set dummy0 up
  stop_sm a
  check "a RoCE adapter is there" rdma link add rxe0 type rxe netdev dummy0
  start_sm a any -p 5
  check "the InfiniBand port is chosen" await_up a
  check "and is that of the first adapter" await 10 is_master 0
  stop_sm a
  rdma link del rxe0
  ip link del dummy0
  rmmod rdma_rxe
}
waiting() {
  stop_sm a
  rmmod ib_umad
  start_sm a 0 -p 5
  check "without a MAD device torus-sm waits" await 60 logged a 'TSM-2010|TSM-2011'
  check "the console says so" await 10 says 'waiting for a port' smctl a status
  check "the module is loaded again" modprobe ib_umad
  udevadm settle
  check "it takes the port that appears" await_up a
  check "the console has the subnet" await 10 says '^state: routed' smctl a status
}
user() {
  stop_sm a
  id torus-sm >/dev/null 2>&1 || useradd --system --no-create-home --gid rdma torus-sm
  cp /lab/dist/udev/*.rules /etc/udev/rules.d/
  udevadm control --reload
  udevadm trigger --subsystem-match=infiniband_mad --action=add
  udevadm settle
  install -d -o torus-sm "$run/user"
  torus_conf >"$run/torus.conf"
  setpriv --reuid=torus-sm --regid=rdma --init-groups torus-sm -F /dev/null -g "$(port_guid 0)" -R torus-2QoS \
    --torus_config "$run/torus.conf" -Q --once --state-dir "$run/user" --control-socket none --http-listen none -f stdout \
    >"$run/user.log" 2>&1
  check "a user without rights of root brings the subnet up" grep -q TSM-6001 "$run/user.log"
  rm /etc/udev/rules.d/*torus-sm*
}
stall() {
  local pid
  pid=$(cat "$run/a.pid")
  set_mark a
  smctl a sweep heavy
  sleep 0.3
  kill -STOP "$pid"
  sleep 6
  kill -CONT "$pid"
  check "the stall is reported" await 20 logged a TSM-3013
  check "the kernel refused no more than some requests" not says 'refused [0-9]{2}' smctl a status
  smctl a status | grep -E 'sent|retried' || true
  check "hosts reach each other" pings 2 3
}
tree() {
  stop_sm a
  local i
  for ((i = 0; i < adapters; i++)); do ip netns del "n$i" 2>/dev/null; done
  stop_fabric
  rmmod ib_ipoib vhca
  export fabric="tree 4 3" engine=ftree
  rm -rf "$run/a.state"
  start_fabric
  start_sm a 0 -p 5
  check "a tree is up" await_up a
  check "all ports are ACTIVE" await 30 all_active
  start_all_ipoib
  for i in 1 2 3; do check "vhca0 reaches vhca$i" pings 0 "$i"; done
  fab off s4
  check "hosts reach each other without a spine" pings 0 3
  for ((i = 0; i < adapters; i++)); do ip netns del "n$i" 2>/dev/null; done
  stop_sm a
  stop_fabric
  rmmod ib_ipoib vhca
  rm -rf "$run/fabric.pid" "$run/a.state"
}
# shellcheck disable=SC2154 # steps: of the environment
calls() {
  # the JVM would take processor time from the sequences of calls, which depend on real time
  stop_sm a
  opensm -g "$(port_guid 0)" -f "$run/opensm.log" >"$run/opensm.out" 2>&1 &
  opensm=$!
  await 60 is_master 0
  check "$steps calls of the MAD device" timeout 1500 /lab/umad-calls "$(date +%s)" "$steps" 1 "$(lid 2)"
  cp "$run/check.out" /lab/calls
  kill "$opensm"
  tail -n 1 /lab/calls
}
# The package of Debian under the systemd of the guest. A device node that appears after the start is the case of DeviceAllow=char-231.
unit() {
  local pid
  stop_sm a
  check "the package can be installed" dpkg -i /lab/torus-sm.deb
  torus_conf >/etc/torus-sm/torus-2QoS.conf
  printf 'guid = %s\nrouting_engine = torus-2QoS\ntorus_config = /etc/torus-sm/torus-2QoS.conf\nqos = TRUE\n' "$(port_guid 0)" \
    >>/etc/torus-sm/torus-sm.conf
  rmmod ib_umad
  systemctl start --no-block torus-sm
  check "without a MAD device the unit waits" await 60 journal 'TSM-2010|TSM-2011'
  check "the module is loaded" modprobe ib_umad
  check "the unit opens the device that appears, and is master" await 120 says 'StatusText=.*MASTER' systemctl show -p StatusText torus-sm
  check "its user is not root" [ "$(stat -c %U "/proc/$(unit_pid)")" = torus-sm ]
  check "IsSM is set" is_sm 0
  check "all ports are ACTIVE" await 30 all_active
  check "hosts reach each other" pings 2 3
  pid=$(unit_pid)
  kill -KILL "$pid"
  check "the kernel clears IsSM of the killed SM" await 5 not is_sm 0
  check "systemd starts it again" await 120 is_another "$pid"
  check "the subnet is up" await 60 is_sm 0
  check "hosts reach each other" pings 2 3
  check "each line of the journal has a code" not grep -vE 'TSM-[0-9]{4}' <(journalctl -q -o cat -u torus-sm _EXE="$(readlink -f "/proc/$(unit_pid)/exe")")
  check "it stops" systemctl stop torus-sm
  check "IsSM is cleared" not is_sm 0
  check "the package can be removed" dpkg -P torus-sm
}
unit_pid() { systemctl show --value -p MainPID torus-sm; }
is_another() { [ "$(unit_pid)" != "$1" ] && systemctl -q is-active torus-sm; } # PID
journal() { journalctl -q -u torus-sm | grep -E "$1"; }
# The clock of the host is set, runs 10 % slow and 10 % fast, and the processors are busy.
clock() {
  local tick step before i busy=()
  start_sm b 1 -p 3
  check "the second SM is standby" await 120 grep -q STANDBY "$run/b.log"
  sleep 3
  set_mark a
  before=$(wc -l <"$run/b.log")
  for step in +3600 -7200 +3600; do
    date -s "@$(($(date +%s) + step))" >/dev/null
    check "clock set by $step s: a heavy sweep ends" says 'up' smctl a sweep heavy --wait
    check "and all ports are ACTIVE" all_active
  done
  for tick in 9000 11000; do
    busybox adjtimex -q -t $tick >/dev/null
    sleep 12
    check "a second of $tick ticks of 0.1 ms: a heavy sweep ends" says 'up' smctl a sweep heavy --wait
  done
  busybox adjtimex -q -t 10000 >/dev/null
  for i in 1 2 3 4; do
    while :; do :; done &
    busy+=($!)
  done
  check "four busy loops: a heavy sweep ends" says 'up' smctl a sweep heavy --wait
  sleep 10
  kill "${busy[@]}"
  check "the master stays master" is_master 0
  check "the standby did not take over" not grep -E -- '-> (DISCOVERING|MASTER)' <(tail -n +$((before + 1)) "$run/b.log")
  check "no lost device is reported" not logged a 'TSM-401[024]'
  check "hosts reach each other" pings 2 3
  stop_sm b
}
# shellcheck source=packaging/kernel-lab/rate.sh
. /lab/rate.sh

scenario=$1
[ "$scenario" != opensm ] || scenario=opensm_pair
if ! from_the_start; then
  echo "  FAIL the SM does not come up"
  tail -n 8 "$run/a.log" "$run/a.out"
  exit 1
fi
$scenario
if dmesg | grep -E 'BUG|Oops|WARNING'; then failures=$((failures + 1)); fi
echo "$checks checks, $failures failed"
[ "$failures" -eq 0 ]
