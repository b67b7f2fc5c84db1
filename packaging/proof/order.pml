/* The order of change with lost SMPs, failed sweeps, preemption and takeovers: docs/developer/order-of-change.md.
   packaging/proof/model.sh visits all states. With TRACE the same steps are taken, but only as the code took them
   (order_trace.pml). Each switch has one entry, of plan 1 at first; plans 2 to PLANS replace it. CABLES times an entry
   leads into a link that is lost, or into a new link, which comes up when all entries are in place.
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
mtype = { EARLY, MIDDLE, LATE, DROPPED };
mtype part[N] = MIDDLE;           /* the step that writes the entry; DROPPED: NO_PATH in the first, the plan in the last */
byte down[N];                     /* plans (a bit each) whose entry of this switch leads into a link that is down */
byte open[N], tries[N];           /* the request to each switch, which is sent TRIES times at most */
byte number[N];                   /* of the open request, modulo 4, in place of a transaction ID; at most 3 others are on the way */
byte plan = 1;
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
#define LIVES(k, a) ((a) != NO_PATH && !HAS(down[k], a))      /* packets that follow entry a of switch k go on */
#define CLOSED(k) (open[k] == NONE)
#define SILENT(k) (empty(wire[k]))
#define DONE(k) (known[k] == TARGET(k) && !doubt[k])
#define NOT_FIRST(k) (part[k] == MIDDLE || part[k] == LATE)
#define NOT_EARLY(k) (part[k] != EARLY)
#define NOT_LAST(k) (part[k] == MIDDLE || part[k] == EARLY)
#define IN_PLACE(k) (content[k] == TARGET(k))

byte i, j, a, b;                  /* counters within atomic steps; 0 outside */
#define FOR(variable, from, to) variable = from; do :: variable <= to ->
#define END(variable) variable++ :: else -> variable = 0; break od

#ifdef TRACE
#include "order_trace.pml"
#else
byte losses = LOSSES, takeovers = TAKEOVERS, cables = CABLES;
#define FIRST_SWITCH 1
#define START skip
#define INITIAL(k) 1
#define MAY_LOOP(a, b) (a != b)
#define TARGET(k) plan
#define SENT(k) true
#define MAY_GIVE_UP(k) (tries[k] == TRIES)
#define ARRIVE(k, value)
#define HAS_LEFT(k) (!DRAINED(k))
#define LEAVE(k) flight[k] = flight[k] & (1 << content[k])
#define NEXT skip
#define REWRITE(k) skip
#define FORGET_ANSWER(k)
#define REREAD(k) skip
#define MAY_LOSE (losses > 0)
#define LOSE losses--
#define MAY_TAKE_OVER (takeovers > 0)
#define TAKE_OVER takeovers--
#define REACHED(k) \
  if \
  :: open[k] != NONE && request == number[k] -> known[k] = content[k]; doubt[k] = false; open[k] = NONE \
  :: open[k] == NONE || request != number[k] \
  :: losses > 0 -> losses--                                    /* the answer */ \
  fi
#define CHANGE_PLAN plan < PLANS -> plan++; cut_cables()
#define RAISE_LINKS raise_links()
#define RESUME plan > 1 && !EVERY(DONE)
#define END_SWEEP EVERY(DONE) && plan == PLANS -> goto ends
#endif

/* An SMP is sent, or given up. */
#define REQUEST(k) \
  :: atomic { open[k] != NONE && SENT(k) && tries[k] < TRIES && nfull(wire[k]) -> wire[k]!open[k], number[k]; tries[k]++; NEXT } \
  :: atomic { open[k] != NONE && MAY_GIVE_UP(k) -> \
       failed = true; if :: open[k] != READ && BUG != 3 -> doubt[k] = true :: else fi; open[k] = NONE }

#define BEGIN(k, value) open[k] = value; number[k] = (number[k] + 1) % 4; tries[k] = 0 FORGET_ANSWER(k)

inline await() {
  do
  EACH(REQUEST)
  :: EVERY(CLOSED) -> break
  :: atomic { MAY_TAKE_OVER -> TAKE_OVER; FOR(i, 0, N - 1) open[i] = NONE; END(i); goto begins }
  od
}
/* Lets packets of earlier entries leave. A change that is safe in any order has no pause. */
#define PAUSE(no_step) if :: BUG == 2 || EVERY(no_step) :: BUG != 2 && !(EVERY(no_step)) && EVERY(DRAINED) fi

/* Chooses a step for each entry. Of every two that may close a loop while both change in any order, one at least is
   dropped, or has no packets before (then it may be late) or after (then it may be early). */
inline order() {
  atomic {
    FOR(i, 0, N - 1)
      part[i] = MIDDLE;
      if
      :: known[i] != TARGET(i) -> part[i] = DROPPED
      :: known[i] != TARGET(i) && HAS(down[i], TARGET(i)) -> part[i] = EARLY
      :: known[i] != TARGET(i) && HAS(down[i], known[i]) -> part[i] = LATE
      :: true
      fi;
    END(i);
    FOR(i, 0, N - 1)
      FOR(j, i + 1, N - 1)
        if
        :: part[i] == MIDDLE && part[j] == MIDDLE &&
             (LIVES(i, known[i]) && LOOP(i, known[i], j, TARGET(j)) ||
              BUG != 5 && LIVES(j, known[j]) && LOOP(i, TARGET(i), j, known[j])) -> conflict = true
        :: else
        fi;
      END(j);
    END(i)
  }
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

/* A cable is lost to which an entry leads, with the packets on the way to it; or the cable of a new entry has no link yet. */
inline cut_cables() {
  FOR(i, 0, N - 1)
    if
    :: cables > 0 && LIVES(i, content[i]) ->
         cables--; down[i] = down[i] | (1 << content[i]); flight[i] = flight[i] & ~(1 << content[i])
    :: cables > 0 -> cables--; down[i] = down[i] | (1 << plan)
    :: true
    fi;
  END(i)
}

/* Links come up when all entries are in place. */
inline raise_links() {
  atomic {
    FOR(i, 0, N - 1)
      down[i] = down[i] & ~(1 << TARGET(i));
      if :: LIVES(i, content[i]) -> flight[i] = flight[i] | (1 << content[i]) :: else fi;
    END(i);
    verify()
  }
}

active proctype sm() {
  bool conflict;
  atomic {                        /* every relation of entries of different plans */
    START;
    FOR(i, 0, N - 1)
      content[i] = INITIAL(i); known[i] = content[i]; open[i] = NONE;
      if :: content[i] != NO_PATH -> flight[i] = 1 << content[i] :: else fi;
      FOR(j, i + 1, N - 1)
        FOR(a, 1, PLANS)
          FOR(b, 1, PLANS)
            if :: MAY_LOOP(a, b) -> LOOP(i, a, j, b) = true :: true fi;
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
  :: atomic { CHANGE_PLAN }
  :: RESUME
  :: END_SWEEP
  fi;
  atomic { failed = false; FOR(i, 0, N - 1) if :: doubt[i] -> BEGIN(i, READ) :: else -> REREAD(i) fi; END(i) }
  await();
  if :: failed -> goto sweep :: else fi;
  if :: BUG == 6 :: BUG != 6 && EVERY(DRAINED) fi;
  do
  :: conflict = false; order(); if :: conflict :: else -> break fi
  od;
  atomic {
    FOR(i, 0, N - 1)
      if
      :: part[i] == DROPPED && known[i] != NO_PATH -> BEGIN(i, NO_PATH)
      :: part[i] == EARLY -> BEGIN(i, TARGET(i))
      :: else -> REWRITE(i)
      fi;
    END(i)
  }
  await();
  if :: failed && BUG != 1 -> goto sweep :: else fi;
  PAUSE(NOT_FIRST);
  atomic {
    FOR(i, 0, N - 1)
      if :: part[i] == MIDDLE && known[i] != TARGET(i) -> BEGIN(i, TARGET(i)) :: else -> REWRITE(i) fi;
    END(i)
  }
  await();
  if :: failed && BUG != 1 -> goto sweep :: else fi;
  PAUSE(NOT_LAST);
  atomic {
    FOR(i, 0, N - 1)
      if :: part[i] == DROPPED || part[i] == LATE -> BEGIN(i, TARGET(i)) :: else -> REWRITE(i) fi;
    END(i)
  }
  await();
  if
  :: EVERY(DONE) -> if :: BUG == 7 || EVERY(NOT_EARLY) :: BUG != 7 && EVERY(DRAINED) fi; RAISE_LINKS
  :: else
  fi;
  goto sweep;
ends:
  assert(EVERY(IN_PLACE))
}

/* A switch and the way to it. */
#define K (_pid - FIRST_SWITCH)
active [N] proctype switch() {
  byte value;
  byte request;
end:
  do
  :: atomic { wire[K]?value, request ->
       if
       :: value == READ || value == content[K]
       :: else -> ARRIVE(K, value)
            content[K] = value;
            if :: LIVES(K, value) -> flight[K] = flight[K] | (1 << value) :: else fi;
            verify()
       fi;
       REACHED(K);
       value = 0; request = 0 }
  :: atomic { MAY_LOSE && nempty(wire[K]) -> wire[K]?_, _; LOSE }
  :: atomic { HAS_LEFT(K) -> LEAVE(K); NEXT }
  od
}
