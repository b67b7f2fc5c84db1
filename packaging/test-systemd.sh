#!/bin/bash
# Tests the package under a real systemd: boots a Debian 12 in systemd-nspawn, installs the package, and tests the units on
# ibsim: no adapter, no link, start, reload, kill -9, a hang that the watchdog ends, rotation of the log, stop, and failover
# of a pair of template instances. Prints a line for each test and ends with "all is well". Needs root, a kernel that can
# boot systemd-nspawn, and the output of "mvn package". A few minutes, mostly downloads.
# usage: packaging/test-systemd.sh [ROOT]   ROOT: the directory of an earlier run with KEEP_ROOT=DIRECTORY, used unchanged
set -eu
here=$(dirname "$(readlink -f "$0")")
. "$here/prerequisites.sh"
[ "$(id -u)" -eq 0 ] || { echo "${0##*/}: needs root" >&2 && exit 2; }
work=$(mktemp -d)
root=${1:-${KEEP_ROOT:-$work/root}}
. "$here/debian-root.sh"
require_packages debootstrap systemd-container procps
clean_up() {
  [ -z "${nspawn:-}" ] || kill -TERM "$nspawn" 2>/dev/null || true
  end_children
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT
trap 'exit 1' INT TERM HUP

deb=$here/../$("$here/deb.sh")
if [ $# -eq 0 ]; then
  echo "making a Debian 12 ..."
  make_debian_root --include=systemd,systemd-sysv,dbus
  within sh -c 'apt-get update && apt-get install -y --no-install-recommends ibsim-utils libumad2sim0 infiniband-diags \
    logrotate procps openjdk-17-jre-headless' >"$work/apt.log" 2>&1 || fail "$(tail "$work/apt.log")"
fi
install -m 0644 "$deb" "$root/root/torus-sm.deb"

# systemd-nspawn boots also on a machine without a bus and a running systemd, such as a container of CI.
systemd-nspawn --quiet --directory="$root" --boot --machine="torus-sm-$$" --register=no --keep-unit --kill-signal=SIGRTMIN+3 \
  --console=pipe </dev/null >"$work/boot.log" 2>&1 &
nspawn=$!
inside() { nsenter --target "$leader" --all "$@"; }
await() { # WHAT SECONDS COMMAND...: until the command succeeds
  what=$1 limit=$((SECONDS + $2)) started=$EPOCHREALTIME
  shift 2
  until "$@" >/dev/null 2>&1; do
    if [ "$SECONDS" -ge "$limit" ]; then
      inside journalctl --no-pager -u 'torus-sm*' -n 40 >&2 || cat "$work/boot.log" >&2
      fail "$what: not within the time"
    fi
    sleep 0.1
  done
  awk -v w="$what" -v a="$started" -v b="$EPOCHREALTIME" 'BEGIN { printf "%s: %.1f s\n", w, b - a }'
}
has_leader() { leader=$(pgrep -P "$nspawn") && [ -n "$leader" ]; }
await "the machine starts" 30 has_leader
booted() { inside systemctl is-system-running | grep -Eq 'running|degraded'; }
await "systemd is up" 60 booted

of_unit() { inside systemctl show --value --property="$2" "$1"; }
is() { [ "$(of_unit "$1" "$2")" = "$3" ]; }
says() { of_unit "$1" StatusText | grep -Eqi -- "$2"; }
console() { echo "$*" | inside tee /run/ibsim >/dev/null; }

inside dpkg -i /root/torus-sm.deb >"$work/dpkg.log" 2>&1 || fail "$(cat "$work/dpkg.log")"
inside torus-sm --once -F /dev/null -Q --simulate torus:3x3x1,hosts=1 --state-dir /root/s --dump-dir /root/d >/dev/null
units=$root/etc/systemd/system
cat >"$units/ibsim.service" <<'UNIT'
[Service]
Environment=IBSIM_SOCKNAME=trial
ExecStartPre=/bin/sh -c 'rm -f /run/ibsim; mkfifo /run/ibsim'
ExecStart=/bin/sh -c 'exec ibsim -s -N 200 -S 100 -P 2000 /root/d/fabric.topo <>/run/ibsim'
UNIT
on_ibsim() { # UNIT HOST DIRECTORY: attaches a unit to the port of a host
  mkdir -p "$units/$1.d"
  cat >"$units/$1.d/ibsim.conf" <<UNIT
[Service]
WorkingDirectory=/run/$3
Environment=LD_PRELOAD=/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so IBSIM_SOCKNAME=trial SIM_HOST=$2
WatchdogSec=6
UNIT
}
rm -rf "$units/torus-sm"*
inside systemctl daemon-reload

echo "# no adapter"
inside systemctl start --no-block torus-sm
await "waits, and says for what" 30 says torus-sm 'wait'
is torus-sm ActiveState active || fail "no adapter: the unit is $(of_unit torus-sm ActiveState), which holds up the boot"
inside systemctl stop torus-sm

echo "# no link, then a link"
on_ibsim torus-sm.service host-0-0-0-0 torus-sm
inside systemctl daemon-reload
inside systemctl start ibsim
await "ibsim is up" 10 inside sh -c 'journalctl -u ibsim | grep -q "simulator ready"'
console 'Unlink "H-0000000100000000"[1]'
inside systemctl start --no-block torus-sm
await "the unit is ready" 30 is torus-sm ActiveState active
says torus-sm 'subnet up' && fail "no link: the status is $(of_unit torus-sm StatusText)"
console 'ReLink "H-0000000100000000"[1]'
await "the subnet is up" 60 says torus-sm 'subnet up'

echo "# reload"
before=$(of_unit torus-sm MainPID)
inside systemctl reload torus-sm
await "the unit is active" 10 is torus-sm ActiveState active
[ "$(of_unit torus-sm MainPID)" = "$before" ] || fail "reload ended the process"
inside journalctl -u torus-sm -o json | grep -q '"TSM-6001"' || fail "the journal has no field with the code of an event"
echo 'log_file = "/var/log/torus-sm/torus-sm.log"' >>"$root/etc/torus-sm/torus-sm.conf" # instead of the journal, from the next start on

lids() { inside grep -v '^#' /var/lib/torus-sm/guid2lid; }
lids >"$work/lids"
echo "# kill -9"
inside systemctl kill --kill-who=main --signal=KILL torus-sm
restarted() { [ "$(of_unit torus-sm NRestarts)" = "$1" ] && is torus-sm ActiveState active && says torus-sm 'subnet up'; }
await "systemd starts it again" 60 restarted 1
lids | cmp - "$work/lids" || fail "kill -9 changed a LID"

echo "# a hang"
inside systemctl kill --kill-who=main --signal=STOP torus-sm
await "the watchdog has it started again" 90 restarted 2
lids | cmp - "$work/lids" || fail "the hang changed a LID"

echo "# rotation of the log"
inside logrotate --force /etc/logrotate.d/torus-sm
inside torus-smctl sweep heavy >/dev/null
await "the new file is written to" 30 inside grep -q 'SUBNET UP' /var/log/torus-sm/torus-sm.log
inside test -s /var/log/torus-sm/torus-sm.log.1 || fail "the old log is gone"

echo "# stop"
started=$EPOCHREALTIME
inside systemctl stop torus-sm
is torus-sm Result success || fail "stop: $(of_unit torus-sm Result)"
awk -v a="$started" -v b="$EPOCHREALTIME" 'BEGIN { printf "it ends: %.1f s\n", b - a }'

echo "# a pair of template instances"
a=torus-sm@0x0000000100000001.service b=torus-sm@0x0000000100000101.service
on_ibsim "$a" host-0-0-0-0 torus-sm-0x0000000100000001
on_ibsim "$b" host-0-1-0-0 torus-sm-0x0000000100000101
inside systemctl daemon-reload
inside systemctl start "$a"
inside systemctl start "$b"
await "one is master" 30 says "$a" 'MASTER'
await "the other is standby" 30 says "$b" 'STANDBY'
inside systemctl stop "$a"
await "the second is master" 60 says "$b" 'MASTER'
await "its subnet is up" 30 says "$b" 'subnet up'
inside systemctl stop "$b"
echo "all is well"
