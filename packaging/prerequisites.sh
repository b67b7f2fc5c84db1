# Sourced by the scripts here: installs required packages on Debian 12 or a derivative of it.
# Does nothing, and needs neither root nor network, if they are installed.
# shellcheck shell=sh disable=SC2034 # the lists are used where this is sourced

build_packages="openjdk-17-jdk-headless maven"
test_packages="ibsim-utils libumad2sim0 libibumad3 infiniband-diags opensm ibutils tshark gcc libc6-dev libibumad-dev libibverbs-dev libopensm-dev prometheus chromium chromium-driver git bash curl openssl python3 spin"
check_packages="systemd procps groff-base mandoc lintian shellcheck"
confinement_packages="selinux-policy-default semodule-utils policycoreutils setools apparmor"
release_packages="rpm cmark-gfm gcc libc6-dev libibverbs-dev python3"
rpm_packages="rpm rpmlint dnf zypper createrepo-c cpio shellcheck gcc libc6-dev libibverbs-dev"

# PACKAGE...: installs those that are absent.
require_packages() {
  missing=
  for package in "$@"; do
    if ! is_there "$package"; then
      missing="$missing $package"
    fi
  done
  if [ -z "$missing" ]; then
    return 0
  fi
  if [ "$(id -u)" -ne 0 ]; then
    echo "${0##*/}: these packages are missing; install them as root:" >&2
    echo "  apt-get install --no-install-recommends$missing" >&2
    exit 2
  fi
  echo "installing$missing" >&2
  export DEBIAN_FRONTEND=noninteractive
  log=$(mktemp)
  # shellcheck disable=SC2086 # a list of words
  if ! { apt-get update && apt-get install -y --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "${0##*/}: apt-get could not install$missing; the whole story is in $log" >&2
    exit 2
  fi
  rm -f "$log"
}

# PACKAGE: checks whether the package, or the program that it is needed for, is installed.
is_there() {
  case $1 in
    openjdk-17-jdk-headless)
      [ "$(javac -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')" -ge 17 ] 2>/dev/null ;;
    maven) command -v mvn >/dev/null 2>&1 ;;
    *) [ "$(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ;;
  esac
}
