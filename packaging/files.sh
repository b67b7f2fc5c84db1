# Sourced by deb.sh, deb-shim.sh and rpm.sh with their arguments, in the root of the checkout: sets the version and the time of all files, and
# defines the files of each package. TORUS_SM: the program (default: the output of "mvn package").
# shellcheck shell=sh disable=SC2154 # a script sets root, before it puts files there
umask 022
distribution=${TORUS_SM:-$PWD/daemon/target/torus-sm}
version=${1:-$(packaging/version.sh)}
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || date -d 2026-11-21 +%s)}
export SOURCE_DATE_EPOCH

# Fails if the program is not built, or contains a library that packaging/libraries.txt does not list.
check_distribution() {
  if [ ! -x "$distribution/bin/torus-sm" ]; then
    echo "${0##*/}: $distribution is not built; run: mvn -DskipTests package" >&2
    exit 2
  fi
  for jar in "$distribution"/lib/*.jar; do
    case ${jar##*/} in
      mad-transport-* | sm-core-* | routing-torus2qos-* | qos-* | daemon-*) continue ;;
    esac
    if ! grep -qF "$(sha256sum "$jar" | cut -d ' ' -f 1)  ${jar##*/}  " packaging/libraries.txt; then
      echo "${0##*/}: $jar is not the one that packaging/libraries.txt names" >&2
      exit 1
    fi
  done
}

put() { # MODE DIRECTORY FILE...
  mode=$1 directory=$root/$2
  shift 2
  mkdir -p "$directory"
  install -m "$mode" "$@" "$directory"
}
put_as() { # MODE DIRECTORY NAME FILE
  mkdir -p "$root/$2"
  install -m "$1" "$4" "$root/$2/$3"
}
page() { # FILE DIRECTORY NAME: compressed, without name and time of the original
  mkdir -p "$root/$2"
  gzip -9n <"$1" >"$root/$2/$3.gz"
}
same_times() { find "$root" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +; }

# The files of torus-sm.
put_torus_sm() { # LIB: the directory of systemd and udev, which differs on Debian 12
  chmod 0755 "$root"
  put 0755 usr/share/torus-sm/bin "$distribution"/bin/torus-sm "$distribution"/bin/torus-smctl "$distribution"/bin/torus-fabric \
    "$distribution"/bin/torus-archive
  put 0644 usr/share/torus-sm/bin "$distribution"/bin/torus-jvm.sh
  put 0755 usr/share/torus-sm packaging/verify-certificate.py
  put 0644 usr/share/torus-sm packaging/installed.sh
  put 0644 usr/share/torus-sm/confinement packaging/confinement/torus_sm.cil packaging/confinement/torus-sm.apparmor
  put 0644 usr/share/torus-sm/lib "$distribution"/lib/*.jar
  # torus-archive creates files at the installation that depend on the JVM and the machine; they are below /usr/lib.
  mkdir -p "$root/usr/lib/torus-sm" "$root/usr/sbin" "$root/usr/bin"
  ln -s ../../lib/torus-sm "$root/usr/share/torus-sm/archive"
  for program in torus-sm torus-smctl; do
    ln -s "../share/torus-sm/bin/$program" "$root/usr/sbin/$program"
    page "packaging/man/$program.8" usr/share/man/man8 "$program.8"
  done
  ln -s ../share/torus-sm/bin/torus-fabric "$root/usr/bin/torus-fabric"
  page packaging/man/torus-fabric.1 usr/share/man/man1 torus-fabric.1
  page packaging/man/torus-sm.conf.5 usr/share/man/man5 torus-sm.conf.5
  put 0644 "$1/systemd/system" packaging/systemd/*.service
  put 0644 "$1/udev/rules.d" packaging/udev/90-torus-sm.rules
  put_as 0644 usr/lib/sysusers.d torus-sm.conf packaging/systemd/sysusers.conf
  put_as 0644 usr/lib/tmpfiles.d torus-sm.conf packaging/systemd/tmpfiles.conf
  put 0644 etc/torus-sm packaging/etc/torus-sm.conf
  put 0644 etc/logrotate.d packaging/logrotate/torus-sm
  put 0644 usr/share/bash-completion/completions packaging/completion/torus-smctl packaging/completion/torus-fabric
  "$distribution/bin/torus-sm" generate-completion | sed '1{/^#!/d}' >"$root/usr/share/bash-completion/completions/torus-sm"
  doc=usr/share/doc/torus-sm
  put 0644 $doc/examples packaging/etc/torus-2QoS.conf.example packaging/prometheus/torus-sm.rules.yml packaging/grafana/torus-sm.json
  put 0644 $doc docs/operator/*.md docs/operator/console-schema.json packaging/deb/copyright packaging/libraries.txt
  sed 's:](docs/operator/:](:g' CHANGELOG.md >"$root/$doc/CHANGELOG.md"
  packaging/sbom.sh "$version" "$distribution"/lib/*.jar >"$root/$doc/torus-sm.cdx.json"
  put 0644 $doc/images docs/operator/images/*.png docs/operator/images/*.svg
}

# The files of torus-sl, for this architecture.
put_torus_sl() { # DIRECTORY of libraries
  chmod 0755 "$root"
  mkdir -p "$root/$1/torus-sl"
  gcc -shared -fPIC -s -O2 -Wall -Wextra -Werror -fstack-protector-strong -D_FORTIFY_SOURCE=2 \
    -Wl,-z,relro,-z,now,--build-id=none,--version-script=packaging/torus-sl.versions \
    -o "$root/$1/torus-sl/libtorus-sl.so" packaging/torus-sl.c
  put 0644 usr/share/doc/torus-sl docs/operator/host-sls.md packaging/deb/copyright
}
