# Sourced by the maintainer scripts of the Debian package and the scriptlets of the RPM after the files are installed.
# shellcheck shell=sh

has_systemd() {
  [ -d /run/systemd/system ] && command -v systemctl >/dev/null
}

is_active() { # UNIT
  has_systemd && systemctl is-active --quiet "$1"
}

# Archives the classes of a start for the JVM of the unit. Without the archive the start is slower.
make_archive() {
  java_home=$(sed -n 's/^JAVA_HOME=//p' /etc/default/torus-sm 2>/dev/null | tail -n 1 | tr -d "\"'")
  JAVA_HOME=${java_home:-${JAVA_HOME:-}} /usr/share/torus-sm/bin/torus-archive >/dev/null 2>&1 ||
    echo 'torus-sm: no archive of classes was made, so that a start takes a second more; /usr/share/torus-sm/bin/torus-archive says why'
}

make_directories() {
  for directory in /var/lib/torus-sm /var/cache/torus-sm /var/log/torus-sm; do
    [ -d $directory ] || install -d -o torus-sm -g rdma -m 0750 $directory
  done
}

# systemd and udev read the installed units and device permissions.
reload_devices() {
  if command -v udevadm >/dev/null; then
    udevadm control --reload-rules 2>/dev/null || true
    udevadm trigger --subsystem-match=infiniband_mad 2>/dev/null || true
  fi
  if has_systemd; then
    systemctl daemon-reload || true
  fi
}

say_first_steps() {
  echo 'torus-sm is installed and not started. It needs no configuration: the routing engine is chosen by the shape of'
  echo "the fabric. To take over what OpenSM has: torus-sm migrate-conf $1. Then:"
  if is_active opensm.service || is_active 'opensm@*.service'; then
    echo '  systemctl disable --now opensm.service   # OpenSM runs here: one port takes one subnet manager only'
  fi
  echo '  systemctl enable --now torus-sm.service'
  echo '  torus-smctl keys new                     # optional: M_Key and SM_Key against unknown SMs, see protection.md'
}
