# Sourced by the benchmarks: what they measure of a process, and how they report it to all.sh. ibsim-torus.sh sources it.
# shellcheck shell=bash

[ -z "${RESULTS:-}" ] || RESULTS=$(realpath -m "$RESULTS") # they change the directory

processor_ms() { # [PID]: milliseconds of processor time, user and system, that a process (the SM) has used so far
  awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print int(1000 * ($12 + $13) / hz) }' "/proc/${1:-$pid}/stat"
}

resident_kib() { # [PID]: what a process (the SM) has in memory now
  awk '/^VmRSS/ { print $2 }' "/proc/${1:-$pid}/status"
}

peak_kib() { # [PID]: the most it ever had
  awk '/^VmHWM/ { print $2 }' "/proc/${1:-$pid}/status"
}

middle() { # the median of the numbers in standard input, as it stands there; nothing if there are none
  sort -n | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'
}

result() { # WORK UNIT OPENSM OURS [LIMIT]: a line for all.sh, if RESULTS names a file; an empty argument where there is no figure
  [ -z "${RESULTS:-}" ] || printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "${5:-}" >>"$RESULTS"
}

classpath_of_bench() { # in the root of the sources: CLASSPATH_OF_BENCH, or what Maven makes of routing-torus2qos with its benchmarks
  [ -n "${CLASSPATH_OF_BENCH:-}" ] ||
    mvn -q -Pbench -pl routing-torus2qos -am test-compile dependency:build-classpath -Dmdep.outputFile=target/cp -Dmdep.includeScope=test >&2
  echo "${CLASSPATH_OF_BENCH:-routing-torus2qos/target/test-classes:routing-torus2qos/target/classes:$(cat routing-torus2qos/target/cp)}"
}
