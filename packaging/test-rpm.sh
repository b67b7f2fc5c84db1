#!/bin/bash
# Installs the RPM in a clean root with dnf, routes a fabric with it as the user of the unit, upgrades and erases it; then the same with
# zypper. The root is a Debian 12 of debootstrap, because EL and SLES are not available: rpm runs the scriptlets in it, and empty packages
# (packaging/stand-ins.sh) satisfy the requirements. Prints a transcript and ends with "all is well". Needs root and the output of
# "mvn package". A few minutes.
# usage: packaging/test-rpm.sh [ROOT]   ROOT: an existing root of debootstrap with Java 17 and libibumad3, which is copied
set -eu
here=$(dirname "$(readlink -f "$0")")
. "$here/prerequisites.sh"
[ "$(id -u)" -eq 0 ] || { echo "${0##*/}: needs root" >&2 && exit 2; }
work=$(mktemp -d)
root=$work/root
. "$here/debian-root.sh"
. "$here/stand-ins.sh"
clean_up() {
  end_children
  rm -rf --one-file-system "$work"
}
trap clean_up EXIT
# shellcheck disable=SC2086,SC2154 # a list of words, of prerequisites.sh
require_packages $rpm_packages debootstrap

if [ $# -gt 0 ]; then
  cp -a "$1" "$work/clean"
else
  make_debian_root
  within apt-get update -q >"$work/apt.log" 2>&1
  within apt-get install -y -q --no-install-recommends openjdk-17-jre-headless libibumad3 >>"$work/apt.log" 2>&1 || fail "$(tail "$work/apt.log")"
  mv "$root" "$work/clean"
fi
version=$("$here/version.sh")
mkdir "$work/first" "$work/second"
"$here/rpm.sh" "$version" "$work/first" >/dev/null
"$here/rpm.sh" "$version+1" "$work/second" >/dev/null

show() { # COMMAND...: within, as a transcript
  echo "# $*"
  within "$@" 2>&1
}
archived() { [ -n "$(find "$root/usr/lib/torus-sm" -name 'java-*.jsa' -size +1M)" ] && [ -s "$root/usr/lib/torus-sm/libjffi-1.2.so" ]; }
# The java launcher needs /proc to find its own directory, also in scriptlets.
with_proc() { unshare --mount-proc="$root/proc" bash -euc '. "$0"; manager "$@"' "$here/stand-ins.sh" "$@"; }
use() { # PACKAGES: makes them the repository of the manager
  rm -rf "$work/packages"
  mkdir "$work/packages"
  cp "$@" "$work/packages"
  createrepo_c --quiet "$work/packages"
  rm -rf "$work/cache"
}
manage() { # MANAGER COMMAND PACKAGE
  echo "# $*"
  with_proc "$1" "$root" "$work/packages" "$work/cache" "$2" "$3" >"$work/said" 2>&1 || fail "$(cat "$work/said")"
  grep -E '^ *torus-sm|is installed and not started|systemctl enable|warning:|\.rpmsave|\.rpmnew' "$work/said" || true
}

while read -r system manager java umad shadow; do
  echo "== $manager, as on $system"
  rm -rf "$root"
  cp -a "$work/clean" "$root"
  stand_ins "$work/$system" "$java" "$umad" "$shadow"
  # Without a JVM that fits there is no installation.
  use "$work/first"/torus-sm-*.rpm "$work/$system"/*.rpm
  rm "$work/packages/$java"-openjdk-*.rpm
  createrepo_c --quiet "$work/packages"
  if manager "$manager" "$root" "$work/packages" "$work/cache" install torus-sm >"$work/said" 2>&1; then fail "it is installed without Java"; fi
  grep -o 'nothing provides ([^)]*)' "$work/said" | head -n 1

  use "$work/first"/torus-sm-*.rpm "$work/$system"/*.rpm
  mkdir -p "$root/etc/rdma"
  touch "$root/etc/rdma/opensm.conf"
  manage "$manager" install torus-sm
  grep -q 'migrate-conf /etc/rdma/opensm.conf' "$work/said" || fail "the first steps do not name the file of OpenSM: $(cat "$work/said")"
  show id torus-sm
  show torus-sm --version
  archived || fail "the installation made no archive: $(ls "$root/usr/lib/torus-sm")"
  show stat -c '%U:%G %a %n' /var/lib/torus-sm /var/log/torus-sm /etc/torus-sm/torus-sm.conf
  [ -z "$(find "$root/etc/systemd" -name '*torus*')" ] || fail "the installation enabled a unit"
  show torus-sm --check-config
  show setpriv --reuid torus-sm --regid rdma --init-groups torus-sm --once -F /etc/torus-sm/torus-sm.conf \
    --simulate torus:6x5x1,hosts=1 --state-dir /var/lib/torus-sm | grep 'SUBNET UP' || fail "no subnet"
  grep -v '^#' "$root/var/lib/torus-sm/guid2lid" >"$work/lids"

  echo 'sm_priority = 3' >>"$root/etc/torus-sm/torus-sm.conf"
  use "$work/second"/torus-sm-*.rpm "$work/$system"/*.rpm
  manage "$manager" update torus-sm
  rpm --root "$root" -q torus-sm
  archived || fail "the upgrade made no archive: $(ls "$root/usr/lib/torus-sm")"
  grep -q '^sm_priority = 3' "$root/etc/torus-sm/torus-sm.conf" || fail "the upgrade took what was written to torus-sm.conf"
  grep -v '^#' "$root/var/lib/torus-sm/guid2lid" | cmp - "$work/lids" || fail "the upgrade changed a LID"
  show torus-sm --check-config
  rpm --root "$root" -V torus-sm | grep -v '^S.5....T.  c /etc/torus-sm/torus-sm.conf$' && fail "files differ from those of the package"

  manage "$manager" remove torus-sm
  show find /var/lib/torus-sm /etc/torus-sm -type f
  grep -v '^#' "$root/var/lib/torus-sm/guid2lid" | cmp - "$work/lids" || fail "erasing took the LIDs"
  [ -s "$root/etc/torus-sm/torus-sm.conf.rpmsave" ] || fail "erasing took the configuration"
  left=$(find "$root/usr" "$root/etc/logrotate.d" -name '*torus*')
  [ -z "$left" ] || fail "erasing left: $left"
done <<'SYSTEMS'
EL9     dnf     java-17  libibumad   shadow-utils
SLES15  zypper  java-17  libibumad3  shadow
SYSTEMS
echo "all is well: state and configuration are what is left"
