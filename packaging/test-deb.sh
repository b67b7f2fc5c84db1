#!/bin/bash
# Installs the package in a clean Debian 12, starts the daemon by its unit's command line on ibsim, drives it with
# torus-smctl, upgrades, removes and purges it. Prints a transcript and ends with "all is well". Needs root and the output
# of "mvn package". A few minutes.
# usage: packaging/test-deb.sh [ROOT]   ROOT: an existing root of debootstrap, which is copied
set -eu
here=$(dirname "$(readlink -f "$0")")
. "$here/prerequisites.sh"
work=$(mktemp -d)
root=$work/root
. "$here/debian-root.sh"
clean_up() {
  end_children
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT
show() { # COMMAND...: within, as a transcript
  echo "# $*"
  within "$@" 2>&1
}

if [ $# -gt 0 ]; then
  cp -a "$1" "$root"
else
  require_packages debootstrap
  make_debian_root
fi
version=$("$here/version.sh")
for number in "$version" "$version+1"; do
  cp "$here/../$("$here/deb.sh" "$number")" "$root/root/"
done
within apt-get update -q >"$work/apt.log" 2>&1
within apt-get install -y -q --no-install-recommends ibsim-utils libumad2sim0 infiniband-diags >>"$work/apt.log" 2>&1 ||
  fail "$(tail "$work/apt.log")"

echo "# apt-get install ./torus-sm_${version}_all.deb"
within apt-get install -y -q --no-install-recommends "/root/torus-sm_${version}_all.deb" >"$work/apt.log" 2>&1 ||
  fail "$(tail "$work/apt.log")"
sed -n '/^Setting up torus-sm /,/systemctl enable/p' "$work/apt.log"
show id torus-sm
show torus-sm --version

# The archive of classes is made at installation, and again when a JVM is installed or removed. Without it, or with the archive of another
# JVM, the program works.
archived() { # checks whether there is an archive of classes, and the library of jffi beside it
  [ -n "$(find "$root/usr/lib/torus-sm" -name 'java-*.jsa' -size +1M)" ] && [ -s "$root/usr/lib/torus-sm/libjffi-1.2.so" ]
}
archived || fail "the installation made no archive: $(ls "$root/usr/lib/torus-sm")"
rm "$root"/usr/lib/torus-sm/*
printf 'not an archive' >"$root/usr/lib/torus-sm/java-0.jsa"
show torus-sm --version
mkdir -p "$work/jvm/DEBIAN" "$work/jvm/usr/lib/jvm/other"
printf 'Package: other-jvm\nVersion: 1\nArchitecture: all\nMaintainer: nobody <nobody@invalid>\nDescription: another JVM\n' >"$work/jvm/DEBIAN/control"
touch "$work/jvm/usr/lib/jvm/other/release"
dpkg-deb --root-owner-group --build "$work/jvm" "$root/root/other-jvm.deb" >/dev/null
show dpkg -i /root/other-jvm.deb | grep -i 'trigger'
archived || fail "the trigger made no archive: $(ls "$root/usr/lib/torus-sm")"
[ ! -e "$root/usr/lib/torus-sm/java-0.jsa" ] || fail "the archive of another JVM is still there"
show torus-sm --check-config

# As installed, on any fabric.
for fabric in torus:6x5x1,hosts=1 tree:4,2 hypercube:3,hosts=1; do
  show torus-sm --once --config /etc/torus-sm/torus-sm.conf --simulate "$fabric" --state-dir /root/installed | grep 'SUBNET UP' ||
    fail "no subnet on $fabric without a file"
done
rm -r "$root/root/installed"

# A torus for ibsim, and the configuration for it.
within torus-sm --once -F /dev/null -Q --simulate torus:6x5x1,hosts=1 --state-dir /root/s --dump-dir /root/d >/dev/null
cat >"$root/etc/torus-sm/torus-2QoS.conf" <<'CONF'
torus 6 5 1
xp_link 0x200000 0x200050
yp_link 0x200000 0x200010
CONF
cat >>"$root/etc/torus-sm/torus-sm.conf" <<'CONF'
routing_engine = "torus-2QoS"
torus_config = "/etc/torus-sm/torus-2QoS.conf"
qos = true
CONF
show torus-sm --check-config
export IBSIM_SOCKNAME="test-deb-$$"
mkfifo "$work/console"
sleep infinity >"$work/console" &
exec_within env IBSIM_SOCKNAME="$IBSIM_SOCKNAME" ibsim -s -N 200 -S 100 -P 2000 /root/d/fabric.topo <"$work/console" >"$work/ibsim.out" 2>&1 &
until grep -q 'simulator ready' "$work/ibsim.out"; do sleep 0.1; done

perl -MSocket -e '
$| = 1;
socket(S, PF_UNIX, SOCK_DGRAM, 0) && bind(S, sockaddr_un($ARGV[0])) && chmod(0777, $ARGV[0]) or die "$ARGV[0]: $!";
while (defined recv(S, my $message, 65536, 0)) {
  print $message =~ s/\n/  /gr, "\n";
}' "$root/run/notify" >"$work/notify.log" &
until [ -S "$root/run/notify" ]; do kill -0 $! || fail "the listener for the service ended"; sleep 0.1; done

# In place of systemd: user, group, directories, environment and command line of the unit.
unit=$root/lib/systemd/system/torus-sm.service
of_unit() { sed -n "s/^$1=//p" "$unit"; }
start() { # LOG
  within install -d -o torus-sm -g rdma -m 0750 /run/torus-sm
  : >"$work/notify.log"
  # shellcheck disable=SC2016,SC2046 # the words of the command line
  exec_within setpriv --reuid "$(of_unit User)" --regid "$(of_unit Group)" --init-groups --no-new-privs \
    env --default-signal=HUP IBSIM_SOCKNAME="$IBSIM_SOCKNAME" SIM_HOST=host-0-0-0-0 NOTIFY_SOCKET=/run/notify WATCHDOG_USEC=3000000 \
    CACHE_DIRECTORY=/var/cache/torus-sm $(of_unit Environment) \
    sh -c 'cd /run/torus-sm && exec ibsim-run "$@"' sh $(of_unit ExecStart) >"$1" 2>&1 &
  daemon=$!
  for _ in $(seq 600); do
    grep -q READY=1 "$work/notify.log" && break
    kill -0 "$daemon" 2>/dev/null || fail "it ended: $(cat "$1")"
    sleep 0.1
  done
  cat "$work/notify.log"
}
stop() {
  kill -TERM "$daemon"
  wait "$daemon" || fail "it ended with $?"
  tail -n 1 "$work/notify.log"
}
echo "# $(of_unit ExecStart)   # as user $(of_unit User), on ibsim; what it tells systemd:"
start "$work/sm.log"
grep 'SUBNET UP' "$work/sm.log"
show torus-smctl status | head -n 12
show torus-smctl sweep heavy
show torus-smctl path host-1-1-0-0 host-4-3-0-0
show env IBSIM_SOCKNAME="$IBSIM_SOCKNAME" SIM_HOST=host-5-4-0-0 ibsim-run sminfo
echo "# kill -HUP: what it tells systemd:"
kill -HUP "$daemon"
for _ in $(seq 100); do grep -q RELOADING "$work/notify.log" && break; sleep 0.1; done
grep -A 1 RELOADING "$work/notify.log"
echo "# kill -TERM: what it tells systemd:"
stop
show ls -l /var/lib/torus-sm
grep -v '^#' "$root/var/lib/torus-sm/guid2lid" >"$work/lids"

echo "# apt-get install ./torus-sm_$version+1_all.deb"
within apt-get install -y -q "/root/torus-sm_$version+1_all.deb" >"$work/apt.log" 2>&1 || fail "$(tail "$work/apt.log")"
grep 'Setting up torus-sm' "$work/apt.log"
grep -v '^#' "$root/var/lib/torus-sm/guid2lid" | cmp - "$work/lids"
start "$work/sm2.log" >/dev/null
grep 'SUBNET UP' "$work/sm2.log"
stop >/dev/null
grep -v '^#' "$root/var/lib/torus-sm/guid2lid" | cmp - "$work/lids"
echo "the LIDs are the same"

show apt-get remove -y -q torus-sm | grep -i 'remov'
for file in var/lib/torus-sm/guid2lid etc/torus-sm/torus-2QoS.conf; do
  [ -s "$root/$file" ] || fail "removal took $file"
done
show ls /var/lib/torus-sm /etc/torus-sm
show apt-get purge -y -q torus-sm | grep -i 'purg'
# A JVM leaves a directory in /tmp; under systemd the service has a private /tmp (PrivateTmp).
left=$(find "$root" -xdev -name '*torus-sm*' ! -path "$root/root/*" ! -path "$root/proc/*" ! -path "$root/tmp/*")
[ -z "$left" ] || fail "purging left: $left"
if within getent passwd torus-sm; then fail "purging left the user"; fi
echo "all is well: nothing is left"
