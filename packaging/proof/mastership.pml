/* Mastership of up to three SMs: the rules of MastershipRules, and a network that delays, repeats and loses.
   docs/operator/mastership.md describes them. Time is order only: any step may take any time, and a timer may expire
   as soon as it runs. packaging/proof/model.sh visits all states. With TRACE the same steps are taken, but only as the
   running code took them (trace.pml). BUG plants a fault. */
#define N 3
#define NONE 3
#define HANDOVERS 3               /* failed ones in a row, after which a standby is passed over */

/* what an SM is, shows or appears to be */
#define NOTHING 0                 /* not asked, or no answer yet */
#define DEAD 0
#define DISCOVERING 1
#define STANDBY 2
#define MASTER 3
#define NOT_ACTIVE 4
#define SILENT 5
#define ABSENT 6                  /* its port or the kernel of its host responds that no SM is there */

/* Mastership.SilenceWait */
#define UNUSED 0
#define CAREFUL 1
#define WAITING 2
#define LOOKING_AGAIN 3
#define OVER 4

/* a sweep */
#define IDLE 0
#define READING 1
#define GRANTED 2                 /* its SM may compute a plan, and write it */

/* outcome of a request */
#define REFUSED 1
#define ACCEPTED 2

byte state[N], rank[N], retries[N], patience[N];
byte missing[N];                  /* SMs that were silent at the last discovery, a bit each */
byte watched[N], misses[N];       /* the polled SM; polls in a row that met no master */
bool awaiting[N], silences[N];    /* a poll is on its way; one of the misses had no answer */
byte got[N], got_rank[N];         /* its answer, on the way back */
byte heir[N], failures[N], excluded[N];
bool accepted[N], heir_rules[N];  /* the heir accepted; it showed MASTER */
bool ending[N];
byte sweep[N], seen[N * N], seen_rank[N * N];
bool again[N];                    /* the sweep shall begin again, whatever it does */
byte handover[N], ack[N];         /* SMs at which a HANDOVER or ACKNOWLEDGE of this SM may still arrive, a bit each */
byte outcome[N];                  /* the response to HANDOVER, on the way back */
bool down[N], island[N];          /* the port; the part of the network */
bool stopped[N], fresh[N];        /* the process stands still; it has not since its discovery began */
bool overtaken[N];                /* ghost: another became master while this one stood still; it has not looked since */
bool other_master[N];             /* ghost: its discovery found another master */

#define REACHES(a, b) (!down[a] && !down[b] && island[a] == island[b])
#define ANSWERS(a) (state[a] != DEAD && !stopped[a] && REACHES(i, a))
#define SHOWN(a) (ending[a] -> NOT_ACTIVE : (heir[a] != NONE -> STANDBY : state[a]))
#define SEEN(a) seen[i * N + a]
#define SEEN_RANK(a) seen_rank[i * N + a]
#define HAS_BIT(set, a) ((set & (1 << a)) != 0)
#define WITHOUT(set, a) (set & ~(1 << a))
#define LIVES (state[i] != DEAD && !stopped[i])
#define TIMED (patience[i] >= WAITING)
#define MAY_WAIT (missing[i] != 0 && patience[i] != OVER)

#ifdef TRACE
#include "trace.pml"
#else                             /* any step may be the next; faults are limited */
byte starts = STARTS, deaths = DEATHS, stops = STOPS, losses = LOSSES, ends = ENDS, cuts = CUTS, changes = CHANGES;
#define ON(kind, other, value) true
#define RANKED(other) true
#define GRANT skip
#define MAY_LOOK(k) ((k < 1 || i == 0 || SEEN(0) != NOTHING) && (k < 2 || i == 1 || SEEN(1) != NOTHING))
#ifdef SLOW                       /* the answer to a poll takes its time */
#define ANSWERED skip
#else
#define ANSWERED polled()
#endif
#define BEGIN skip
#define AFTER skip
#define NEXT skip
#define HAS(budget) (budget > 0)
#define SPEND(budget) budget--
#define RETRIES_AT_START 1
#define RANK_AT_START i
#define OTHER_RANK (rank[i] < N -> i + N : i)
#endif

/* --- moves (MastershipMoves); i is the SM that steps --- */

inline unwatch() {
  watched[i] = NONE; awaiting[i] = false; misses[i] = 0; silences[i] = false; got[i] = NOTHING; got_rank[i] = 0
}

inline watch(who) { unwatch(); watched[i] = who; awaiting[i] = true }

inline forget_sweep() {
  sweep[i] = IDLE; again[i] = false;
  SEEN(0) = 0; SEEN(1) = 0; SEEN(2) = 0; SEEN_RANK(0) = 0; SEEN_RANK(1) = 0; SEEN_RANK(2) = 0
}

inline become(next) {
  if :: state[i] == MASTER -> forget_sweep(); other_master[i] = false :: else fi;
  state[i] = next; patience[i] = UNUSED;
  if
  :: next == MASTER ->
     if :: stopped[0] && i != 0 -> overtaken[0] = true :: else fi;
     if :: stopped[1] && i != 1 -> overtaken[1] = true :: else fi;
     if :: stopped[2] && i != 2 -> overtaken[2] = true :: else fi
  :: else
  fi
}

inline stand_by(who) { become(STANDBY); watch(who) }

inline hand_over(who, rules) {
  unwatch(); heir[i] = who; accepted[i] = false; heir_rules[i] = rules; handover[i] = handover[i] | (1 << who); outcome[i] = NOTHING
}

inline no_handover() { heir[i] = NONE; accepted[i] = false; heir_rules[i] = false; failures[i] = 0; outcome[i] = NOTHING }

inline finish() { unwatch(); no_handover() }

inline sweep_again() { again[i] = (sweep[i] != IDLE) }

inline forget() {                 /* this SM is dead, or was never there */
  state[i] = DEAD; patience[i] = UNUSED; missing[i] = 0; unwatch(); no_handover(); excluded[i] = NONE; ending[i] = false;
  forget_sweep(); stopped[i] = false; fresh[i] = false; overtaken[i] = false; other_master[i] = false
}

/* --- rules (MastershipRules, MastershipPolling) --- */

inline discovered() {
  d_step {
    j = 0;
    do
    :: j < N ->
       s = SEEN(j); r = SEEN_RANK(j);
       if :: s == SILENT -> silent = silent | (1 << j) :: else fi;
       if :: s == MASTER && (master == NONE || r > SEEN_RANK(master)) -> master = j :: else fi;
       if
       :: s >= DISCOVERING && s <= MASTER && r > rank[i] && (higher == NONE || r > SEEN_RANK(higher)) -> higher = j
       :: else
       fi;
       if
       :: (s == MASTER || s == STANDBY && excluded[i] != j) && r > rank[i] && (next == NONE || r > SEEN_RANK(next)) ->
          next = j
       :: else
       fi;
       if :: s == STANDBY || s == DISCOVERING -> undecided = true :: else fi;
       j++
    :: else -> break
    od;
    if :: silent != 0 && (silent & missing[i]) == 0 && TIMED -> patience[i] = CAREFUL :: else fi;
    missing[i] = silent;
    other_master[i] = (master != NONE);
    heir_is_master = false;
    if :: next != NONE -> heir_is_master = (SEEN(next) == MASTER) :: else fi;
    forget_sweep();
    if
    :: state[i] == DISCOVERING ->
       if :: master != NONE -> higher = master :: else fi;
       if
       :: higher != NONE && BUG != 2 -> stand_by(higher)
       :: (higher == NONE || BUG == 2) && MAY_WAIT -> if :: !TIMED -> patience[i] = WAITING :: else fi
       :: (higher == NONE || BUG == 2) && !MAY_WAIT ->
          if
          :: undecided && (patience[i] == CAREFUL || patience[i] == WAITING) -> patience[i] = LOOKING_AGAIN
          :: else -> become(MASTER); sweep[i] = GRANTED
          fi
       fi
    :: state[i] == MASTER && heir[i] == NONE ->
       if
       :: next != NONE -> hand_over(next, heir_is_master)
       :: next == NONE && master != NONE ->
          if :: watched[i] != master -> watch(master) :: else fi;
          if :: BUG == 3 -> sweep[i] = GRANTED :: else fi
       :: next == NONE && master == NONE && failures[i] > 0 && MAY_WAIT ->
          if :: !TIMED -> patience[i] = WAITING :: else fi
       :: else -> unwatch(); patience[i] = UNUSED; sweep[i] = GRANTED
       fi
    :: else
    fi;
    if :: sweep[i] == IDLE -> other_master[i] = false :: else fi;
    j = 0; s = 0; r = 0; silent = 0; master = NONE; higher = NONE; next = NONE; undecided = false;
    heir_is_master = false
  }
}

inline give_up_after(forgiven, then) {
  if
  :: misses[i] > forgiven ->
     unwatch();
     if :: state[i] == STANDBY -> become(DISCOVERING); patience[i] = then :: else fi;
     sweep_again()
  :: else
  fi
}

inline polled() {
  d_step {
    s = got[i]; r = got_rank[i]; got[i] = NOTHING; got_rank[i] = 0; awaiting[i] = false;
    if
    :: s == ABSENT -> misses[i]++; silences[i] = true; give_up_after(0, UNUSED)
    :: s != ABSENT && s != MASTER && state[i] == STANDBY ->
       misses[i]++; patient = retries[i]; then = CAREFUL;
       if                         /* a lower SM waits for this one */
       :: r < rank[i] && s == DISCOVERING -> patient = 0
       :: r < rank[i] && s == STANDBY && patient > 1 -> patient = 1
       :: else
       fi;
       if :: r < rank[i] && silences[i] -> then = UNUSED :: else fi;
       give_up_after(patient, then)
    :: s != ABSENT && s != MASTER && state[i] != STANDBY -> unwatch(); sweep_again()
    :: s == MASTER -> misses[i] = 0; silences[i] = false
    fi;
    s = 0; r = 0; patient = 0; then = 0
  }
}

inline poll_missed() {
  misses[i]++; silences[i] = true; awaiting[i] = false; got[i] = NOTHING; got_rank[i] = 0;
  give_up_after(retries[i], UNUSED)
}

inline poll_timer() {
  d_step {
    if :: awaiting[i] -> poll_missed() :: else fi;
    if :: watched[i] != NONE -> awaiting[i] = true :: else fi
  }
}

inline accept_handover(from) {
  d_step {
    unwatch();
    if :: state[i] == STANDBY -> become(MASTER) :: else fi;
    sweep_again(); ack[i] = ack[i] | (1 << from);
    if :: heir[from] == i -> outcome[from] = ACCEPTED :: else fi
  }
}

inline handed_over() {
  d_step {
    j = heir[i]; no_handover();
    if :: ending[i] -> finish() :: else -> stand_by(j) fi;
    j = 0
  }
}

inline handover_failed() {
  d_step {
    if :: failures[i] < HANDOVERS -> failures[i]++ :: else fi;
    j = heir[i]; heir[i] = NONE; outcome[i] = NOTHING;
    if
    :: ending[i] -> finish()
    :: !ending[i] && (failures[i] < HANDOVERS || heir_rules[i]) -> skip
    :: else -> failures[i] = 0; excluded[i] = j
    fi;
    heir_rules[i] = false; j = 0
  }
}

/* --- steps --- */

#define LOOK(k) \
  :: atomic { k != i && LIVES && sweep[i] == READING && SEEN(k) == NOTHING && MAY_LOOK(k) && ANSWERS(k) && ON(SEES, k, SHOWN(k)) && RANKED(k) -> \
       SEEN(k) = SHOWN(k); SEEN_RANK(k) = rank[k]; NEXT } \
  :: atomic { k != i && LIVES && sweep[i] == READING && SEEN(k) == NOTHING && MAY_LOOK(k) && ON(SEES, k, SILENT) && \
       (stopped[k] || HAS(losses)) -> \
       if :: stopped[k] -> skip :: else -> SPEND(losses) fi; \
       SEEN(k) = SILENT; NEXT } \
  :: atomic { k != i && LIVES && sweep[i] == READING && SEEN(k) == NOTHING && MAY_LOOK(k) && ON(SEES, k, ABSENT) && \
       (state[k] == DEAD || !REACHES(i, k)) -> \
       SEEN(k) = ABSENT; NEXT }

proctype sweeper(byte i) {
  byte j, s, r, silent, master = NONE, higher = NONE, next = NONE;
  bool undecided, heir_is_master;
end:
  do
  :: atomic { LIVES && (state[i] == DISCOVERING || state[i] == MASTER) && !ending[i] && (sweep[i] == IDLE || again[i]) &&
       ON(SWEEPS, 0, 0) ->
       forget_sweep(); sweep[i] = READING; fresh[i] = true; overtaken[i] = false; other_master[i] = false; AFTER }
  LOOK(0)
  LOOK(1)
  LOOK(2)
  :: atomic { LIVES && sweep[i] == READING && fresh[i] && ON(JUDGES, 0, 0) && (i == 0 || SEEN(0) != NOTHING) &&
       (i == 1 || SEEN(1) != NOTHING) && (i == 2 || SEEN(2) != NOTHING) ->
       discovered(); GRANT; AFTER }
  :: atomic { LIVES && sweep[i] == READING && down[i] && ON(PORT_DOWN, 0, 0) ->
       if
       :: state[i] == MASTER -> no_handover(); unwatch(); become(DISCOVERING); patience[i] = CAREFUL
       :: else -> forget_sweep()
       fi;
       AFTER }
  :: atomic { LIVES && sweep[i] == GRANTED -> forget_sweep(); other_master[i] = false }      /* the plan is refused */
  :: atomic { LIVES && sweep[i] == GRANTED && state[i] == MASTER && !ending[i] &&
       (fresh[i] || BUG == 1) && ON(WRITES, 0, 0) ->
       assert(!overtaken[i]);                                /* it has looked since it was away */
       assert(!other_master[i]);                             /* its own discovery found no other master */
       forget_sweep(); AFTER }
  od
}

proctype poller(byte i) {
  byte j, s, r, patient, then;
end:
  do
  :: atomic { LIVES && awaiting[i] && got[i] == NOTHING && ON(ANSWER, watched[i], SHOWN(watched[i])) &&
       ANSWERS(watched[i]) && RANKED(watched[i]) ->
       got[i] = SHOWN(watched[i]); got_rank[i] = rank[watched[i]]; ANSWERED }
  :: atomic { LIVES && awaiting[i] && got[i] == NOTHING && ON(ANSWER, watched[i], ABSENT) &&
       state[watched[i]] == DEAD && REACHES(i, watched[i]) ->
       got[i] = ABSENT; ANSWERED }
  :: atomic { LIVES && got[i] != NOTHING && ON(POLLED, 0, 0) -> polled(); AFTER }
  :: atomic { LIVES && watched[i] != NONE && (!awaiting[i] || !ANSWERS(watched[i]) || HAS(losses)) && ON(CHANGES, 0, 0) ->
       if :: !awaiting[i] || !ANSWERS(watched[i]) -> skip :: else -> SPEND(losses) fi;
       poll_timer(); AFTER }
  :: atomic { LIVES && awaiting[i] && (!ANSWERS(watched[i]) || HAS(losses)) && ON(CHANGES, 0, 0) ->
       if :: !ANSWERS(watched[i]) -> skip :: else -> SPEND(losses) fi;
       d_step { poll_missed() }; AFTER }
  od
}

#define MAIL(k) \
  :: atomic { k != i && LIVES && HAS_BIT(handover[k], i) && heir[i] == NONE && !ending[i] && ON(HANDOVER, k, ACCEPTED) -> \
       if :: handover[k] = WITHOUT(handover[k], i) :: HAS(losses) -> SPEND(losses) fi;                /* it may arrive twice */ \
       accept_handover(k); AFTER } \
  :: atomic { k != i && LIVES && HAS_BIT(handover[k], i) && (heir[i] != NONE || ending[i] || HAS(losses)) && \
       ON(HANDOVER, k, REFUSED) -> \
       if :: heir[i] != NONE || ending[i] -> handover[k] = WITHOUT(handover[k], i) :: HAS(losses) -> SPEND(losses) fi; \
       if :: heir[k] == i && outcome[k] == NOTHING -> outcome[k] = REFUSED :: else fi; AFTER } \
  :: atomic { k != i && LIVES && HAS_BIT(ack[k], i) && (heir[i] == k || state[i] != DISCOVERING) && ON(ACK, k, ACCEPTED) -> \
       if :: ack[k] = WITHOUT(ack[k], i) :: HAS(losses) -> SPEND(losses) fi; \
       if :: heir[i] == k -> handed_over() :: else fi; AFTER } \
  :: atomic { k != i && LIVES && HAS_BIT(ack[k], i) && (heir[i] != k && state[i] == DISCOVERING || HAS(losses)) && \
       ON(ACK, k, REFUSED) -> \
       if :: heir[i] != k && state[i] == DISCOVERING -> ack[k] = WITHOUT(ack[k], i) :: HAS(losses) -> SPEND(losses) fi; AFTER }

proctype mail(byte i) {
  byte j;
end:
  do
  MAIL(0)
  MAIL(1)
  MAIL(2)
  :: atomic { LIVES && heir[i] != NONE && !accepted[i] && outcome[i] == ACCEPTED && ON(CHANGES, 0, 0) ->
       accepted[i] = true; failures[i] = 0; AFTER }
  :: atomic { LIVES && heir[i] != NONE && !accepted[i] && (outcome[i] == REFUSED || !ANSWERS(heir[i]) || HAS(losses)) &&
       ON(CHANGES, 0, 0) ->
       if :: outcome[i] == REFUSED || !ANSWERS(heir[i]) -> skip :: else -> SPEND(losses) fi;
       handover_failed(); AFTER }
  :: atomic { LIVES && accepted[i] && ON(CHANGES, 0, 0) -> handed_over(); AFTER }                 /* no ACKNOWLEDGE */
  :: atomic { LIVES && excluded[i] != NONE && ON(CHANGES, 0, 0) -> excluded[i] = NONE; AFTER }
  :: atomic { LIVES && (patience[i] == WAITING || patience[i] == LOOKING_AGAIN) && ON(CHANGES, 0, 0) ->
       patience[i] = OVER; AFTER }
  od
}

#define END_FOR(k) \
     :: state[i] == MASTER && heir[i] == NONE && k != i -> hand_over(k, false); forget_sweep()

proctype faults(byte i) {
end:
  do
  :: atomic { state[i] == DEAD && HAS(starts) && ON(STARTS_UP, RETRIES_AT_START, 0) ->
       SPEND(starts); forget(); rank[i] = RANK_AT_START; retries[i] = RETRIES_AT_START;
       state[i] = DISCOVERING; patience[i] = CAREFUL; AFTER }
  :: atomic { state[i] != DEAD && (HAS(deaths) || ending[i] && heir[i] == NONE) && ON(DIES, 0, 0) ->
       if :: ending[i] && heir[i] == NONE -> skip :: else -> SPEND(deaths) fi;
       forget(); NEXT }
  :: atomic { LIVES && HAS(ends) && !ending[i] && ON(ENDS_ORDERLY, 0, 0) ->
       SPEND(ends); ending[i] = true;
       if
       END_FOR(0)
       END_FOR(1)
       END_FOR(2)
       :: state[i] == MASTER && heir[i] != NONE -> forget_sweep()
       :: heir[i] == NONE -> finish()
       fi;
       AFTER }
  :: atomic { state[i] != DEAD && HAS(changes) && ON(RANKS, 0, 0) -> SPEND(changes); rank[i] = OTHER_RANK; AFTER }
  :: atomic { HAS(cuts) && ON(LINK, 0, 1) -> SPEND(cuts); down[i] = true; NEXT }
  :: atomic { down[i] && ON(LINK, 0, 0) -> down[i] = false; NEXT }
  :: atomic { !island[i] && HAS(cuts) && ON(ISLAND, 0, 1) -> SPEND(cuts); island[i] = true; NEXT }
  :: atomic { island[i] && ON(ISLAND, 0, 0) -> island[i] = false; NEXT }
#ifndef TRACE
  :: atomic { LIVES && HAS(stops) -> SPEND(stops); stopped[i] = true }
  :: atomic { stopped[i] -> stopped[i] = false; fresh[i] = false; sweep_again() }
#endif
  od
}

init {
  byte i;
  atomic {
    BEGIN;
    do
    :: i < N ->
       rank[i] = i; watched[i] = NONE; heir[i] = NONE; excluded[i] = NONE;
       run sweeper(i); run poller(i); run mail(i); run faults(i); i++
    :: else -> break
    od;
    i = 0
  }
}

/* The highest living SM is master for ever, and others poll. */
#define settled ((state[2] == MASTER && state[1] != MASTER && state[0] != MASTER) || \
                 (state[2] == DEAD && state[1] == MASTER && state[0] != MASTER) || \
                 (state[2] == DEAD && state[1] == DEAD && state[0] != DISCOVERING && state[0] != STANDBY))
#ifdef SETTLES
ltl settles { <>[] settled }
#endif
