#!/bin/sh
# Builds the Debian package from daemon/target/torus-sm, which "mvn package" assembles, and prints its name.
# usage: packaging/deb.sh [VERSION [DIRECTORY]]; without them the version of pom.xml, in daemon/target. The same sources give the same bytes.
set -eu
cd "$(dirname "$(readlink -f "$0")")/.."
. packaging/files.sh
check_distribution

root=$(mktemp -d "${TMPDIR:-/tmp}/torus-sm-deb.XXXXXX")
trap 'rm -rf "$root"' EXIT
put_torus_sm lib
printf 'torus-sm (%s) unstable; urgency=medium\n\n  * See docs in this directory.\n\n -- %s  %s\n' \
  "$version" 'TorusSM maintainers <maintainers@torussm.invalid>' "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" >"$root/changelog"
page "$root/changelog" usr/share/doc/torus-sm changelog
rm "$root/changelog"
put_as 0644 usr/share/lintian/overrides torus-sm packaging/deb/lintian-overrides

put 0755 DEBIAN packaging/deb/postinst packaging/deb/prerm packaging/deb/postrm
put 0644 DEBIAN packaging/deb/triggers
(cd "$root" && find etc -type f -printf '/%p\n' | LC_ALL=C sort) >"$root/DEBIAN/conffiles"
sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$(du -k -s --apparent-size --exclude=DEBIAN "$root" | cut -f 1)/" \
  packaging/deb/control >"$root/DEBIAN/control"
(cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
same_times

deb=${2:-daemon/target}/torus-sm_${version}_all.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$deb" >/dev/null
echo "$deb"
