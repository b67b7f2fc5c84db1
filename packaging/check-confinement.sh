#!/bin/bash
# Links the SELinux module into Debian's policy, queries the permissions of torus_sm_t in the result, and parses the AppArmor profile.
# Loads no policy, so it cannot find a permission that the running program lacks. Half a minute.
set -eu -o pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. packaging/prerequisites.sh
# shellcheck disable=SC2086,SC2154 # a list of words
require_packages $confinement_packages
fail() {
  echo "${0##*/}: $*" >&2
  exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

mkdir -p "$work/var/lib/selinux" "$work/etc"
cp -a /var/lib/selinux/default "$work/var/lib/selinux/"
cp -a /etc/selinux "$work/etc/"
echo 'expand-check = 1' >>"$work/etc/selinux/semanage.conf" # neverallow rules of the policy
semodule -p "$work" -s default -n -i packaging/confinement/torus_sm.cil 2>"$work/said" || fail "$(cat "$work/said")"
policy=$(echo "$work"/etc/selinux/default/policy/policy.*)

must() { # WHAT OPTION_OF_SESEARCH...
  [ -n "$(sesearch "${@:2}" "$policy")" ] || fail "SELinux: $1: not so"
  echo "SELinux: $1"
}
must_not() {
  [ -z "$(sesearch "${@:2}" "$policy")" ] || fail "SELinux: $1: not so: $(sesearch "${@:2}" "$policy")"
  echo "SELinux: $1"
}
must "systemd starts it in torus_sm_t" -T -s init_t -t torus_sm_exec_t -c process
must "in spite of NoNewPrivileges" -A -s init_t -t torus_sm_t -c process2 -p nnp_transition
must "it opens umad and issm" -A -s torus_sm_t -t infiniband_device_t -c chr_file -p ioctl
must "the JIT compiler writes code" -A -s torus_sm_t -t torus_sm_t -c process -p execmem
must "it writes state" -A -s torus_sm_t -t torus_sm_var_lib_t -c file -p create
must "it makes the socket of the console" -A -s torus_sm_t -t torus_sm_run_t -c sock_file -p create
must "it listens on its port" -A -s torus_sm_t -t torus_sm_port_t -c tcp_socket -p name_bind
must "it feeds the watchdog" -A -s torus_sm_t -t init_runtime_t -c sock_file -p write
must_not "it does not write its configuration" -A -s torus_sm_t -t torus_sm_etc_t -p write
must_not "it does not change its program" -A -s torus_sm_t -t usr_t -c file -p write
must_not "state is not executed" -A -s torus_sm_t -t torus_sm_var_lib_t -c file -p execute
must_not "it reads no password" -A -s torus_sm_t -t shadow_t -c file
must_not "it has no capability" -A -s torus_sm_t -t torus_sm_t -c capability
must_not "it starts no process elsewhere" -T -s torus_sm_t -c process
seinfo --portcon 9335 "$policy" | grep -q 'tcp 9335 .*torus_sm_port_t' || fail "port 9335 has no label"
for file in /etc/torus-sm/torus-sm.conf:etc /var/lib/torus-sm/guid2lid:var_lib /var/lib/torus-sm-0x0002c903000e0b73/guid2lid:var_lib \
  /run/torus-sm/control.sock:run /var/log/torus-sm/torus-sm.log:log /usr/share/torus-sm/bin/torus-sm:exec; do
  matchpathcon -n -f "$work/etc/selinux/default/contexts/files/file_contexts" "${file%:*}" | grep -q ":torus_sm_${file#*:}_t:" ||
    fail "${file%:*} has no label"
done
echo "SELinux: its files have labels"

apparmor_parser --skip-kernel-load --skip-cache packaging/confinement/torus-sm.apparmor 2>"$work/said" || fail "$(cat "$work/said")"
# Each path of the unit has a rule.
for path in /etc/torus-sm /var/lib/torus-sm /var/cache/torus-sm /var/log/torus-sm 'run}/torus-sm' /dev/infiniband/umad /dev/infiniband/issm; do
  grep -qF "$path" packaging/confinement/torus-sm.apparmor || fail "AppArmor: no rule for $path"
done
echo "AppArmor: the profile is parsed"
