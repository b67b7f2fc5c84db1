# Sourced by bare.sh and test-deb.sh, which set root: creates a bare Debian 12 in $root and runs commands in it. Mirror, suites, proxies,
# certificate authorities and Maven's settings are copied from this machine. DEBIAN_MIRROR overrides mirror and suites.
# shellcheck shell=bash
: "${root:?}"
inherited=(http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY MAVEN_OPTS MAVEN_ARGS)

fail() {
  echo "${0##*/}: $*" >&2
  exit 1
}

# For the exit trap: ends the background jobs of this script.
end_children() {
  for pid in $(jobs -p); do kill -KILL "$pid" 2>/dev/null || true; done
  wait 2>/dev/null || true
}

# Lines of sources.list.
debian_sources() {
  if [ -z "${DEBIAN_MIRROR:-}" ]; then
    # shellcheck disable=SC2016 # apt's variables
    apt-get indextargets --format 'deb $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Identifier: Packages' 'Origin: Debian' |
      grep -E '^deb [^ ]+ bookworm(-security|-updates)? main$' | sort -u | grep . && return
  fi
  echo "deb ${DEBIAN_MIRROR:-http://deb.debian.org/debian} bookworm main"
}

# OPTION of debootstrap...: creates the Debian in $root.
make_debian_root() {
  local sources mirror
  sources=$(debian_sources)
  mirror=$(echo "$sources" | sed -n 's/^deb \([^ ]*\) bookworm main$/\1/p' | head -n 1)
  # apt of a minimal Debian has no certificate authorities for an https mirror
  case $mirror in https:*) set -- --include=ca-certificates "$@" ;; esac
  # its mounts and processes end with the namespaces, even if debootstrap is killed
  unshare --pid --fork --kill-child --mount-proc debootstrap --variant=minbase "$@" bookworm "$root" \
    "${mirror:-http://deb.debian.org/debian}" >"$root.log" 2>&1 &
  wait $! || fail "debootstrap failed: $(tail "$root.log")"
  rm "$root.log"
  echo "$sources" >"$root/etc/apt/sources.list"
  apt-config dump | grep -E '^Acquire::(https?|Check-|Retries|ForceIPv)' >"$root/etc/apt/apt.conf.d/90inherited" || true
  cp /etc/resolv.conf /etc/hosts "$root/etc/"
  if [ -d /usr/local/share/ca-certificates ]; then
    mkdir -p "$root/usr/local/share/ca-certificates"
    cp -RL /usr/local/share/ca-certificates/. "$root/usr/local/share/ca-certificates/"
    if [ -x "$root/usr/sbin/update-ca-certificates" ]; then within update-ca-certificates >/dev/null; fi
  fi
  for file in .m2/settings.xml .m2/settings-security.xml .mavenrc; do
    if [ -e "$HOME/$file" ]; then install -D -m 0600 "$HOME/$file" "$root/root/$file"; fi
  done
}

# COMMAND...: replaces this shell in the root, with a clean environment and a private /proc.
exec_within() {
  local variable kept=()
  for variable in "${inherited[@]}"; do
    if [ -n "${!variable:-}" ]; then kept+=("$variable=${!variable}"); fi
  done
  # shellcheck disable=SC2086 # options
  exec unshare ${unshare_options:-} --mount-proc="$root/proc" chroot "$root" \
    env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive "${kept[@]}" "$@"
}
within() { (exec_within "$@"); }

# COMMAND...: runs in the root in a process namespace, so that no process outlives the command or this script.
alone_within() {
  unshare_options="--pid --fork --kill-child" exec_within "$@" &
  wait $!
}
