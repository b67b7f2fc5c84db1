# Sourced by ../kernel-lab.sh: builds the disk of the guest, the module and the fabric in $work from Debian packages only. Existing parts are
# kept; if the version of the kernel or the sources changed, they are built again.
# shellcheck shell=bash
: "${lab:?}" "${work:?}" "${here:?}"
root=$work/root
# shellcheck source=packaging/debian-root.sh
. "$here/debian-root.sh"

guest_packages="openjdk-17-jre-headless libibumad3 libibumad-dev libibmad5 infiniband-diags ibverbs-utils rdma-core rdmacm-utils opensm
 ibutils kmod iproute2 iputils-ping procps udev systemd-sysv adduser busybox ibsim-utils libumad2sim0 gcc libc6-dev make linux-perf
 linux-image-amd64 linux-headers-amd64"
modules="virtio_pci virtio_blk ext4"
load=$here/bench/smp-load.c

# The disk, once: Debian 12 with the newest kernel of its release, or with that of $KERNEL, such as 6.1.0-57-amd64.
make_disk_root() {
  [ ! -e "$work/root.done" ] || return 0
  echo "installing a guest in $root ..."
  rm -rf --one-file-system "$root"
  [ -z "${KERNEL:-}" ] || guest_packages=${guest_packages//-amd64/-$KERNEL}
  make_debian_root
  mkdir -p "$root/etc/initramfs-tools/conf.d"
  printf 'MODULES=list\nCOMPRESS=gzip\n' >"$root/etc/initramfs-tools/conf.d/lab"
  echo 'path-exclude=/usr/share/doc/*' >"$root/etc/dpkg/dpkg.cfg.d/lab"
  # shellcheck disable=SC2086 # a list of words
  within sh -c 'apt-get update && apt-get install -y --no-install-recommends initramfs-tools &&
    printf "%s\n" '"$modules"' >>/etc/initramfs-tools/modules && apt-get install -y --no-install-recommends "$@" &&
    apt-get clean' sh $guest_packages >"$work/apt.log" 2>&1 || unavailable "no guest from Debian's packages: $(tail -n 3 "$work/apt.log")"
  touch "$work/root.done"
}

# Module and programs, by the compiler of the guest for the kernel of the guest.
build_programs() {
  local sum
  sum=$(cat "$lab"/*.c "$lab"/*.h "$lab/Makefile" "$load" "$here/bench/bench.h" "$work/root.done" | sha256sum)
  [ "$sum" != "$(cat "$work/programs.done" 2>/dev/null)" ] || return 0
  rm -rf "$root/lab-build"
  mkdir "$root/lab-build"
  cp "$lab"/*.c "$lab"/*.h "$lab/Makefile" "$load" "$here/bench/bench.h" "$root/lab-build/"
  within make -s -C /lab-build KERNEL="$(kernel_version)" >"$work/make.log" 2>&1 || fail "$(cat "$work/make.log")"
  mkdir -p "$work/share"
  cp "$root"/lab-build/{vhca.ko,vfab,umad-calls,smp-load} "$work/share/"
  echo "$sum" >"$work/programs.done"
}

kernel_version() { basename "$(echo "$root"/lib/modules/*)"; }

make_disk() {
  make_disk_root
  build_programs
  if [ "$lab/guest-init" -nt "$work/disk" ] || [ "$work/root.done" -nt "$work/disk" ]; then
    install -m 0755 "$lab/guest-init" "$root/usr/local/sbin/lab-init"
    install -m 0644 "$lab/lab.service" "$root/etc/systemd/system/"
    within systemctl -q enable lab
    within systemctl -q mask getty.target systemd-tmpfiles-clean.timer apt-daily.timer apt-daily-upgrade.timer
    rm -f "$work/disk"
    mke2fs -q -t ext4 -O ^has_journal -d "$root" "$work/disk.new" 2500M
    mv "$work/disk.new" "$work/disk"
  fi
}
