/* The order of change with lost SMPs, failed sweeps, preemption and takeovers: docs/developer/order-of-change.md.
   packaging/proof/model.sh visits all states. Each switch has one entry, of plan 1 at first; plans 2 to PLANS replace it.
   Entries of different plans may close a credit loop together: all such relations between two switches are tried, and all
   sets of dropped entries that cut every loop. Supposed: SMPs to one switch arrive in the order of sending; a pause is
   longer than the life of a packet; at least a pause passes between the last arrival of a write of a sweep and the first
   write of the next; SMPs of a dead SM have arrived or are lost when the next SM reads. BUG plants a fault. */
#define N SWITCHES

/* an entry: NO_PATH, or the plan that it is of, from 1 to PLANS; a request: such an entry to write, READ, or NONE */
#define NO_PATH 0
#define READ (PLANS + 1)
#define NONE (PLANS + 2)

byte content[N];                  /* the entry of each switch */
byte flight[N];                   /* plans (a bit each) whose entry of this switch was followed by packets in flight */
byte known[N];                    /* the entry as the SM knows it */
bool doubt[N];                    /* it may differ: a write was not confirmed, or the SM is new */
bool dropped[N];                  /* its entry is NO_PATH during the second step */
byte open[N], tries[N];           /* the request to each switch, which is sent TRIES times at most */
byte number[N];                   /* of the open request, modulo 4, in place of a transaction ID; at most 3 others are on the way */
byte plan = 1;
byte losses = LOSSES, takeovers = TAKEOVERS;
bool failed;                      /* a request of this sweep had no answer */
chan wire[N] = [TRIES + 1] of { byte, byte };

/* [i, a, j, b]: an entry of plan a in switch i and one of plan b in switch j > i close a credit loop */
bool loop[N * N * (PLANS + 1) * (PLANS + 1)];
#define LOOP(i, a, j, b) loop[(((i) * N + (j)) * (PLANS + 1) + (a)) * (PLANS + 1) + (b)]
#define HAS(set, a) (((set) & (1 << (a))) != 0)
#define DRAINED(k) ((flight[k] & ~(1 << content[k])) == 0)    /* no packet in flight followed an earlier entry */

#if SWITCHES == 3
#define EVERY(what) (what(0) && what(1) && what(2))
#define EACH(step) step(0) step(1) step(2)
#else
#define EVERY(what) (what(0) && what(1))
#define EACH(step) step(0) step(1)
#endif
#define CLOSED(k) (open[k] == NONE)
#define SILENT(k) (empty(wire[k]))
#define DONE(k) (known[k] == plan && !doubt[k])
#define KEPT(k) (!dropped[k])
#define IN_PLACE(k) (content[k] == plan)

byte i, j, a, b;                  /* counters within atomic steps; 0 outside */
#define FOR(variable, from, to) variable = from; do :: variable <= to ->
#define END(variable) variable++ :: else -> variable = 0; break od

/* An SMP is sent, or given up. */
#define REQUEST(k) \
  :: atomic { open[k] != NONE && tries[k] < TRIES && nfull(wire[k]) -> wire[k]!open[k], number[k]; tries[k]++ } \
  :: atomic { open[k] != NONE && tries[k] == TRIES -> \
       failed = true; if :: open[k] != READ && BUG != 3 -> doubt[k] = true :: else fi; open[k] = NONE }

#define BEGIN(k, value) open[k] = value; number[k] = (number[k] + 1) % 4; tries[k] = 0

inline await() {
  do
  EACH(REQUEST)
  :: EVERY(CLOSED) -> break
  :: atomic { takeovers > 0 -> takeovers--; FOR(i, 0, N - 1) open[i] = NONE; END(i); goto begins }
  od
}
/* Lets packets of earlier entries leave. A change that is safe in any order has no pause. */
inline pause() { if :: BUG == 2 || EVERY(KEPT) :: BUG != 2 && !EVERY(KEPT) && EVERY(DRAINED) fi }

/* Chooses entries to drop: of every two that may close a loop while both change in any order, one at least. */
inline order() {
  atomic {
    FOR(i, 0, N - 1)
      if :: known[i] != plan -> dropped[i] = true :: true -> dropped[i] = false fi;
    END(i);
    FOR(i, 0, N - 1)
      FOR(j, i + 1, N - 1)
        if
        :: !dropped[i] && !dropped[j] && (LOOP(i, known[i], j, plan) || BUG != 5 && LOOP(i, plan, j, known[j])) ->
             conflict = true
        :: else
        fi;
      END(j);
    END(i)
  }
}

active proctype sm() {
  bool conflict;
  atomic {                        /* every relation of entries of different plans */
    FOR(i, 0, N - 1)
      content[i] = 1; known[i] = 1; flight[i] = 1 << 1; open[i] = NONE;
      FOR(j, i + 1, N - 1)
        FOR(a, 1, PLANS)
          FOR(b, 1, PLANS)
            if :: a != b -> LOOP(i, a, j, b) = true :: true fi;
          END(b);
        END(a);
      END(j);
    END(i)
  }
  goto sweep;
begins:                           /* another SM, which knows no table */
  atomic {
    EVERY(SILENT) -> FOR(i, 0, N - 1) if :: BUG != 4 -> doubt[i] = true :: else -> known[i] = plan fi; END(i)
  }
sweep:
  if
  :: plan < PLANS -> plan++
  :: plan > 1 && !EVERY(DONE)
  :: EVERY(DONE) && plan == PLANS -> goto ends
  fi;
  atomic { failed = false; FOR(i, 0, N - 1) if :: doubt[i] -> BEGIN(i, READ) :: else fi; END(i) }
  await();
  if :: failed -> goto sweep :: else fi;
  if :: BUG == 6 :: BUG != 6 && EVERY(DRAINED) fi;
  do
  :: conflict = false; order(); if :: conflict :: else -> break fi
  od;
  atomic { FOR(i, 0, N - 1) if :: dropped[i] && known[i] != NO_PATH -> BEGIN(i, NO_PATH) :: else fi; END(i) }
  await();
  if :: failed && BUG != 1 -> goto sweep :: else fi;
  pause();
  atomic { FOR(i, 0, N - 1) if :: !dropped[i] && known[i] != plan -> BEGIN(i, plan) :: else fi; END(i) }
  await();
  if :: failed && BUG != 1 -> goto sweep :: else fi;
  pause();
  atomic { FOR(i, 0, N - 1) if :: dropped[i] -> BEGIN(i, plan) :: else fi; END(i) }
  await();
  goto sweep;
ends:
  assert(EVERY(IN_PLACE))
}

/* No two entries that close a loop are followed by packets at the same time. */
inline verify() {
  FOR(i, 0, N - 1)
    FOR(j, i + 1, N - 1)
      FOR(a, 1, PLANS)
        FOR(b, 1, PLANS)
          assert(!(LOOP(i, a, j, b) && HAS(flight[i], a) && HAS(flight[j], b)));
        END(b);
      END(a);
    END(j);
  END(i)
}

/* A switch and the way to it. */
#define K (_pid - 1)
active [N] proctype switch() {
  byte value;
  byte request;
end:
  do
  :: atomic { wire[K]?value, request ->
       if
       :: value == READ -> skip
       :: else ->
            content[K] = value;
            if :: value != NO_PATH -> flight[K] = flight[K] | (1 << value) :: else fi;
            verify()
       fi;
       if
       :: open[K] != NONE && request == number[K] -> known[K] = content[K]; doubt[K] = false; open[K] = NONE
       :: open[K] == NONE || request != number[K]
       :: losses > 0 -> losses--                              /* the answer */
       fi;
       value = 0; request = 0 }
  :: atomic { losses > 0 && nempty(wire[K]) -> wire[K]?_, _; losses-- }
  :: atomic { !DRAINED(K) -> flight[K] = flight[K] & (1 << content[K]) }
  od
}
