# Sourced by the benchmarks, also by ibsim-torus.sh: measurements of a process, and results for all.sh.
# shellcheck shell=bash

[ -z "${RESULTS:-}" ] || RESULTS=$(realpath -m "$RESULTS") # the benchmarks change the directory

processor_ms() { # [PID]: milliseconds of processor time, user and system, that a process (the SM) has used so far
  awk -v hz="$(getconf CLK_TCK)" '{ sub(/.*\) /, ""); print int(1000 * ($12 + $13) / hz) }' "/proc/${1:-$pid}/stat"
}

resident_kib() { # [PID]: resident memory of a process (default: the SM)
  awk '/^VmRSS/ { print $2 }' "/proc/${1:-$pid}/status"
}

peak_kib() { # [PID]: its maximum resident memory
  awk '/^VmHWM/ { print $2 }' "/proc/${1:-$pid}/status"
}

middle() { # prints the median of the numbers on standard input unchanged; nothing for empty input
  sort -n | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'
}

result() { # WORK UNIT OPENSM TORUS-SM [LIMIT]: appends a line to the file RESULTS, if set; an empty argument is no figure
  [ -z "${RESULTS:-}" ] || printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$2" "$3" "$4" "${5:-}" >>"$RESULTS"
}

classpath_of_bench() { # in the root of the sources: prints CLASSPATH_OF_BENCH, or compiles routing-torus2qos with its benchmarks and prints its class path
  [ -n "${CLASSPATH_OF_BENCH:-}" ] ||
    mvn -q -Pbench -pl routing-torus2qos -am test-compile dependency:build-classpath -Dmdep.outputFile=target/cp -Dmdep.includeScope=test >&2
  echo "${CLASSPATH_OF_BENCH:-routing-torus2qos/target/test-classes:routing-torus2qos/target/classes:$(cat routing-torus2qos/target/cp)}"
}
