# Sourced by torus-sm and torus-smctl: finds Java and sets "$java", "$home" and "$class_path".

self=$(readlink -f "$0") || exit 4
home=${self%/bin/*}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
if ! command -v "$java" >/dev/null 2>&1; then
  echo "${0##*/}: there is no $java; install a JDK or JRE 17 or later, or set JAVA_HOME" >&2
  exit 4
fi
class_path="$home/lib/*"

# The major version, from the release file beside bin/java, which costs no JVM start.
java_real=$(readlink -f "$(command -v "$java")")
java_release=${java_real%/bin/java}/release
java_major=0
if [ -r "$java_release" ]; then
  java_major=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$java_release")
fi
if [ "${java_major:-0}" -eq 0 ]; then
  java_major=$("$java" -version 2>&1 | sed -n 's/.* version "\([0-9]*\).*/\1/p' | head -n 1)
fi
if [ "${java_major:-0}" -lt 17 ]; then
  echo "${0##*/}: $java is version ${java_major:-unknown}; 17 or later is needed, set JAVA_HOME" >&2
  exit 4
fi
