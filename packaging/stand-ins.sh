# Sourced by check-rpm.sh and test-rpm.sh: empty packages in place of those of EL or SLES, and calls of dnf and zypper with these packages as
# the only repository.
# shellcheck shell=bash

stand_in() { # DIRECTORY NAME CAPABILITY...
  {
    printf 'Name: %s\nVersion: 1\nRelease: 1\nSummary: Stand-in\nLicense: none\nBuildArch: noarch\n' "$2"
    printf 'Provides: %s\n' "${@:3}"
    printf '%%description\n%s\n%%files\n' "$2"
  } >"$1/$2.spec"
  rpmbuild -bb --quiet --define "_topdir $1/build" --define "_rpmdir $1" --define '_build_name_fmt %%{NAME}-%%{VERSION}.rpm' "$1/$2.spec" >/dev/null 2>&1 ||
    fail "no package $2"
}
stand_ins() { # DIRECTORY JAVA UMAD SHADOW: creates the requirements of torus-sm under the names of a system
  mkdir -p "$1"
  stand_in "$1" base /bin/sh /bin/bash util-linux
  stand_in "$1" "$4" "$4"
  stand_in "$1" "$3" 'libibumad.so.3()(64bit)'
  stand_in "$1" "$2-openjdk-headless" "$2-headless"
}

manager() { # dnf|zypper ROOT REPOSITORY CACHE install|update|remove PACKAGE [OPTION]...
  case $1 in
    dnf)
      dnf -y --installroot "$2" --disablerepo='*' --repofrompath "these,$3" --nogpgcheck --releasever 9 --setopt=cachedir="$4" \
        --setopt=reposdir="$4" --setopt=install_weak_deps=False "${@:7}" "$5" "$6"
      ;;
    zypper)
      zypper --quiet --root "$2" removerepo these >/dev/null 2>&1 || true
      zypper --quiet --root "$2" addrepo --no-gpgcheck "$3" these >/dev/null
      zypper --non-interactive --no-gpg-checks --root "$2" "$5" "${@:7}" "$6"
      ;;
  esac
}
