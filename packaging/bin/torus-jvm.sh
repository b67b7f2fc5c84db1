# Sourced by torus-sm, torus-smctl and torus-archive, which set "$self", where they are: finds Java and sets "$java", "$java_major", "$home",
# "$class_path", "$archive" and "$native".

home=${self%/bin/*}
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
if ! java_found=$(command -v "$java"); then
  echo "${0##*/}: there is no $java; install a JDK or JRE 17 or later, or set JAVA_HOME" >&2
  exit 4
fi
# File names and terminals are read as the locale says, and beyond ASCII only in UTF-8.
[ "$(locale charmap 2>/dev/null)" = UTF-8 ] || export LC_ALL=C.UTF-8

# The program's own jar first: the JVM searches the jars in order for a class that the archive does not contain.
class_path="$home/lib/*"
for jar in "$home"/lib/daemon-*.jar; do
  class_path=$jar:$class_path
done

# The version, from the release file beside bin/java, which costs no JVM start.
java_real=$(readlink -f "$java_found")
java_release=${java_real%/bin/java}/release
java_version=
java_build=
if [ -r "$java_release" ]; then
  while IFS='="' read -r key empty value rest; do
    case $key in
      JAVA_VERSION) java_version=$value ;;
      JAVA_RUNTIME_VERSION) java_build=$value ;;
    esac
  done <"$java_release"
fi
if [ -z "$java_version" ]; then
  java_version=$("$java" -version 2>&1 | sed -n 's/.* version "\([^"]*\)".*/\1/p' | head -n 1)
fi
java_major=${java_version%%[!0-9]*}
if [ "${java_major:-0}" -lt 17 ]; then
  echo "${0##*/}: $java is version ${java_major:-unknown}; 17 or later is needed, set JAVA_HOME" >&2
  exit 4
fi

# The archive of classes of torus-archive: one file for each build of the JVM, which cannot read another's.
archive=$home/archive/java-${java_build:-$java_version}.jsa
# The native library of jffi, under the name that jffi expects.
native=libjffi-1.2.so
