#!/bin/sh
# Builds the Debian package torus-sl for this architecture and prints its name. torus-sl is the library that sets the SLs of connections from
# a map (docs/operator/host-sls.md). Needs gcc and libibverbs-dev. The same sources and compiler give the same bytes.
# usage: packaging/deb-shim.sh [VERSION [DIRECTORY]]; without them the version of pom.xml, in daemon/target
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
. packaging/files.sh
architecture=$(dpkg --print-architecture)

root=$(mktemp -d "${TMPDIR:-/tmp}/torus-sl-deb.XXXXXX")
trap 'rm -rf "$root"' EXIT
put_torus_sl "usr/lib/$(gcc -print-multiarch)"
mkdir "$root/DEBIAN"
printf 'torus-sl (%s) unstable; urgency=medium\n\n  * See host-sls.md in this directory.\n\n -- %s  %s\n' \
  "$version" 'TorusSM maintainers <maintainers@torussm.invalid>' "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" |
  gzip -9n >"$root/usr/share/doc/torus-sl/changelog.gz"
cat >"$root/DEBIAN/control" <<END
Package: torus-sl
Version: $version
Architecture: $architecture
Section: net
Priority: optional
Maintainer: TorusSM maintainers <maintainers@torussm.invalid>
Installed-Size: $(du -k -s --apparent-size --exclude=DEBIAN "$root" | cut -f 1)
Depends: libc6 (>= 2.34)
Recommends: libibverbs1
Description: SLs of an InfiniBand fabric for programs that ask for none
 A library for LD_PRELOAD that gives the connections of a program the service
 levels of a map that torus-sm wrote, where the program, such as NCCL or UCX,
 has one service level for all. It does nothing unless it is preloaded and
 TORUS_SL_MAP names a map.
END
(cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
same_times

directory=${2:-daemon/target}
mkdir -p "$directory"
deb=$directory/torus-sl_${version}_${architecture}.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$deb" >/dev/null
echo "$deb"
