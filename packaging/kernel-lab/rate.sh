# Sourced by scenarios.sh in the guest: SMPs a second, and processor time of an SMP by part, of smp-load (C, libibumad) and of torus-sm,
# through the MAD device, and through umad2sim to an ibsim with the same fabric.
# shellcheck shell=bash
: "${run:?}"
sweeps=10 load_smps=10000
simulated=/usr/lib/x86_64-linux-gnu/umad2sim/libumad2sim.so

rate() {
  stop_sm a
  ibnetdiscover -C vhca0 >"$run/fabric.topo"
  export SIM_HOST
  SIM_HOST=$(awk -F '"' '/^Ca/ { print $2; exit }' "$run/fabric.topo")
  awk -v "from=$SIM_HOST" -f /lab/routes.awk "$run/fabric.topo" >"$run/routes"
  loads "MAD device" "$(cat "$run/fabric.pid")"
  functions
  sweep_rates "MAD device" 0 "$(cat "$run/fabric.pid")" 8 32 128
  stop_fabric
  start_ibsim
  export LD_PRELOAD=$simulated
  loads umad2sim "$(cat "$run/ibsim.pid")"
  sweep_rates umad2sim any "$(cat "$run/ibsim.pid")" 32
  unset LD_PRELOAD
  kill "$(cat "$run/ibsim.pid")" "$(cat "$run/fabric.holder")"
  start_fabric
}
start_ibsim() {
  rm -f "$run/fabric.in"
  mkfifo "$run/fabric.in"
  sleep infinity >"$run/fabric.in" &
  echo $! >"$run/fabric.holder"
  export IBSIM_SOCKNAME=rate
  ibsim -s "$run/fabric.topo" <"$run/fabric.in" >"$run/ibsim.out" 2>&1 &
  echo $! >"$run/ibsim.pid"
  await 20 grep -q 'simulator ready' "$run/ibsim.out"
}

loads() { # WAY FABRIC
  local method window
  for method in get set; do
    for window in 8 32 128; do
      begin_part "$2"
      TIMEFORMAT='%3U %3S'
      { time /lab/smp-load $method $window $load_smps <"$run/routes" >"$run/rate.out" 2>"$run/rate.err"; } 2>"$run/rate.time"
      if [ ! -s "$run/rate.out" ]; then
        echo "  $1, smp-load $method, window $window: $(tail -n 1 "$run/rate.err")"
        continue
      fi
      read -r user system <"$run/rate.time"
      report "$1, smp-load $method, window $window" "$load_smps" "$user" "$system" "$2"
    done
  done
}
functions() { # of the kernel in which the time of an SMP passes
  perf record -q -a -e cpu-clock:k -o "$run/perf.data" /lab/smp-load get 32 "$load_smps" <"$run/routes" >/dev/null 2>"$run/perf.err" ||
    echo "  perf: $(tail -n 1 "$run/perf.err")"
  echo "  samples of the kernel during smp-load get, window 32:"
  perf report -i "$run/perf.data" --stdio --no-children -s symbol -q 2>/dev/null | awk '/%/ && n++ < 24 { print "    " $1, $3 }'
}
sweep_rates() { # WAY ADAPTER FABRIC WINDOW...
  local window pid before_user before_system user system each way=$1 adapter=$2 server=$3
  shift 3
  for window in "$@"; do
    settings="max_wire_smps = $window" http=127.0.0.1:9335 start_sm a "$adapter" -p 5
    check "torus-sm is up: $way, window $window" await_up a
    if ! grep -q TSM-6001 "$run/a.log"; then
      tail -n 5 "$run/a.log"
      stop_sm a
      continue
    fi
    pid=$(cat "$run/a.pid")
    for ((each = 0; each < sweeps; each++)); do sweep_once "$pid"; done # the JIT compiler has seen the code
    begin_part "$server"
    before_sent=$(metric torussm_mads_sent_total)
    read -r before_user before_system < <(ticks "$pid")
    for ((each = 0; each < sweeps; each++)); do sweep_once "$pid"; done
    read -r user system < <(ticks "$pid")
    report "$way, torus-sm, window $window" $(($(metric torussm_mads_sent_total) - before_sent)) \
      "$(hundredths $((user - before_user)))" "$(hundredths $((system - before_system)))" "$server"
    stop_sm a
  done
}
sweep_once() { # PID
  local before
  before=$(swept)
  kill -HUP "$1"
  await 60 has_swept "$before"
}
has_swept() { [ "$(swept)" -gt "$1" ]; }
swept() { page | awk '/^torussm_sweeps_total.kind="heavy"/ { n += $NF } END { print n + 0 }'; }
metric() { page | awk -v name="$1" '{ split($1, at, "{") } at[1] == name { n += $NF } END { printf "%d", n }'; }
page() { LD_PRELOAD='' busybox wget -q -O - http://127.0.0.1:9335/metrics; }

# Processor time. Ticks are hundredths of a second.
ticks() { awk '{ print $14, $15 }' "/proc/$1/stat"; }
hundredths() { awk -v n="$1" 'BEGIN { print n / 100 }'; }
threads_of_kernel() { # PID and ticks of each
  local each
  for each in $(ps --ppid 2 -o pid=); do sed 's/.*) //' "/proc/$each/stat" 2>/dev/null | awk -v pid="$each" '{ print pid, $12 + $13 }'; done
}
since() { # FILE: ticks of the threads of the kernel that still run, since FILE was written
  threads_of_kernel | awk 'NR == FNR { old[$1] = $2; next } { n += $2 - old[$1] } END { print n + 0 }' "$1" -
}
begin_part() { # FABRIC
  part_began=$EPOCHREALTIME
  threads_of_kernel >"$run/kernel.ticks"
  read -r part_user part_system < <(ticks "$1")
}
report() { # TITLE SMPS USER SYSTEM FABRIC: a line; times in seconds become microseconds of an SMP
  local user system
  read -r user system < <(ticks "$5")
  awk -v title="$1" -v n="$2" -v user="$3" -v sys="$4" -v fabric="$((user + system - part_user - part_system))" -v from="$part_began" \
    -v to="$EPOCHREALTIME" -v kernel="$(since "$run/kernel.ticks")" 'BEGIN {
      printf "  %s: %d a second; us of an SMP: program %d + %d (system), threads of the kernel %d, fabric %d\n", title, n / (to - from),
        user / n * 1e6, sys / n * 1e6, kernel * 1e4 / n, fabric * 1e4 / n
    }'
}
