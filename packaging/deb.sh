#!/bin/sh
# Builds the Debian package from daemon/target/torus-sm, which "mvn package" assembles, and prints its name.
# usage: packaging/deb.sh [VERSION [DIRECTORY]]; without them the version of pom.xml, in daemon/target. The same sources give the same bytes.
set -eu
umask 022
cd "$(dirname "$(readlink -f "$0")")/.."
distribution=$PWD/daemon/target/torus-sm
version=${1:-$(sed -n 's:.*<version>\(.*\)</version>.*:\1:p' pom.xml | head -n 1)}
if [ ! -x "$distribution/bin/torus-sm" ]; then
  echo "${0##*/}: $distribution is not built; run: mvn -DskipTests package" >&2
  exit 2
fi
# Libraries are what packaging/libraries.txt says they are, and no others.
libraries=$PWD/packaging/libraries.txt
for jar in "$distribution"/lib/*.jar; do
  case ${jar##*/} in
    mad-transport-* | sm-core-* | routing-torus2qos-* | qos-* | daemon-*) continue ;;
  esac
  if ! grep -qF "$(sha256sum "$jar" | cut -d ' ' -f 1)  ${jar##*/}  " "$libraries"; then
    echo "${0##*/}: $jar is not the one that packaging/libraries.txt names" >&2
    exit 1
  fi
done

SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date -d 2026-11-21 +%s)}
export SOURCE_DATE_EPOCH

root=$(mktemp -d "${TMPDIR:-/tmp}/torus-sm-deb.XXXXXX")
trap 'rm -rf "$root"' EXIT
chmod 0755 "$root"
put() { # MODE DIRECTORY FILE...
  mode=$1 directory=$root/$2
  shift 2
  mkdir -p "$directory"
  install -m "$mode" "$@" "$directory"
}
page() { # FILE DIRECTORY NAME: compressed, without name and time of the original
  mkdir -p "$root/$2"
  gzip -9n <"$1" >"$root/$2/$3.gz"
}

put 0755 usr/share/torus-sm/bin "$distribution"/bin/torus-sm "$distribution"/bin/torus-smctl "$distribution"/bin/torus-fabric \
  "$distribution"/bin/torus-archive
put 0644 usr/share/torus-sm/bin "$distribution"/bin/torus-jvm.sh
put 0755 usr/share/torus-sm packaging/verify-certificate.py
put 0644 usr/share/torus-sm/lib "$distribution"/lib/*.jar
# What torus-archive makes at the installation depends on the JVM and the machine, and so has its place below /usr/lib.
mkdir -p "$root/usr/lib/torus-sm" "$root/usr/sbin"
ln -s ../../lib/torus-sm "$root/usr/share/torus-sm/archive"
for program in torus-sm torus-smctl; do
  ln -s "../share/torus-sm/bin/$program" "$root/usr/sbin/$program"
  page "packaging/man/$program.8" usr/share/man/man8 "$program.8"
done
mkdir -p "$root/usr/bin"
ln -s ../share/torus-sm/bin/torus-fabric "$root/usr/bin/torus-fabric"
page packaging/man/torus-fabric.1 usr/share/man/man1 torus-fabric.1
page packaging/man/torus-sm.conf.5 usr/share/man/man5 torus-sm.conf.5
put 0644 lib/systemd/system packaging/systemd/*.service
put 0644 lib/udev/rules.d packaging/udev/90-torus-sm.rules
put 0644 etc/torus-sm packaging/etc/torus-sm.conf
put 0644 etc/logrotate.d packaging/logrotate/torus-sm
put 0644 usr/share/bash-completion/completions packaging/completion/torus-smctl packaging/completion/torus-fabric
"$distribution/bin/torus-sm" generate-completion | sed '1{/^#!/d}' >"$root/usr/share/bash-completion/completions/torus-sm"
doc=usr/share/doc/torus-sm
put 0644 $doc/examples packaging/etc/torus-2QoS.conf.example packaging/prometheus/torus-sm.rules.yml packaging/grafana/torus-sm.json
put 0644 $doc docs/operator/*.md docs/operator/console-schema.json packaging/deb/copyright packaging/libraries.txt
packaging/sbom.sh "$version" "$distribution"/lib/*.jar >"$root/torus-sm.cdx.json"
put 0644 $doc "$root/torus-sm.cdx.json"
rm "$root/torus-sm.cdx.json"
put 0644 $doc/images docs/operator/images/*.png docs/operator/images/*.svg
printf 'torus-sm (%s) unstable; urgency=medium\n\n  * See docs in this directory.\n\n -- %s  %s\n' \
  "$version" 'TorusSM maintainers <maintainers@torussm.invalid>' "$(date -u -R -d "@$SOURCE_DATE_EPOCH")" >"$root/changelog"
page "$root/changelog" $doc changelog
rm "$root/changelog"
put 0644 usr/share/lintian/overrides packaging/deb/lintian-overrides
mv "$root/usr/share/lintian/overrides/lintian-overrides" "$root/usr/share/lintian/overrides/torus-sm"

put 0755 DEBIAN packaging/deb/postinst packaging/deb/prerm packaging/deb/postrm
put 0644 DEBIAN packaging/deb/triggers
printf '/etc/torus-sm/torus-sm.conf\n/etc/logrotate.d/torus-sm\n' >"$root/DEBIAN/conffiles"
sed -e "s/@VERSION@/$version/" -e "s/@SIZE@/$(du -k -s --apparent-size --exclude=DEBIAN "$root" | cut -f 1)/" \
  packaging/deb/control >"$root/DEBIAN/control"
(cd "$root" && find . -type f ! -path './DEBIAN/*' -printf '%P\0' | LC_ALL=C sort -z | xargs -0 md5sum >DEBIAN/md5sums)
find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +

deb=${2:-daemon/target}/torus-sm_${version}_all.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$deb" >/dev/null
echo "$deb"
