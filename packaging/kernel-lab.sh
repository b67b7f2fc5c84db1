#!/bin/bash
# torus-sm on the MAD stack of a real Linux kernel, without an adapter. Boots Debian's kernel in QEMU with virtual InfiniBand adapters
# (kernel-lab/vhca.c) on a simulated fabric (kernel-lab/vfab.c). IPoIB packets cross the tables that torus-sm writes.
# A line for each scenario. Exit code 0 if all passed, 1 if one failed, 77 if there is no kernel image or no QEMU.
# usage: packaging/kernel-lab.sh [--reduced | --again | SCENARIO...]
#   --reduced: up ipoib failover. --again: all, including those that passed with these sources before. Without: all others.
# Environment: KERNEL_LAB=DIRECTORY (else /var/tmp/torus-sm-kernel-lab), TORUS_SM=what mvn package assembled, ACCEL=tcg|kvm,
# KERNEL=6.1.0-57-amd64, LIMIT=seconds of a scenario, STEPS=calls of "calls", PATIENCE=factor of all times. docs/operator/lab.md describes the parts.
set -eu
here=$(dirname "$(readlink -f "$0")")
lab=$here/kernel-lab
work=${KERNEL_LAB:-/var/tmp/torus-sm-kernel-lab}
dist=${TORUS_SM:-$here/../daemon/target/torus-sm}
reduced="up ipoib failover"
all="$reduced tools rmpp restart cable remove module pkey loss opensm keys lmc second roce waiting user unit stall clock tree calls rate"

unavailable() {
  echo "${0##*/}: $*" >&2
  exit 77
}
# shellcheck source=packaging/prerequisites.sh
. "$here/prerequisites.sh"
# shellcheck source=packaging/kernel-lab/image.sh
. "$lab/image.sh"
[ "$(id -u)" -eq 0 ] || unavailable "needs root"
[ -x "$dist/bin/torus-sm" ] || fail "no $dist; run mvn package"
(require_packages debootstrap qemu-system-x86 e2fsprogs) || unavailable "no QEMU"
mkdir -p "$work/share/q" "$work/done"
exec 9>"$work/lock"
flock -n 9 || fail "another run uses $work"
make_disk

# ---- The guest

boot() { # ACCELERATOR SECONDS
  local try processor=max
  [ "$1" = tcg ] || processor=host,-arch-capabilities
  rm -rf "$work/share/q" "$work/share/dist"
  mkdir -p "$work/share/q"
  cp -rL "$dist" "$work/share/dist"
  cp "$lab/guest.sh" "$lab/scenarios.sh" "$lab/rate.sh" "$here/bench/routes.awk" "$work/share/"
  echo "${PATIENCE:-$([ "$1" = tcg ] && echo 2 || echo 1)}" >"$work/share/patience"
  qemu-system-x86_64 -accel "$1" -cpu "$processor" -smp 2 -m 3072 -display none -no-reboot -monitor none \
    -kernel "$(echo "$root"/boot/vmlinuz-*)" -initrd "$(echo "$root"/boot/initrd.img-*)" \
    -append "console=ttyS0 root=/dev/vda rw net.ifnames=0 panic=5 systemd.show_status=0" -serial "file:$work/console" \
    -drive "file=$work/disk,if=virtio,format=raw,snapshot=on" -nic none \
    -virtfs "local,path=$work/share,mount_tag=lab,security_model=none,id=lab" >"$work/qemu.log" 2>&1 9>&- &
  qemu=$!
  for ((try = 0; try < 5 * $2; try++)); do
    [ ! -e "$work/share/q/up" ] || return 0
    kill -0 "$qemu" 2>/dev/null || break
    sleep 0.2
  done
  kill -KILL "$qemu" 2>/dev/null || true
  wait "$qemu" 2>/dev/null || true
  return 1
}
power_off() {
  [ -n "${qemu:-}" ] || return 0
  touch "$work/share/q/off"
  for _ in {1..50}; do
    kill -0 "$qemu" 2>/dev/null || return 0
    sleep 0.2
  done
  kill -KILL "$qemu"
}
trap power_off EXIT
trap 'exit 1' INT TERM HUP

start_guest() {
  local each began=$SECONDS
  [[ " $wanted " != *" unit "* ]] || mv "$(TORUS_SM=$(readlink -f "$dist") "$here/deb.sh" "" "$work")" "$work/share/torus-sm.deb"
  for each in ${ACCEL:-kvm tcg}; do
    [ "$each" != kvm ] || [ -w /dev/kvm ] || continue
    # KVM within another virtual machine may boot no kernel at all
    if boot "$each" "$([ "$each" = kvm ] && echo 30 || echo 240)"; then
      echo "Debian $(cat "$root/etc/debian_version") with Linux $(kernel_version), ${each^^}: up after $((SECONDS - began)) s"
      return 0
    fi
  done
  fail "the guest does not boot: $(tail -n 3 "$work/console" "$work/qemu.log")"
}

within_guest() { # SECONDS COMMAND: its output is in $work/share/q/NUMBER.out
  number=$((${number:-0} + 1))
  local at=$work/share/q/$number end=$((SECONDS + $1))
  echo "$2" >"$at.new"
  mv "$at.new" "$at.sh"
  until [ -s "$at.rc" ]; do
    kill -0 "$qemu" 2>/dev/null || return 99
    [ "$SECONDS" -lt "$end" ] || return 98
    sleep 0.1
  done
  return "$(cat "$at.rc")"
}

run_scenario() { # NAME
  local began=$SECONDS code=0 out limit=${LIMIT:-900}
  [ "$1" != rate ] || limit=${LIMIT:-2400}
  within_guest "$limit" "steps=${STEPS:-10000} bash /lab/scenarios.sh $1" || code=$?
  out=$work/share/q/$number.out
  cp "$out" "$work/$1.out"
  case $code in
    0) echo "ok    $1: $(tail -n 1 "$out"), $((SECONDS - began)) s" ;;
    98) echo "FAIL  $1: no end within $limit s" ;;
    99) echo "FAIL  $1: the guest has died; $work/console" ;;
    *) echo "FAIL  $1: $(tail -n 1 "$out"), $((SECONDS - began)) s" ;;
  esac
  grep -E '^  FAIL|^       |^  .* us of an SMP' "$out" || true
  return $code
}

# ---- Scenarios that passed with the same program and the same lab are not repeated.

sources=$(cat "$lab"/* "$work/programs.done" "$dist"/lib/{daemon,mad-transport,sm-core}-*.jar | sha256sum | cut -c -16)
wanted=$*
case ${1:-} in
  --reduced) wanted=$reduced ;;
  --again) wanted=$all ;;
  "")
    wanted=
    for each in $all; do
      if [ "$(cat "$work/done/$each" 2>/dev/null)" = "$sources" ]; then echo "done  $each"; else wanted+=" $each"; fi
    done ;;
esac
for each in $wanted; do
  [[ " $all " = *" $each "* ]] || fail "no scenario $each; there are: $all"
done
[ -n "$wanted" ] || exit 0
start_guest
failed=0
for each in $wanted; do
  code=0
  run_scenario "$each" || code=$?
  if [ $code -eq 0 ]; then
    echo "$sources" >"$work/done/$each"
  else
    failed=$((failed + 1))
    rm -f "$work/done/$each"
  fi
  if [ $code -eq 98 ] || [ $code -eq 99 ]; then # the guest cannot be used any more
    kill -KILL "$qemu" 2>/dev/null || true
    wait "$qemu" 2>/dev/null || true
    start_guest
  fi
done
within_guest 30 'cp /run/lab/*.log /run/lab/*.old /run/lab/*.out /lab/ 2>/dev/null; dmesg >/lab/dmesg' || true
echo "$(wc -w <<<"$wanted") scenarios, $failed failed, $((SECONDS / 60)) min $((SECONDS % 60)) s; logs in $work"
[ "$failed" -eq 0 ]
