/* Mastership with handover of three SMs, as docs/operator/mastership.md describes it; SM 2 ranks highest. Time is order only: any step
   may take any time, and an SM may stand still from one step to another. A request and its response are one step; LOSSES of them are
   lost. packaging/proof/model.sh visits all its states. BUG plants a fault that it must find. */
#define N 3
#define RETRIES 1                 /* polls in a row that may find no master */
#define WAITS 1                   /* looks while an SM with IsSM does not answer: silent_master_wait */

#define DEAD 0
#define DISCOVERING 1
#define STANDBY 2
#define MASTER 3
#define SILENT 4                  /* how an SM appears that does not answer, and has IsSM */
#define NONE 3

byte state[N];
bool stopped[N];                  /* the process stands still */
bool fresh[N];                    /* it has not stood still, nor been handed over to, since its discovery began */
bool writes[N];                   /* it has a plan with a certificate, and Sets left */
bool overtaken[N];                /* ghost: another became master while this one stood still, and it has not looked since */
byte starts = STARTS, deaths = DEATHS, stops = STOPS, losses = LOSSES;

inline look(j, seen) {
  if
  :: state[j] == DEAD -> seen = DEAD
  :: state[j] != DEAD && stopped[j] -> seen = SILENT
  :: state[j] != DEAD && !stopped[j] -> seen = state[j]
  :: state[j] != DEAD && !stopped[j] && losses > 0 -> losses--; seen = SILENT
  fi
}

inline become_master(m) {
  state[m] = MASTER;
  if :: stopped[0] && m != 0 -> overtaken[0] = true :: else fi;
  if :: stopped[1] && m != 1 -> overtaken[1] = true :: else fi;
  if :: stopped[2] && m != 2 -> overtaken[2] = true :: else fi
}

inline stand_by(j) { state[i] = STANDBY; watched = j; misses = 0; waited = 0; looked = false; failed = false }

inline accept_handover(j) {
  if :: state[j] == STANDBY -> become_master(j) :: else fi;
  fresh[j] = false                /* it begins a full sweep */
}

inline hand_over(j) {
  if
  :: state[j] == DEAD || stopped[j] -> failed = true
  :: state[j] != DEAD && !stopped[j] && losses > 0 -> losses--; failed = true                        /* HANDOVER is lost */
  :: state[j] != DEAD && !stopped[j] && losses > 0 -> losses--; failed = true; accept_handover(j)    /* its response is lost */
  :: state[j] != DEAD && !stopped[j] -> accept_handover(j); stand_by(j)
  fi
}

inline decide() {                 /* after a discovery */
  if
  :: state[i] == DISCOVERING && master != NONE && BUG != 2 -> stand_by(master)
  :: state[i] == DISCOVERING && master == NONE && higher != NONE && BUG != 2 -> stand_by(higher)
  :: state[i] == DISCOVERING && (master == NONE && higher == NONE || BUG == 2) ->
     if
     :: silent && waited < WAITS -> waited++
     :: !(silent && waited < WAITS) && lower && !looked -> looked = true
     :: else -> become_master(i); waited = 0; may_write = true
     fi
  :: state[i] == MASTER && heir != NONE -> hand_over(heir)
  :: state[i] == MASTER && heir == NONE && master != NONE -> may_write = (BUG == 3)    /* a lower one: wait until it hands over */
  :: state[i] == MASTER && heir == NONE && master == NONE ->
     if
     :: failed && silent && waited < WAITS -> waited++
     :: else -> failed = false; waited = 0; may_write = true
     fi
  :: else
  fi
}

proctype sm(byte i) {
  byte j, seen, watched, misses, waited, master, higher, heir;
  bool looked, failed, silent, lower, may_write, found_master;

end:
  do
  :: d_step { state[i] == DEAD && starts > 0 ->
       starts--; state[i] = DISCOVERING; stopped[i] = false; overtaken[i] = false;
       watched = 0; misses = 0; waited = 0; looked = false; failed = false }

  :: atomic { state[i] == STANDBY && !stopped[i] ->                             /* a poll */
       look(watched, seen);
       if
       :: seen == MASTER -> misses = 0
       :: seen == DISCOVERING && watched < i -> misses = RETRIES + 1            /* restarted, and waits for this SM */
       :: else -> misses++
       fi;
       seen = 0;
       if
       :: misses > RETRIES -> state[i] = DISCOVERING; watched = 0; misses = 0
       :: else
       fi }

  :: d_step { (state[i] == DISCOVERING || state[i] == MASTER) && !stopped[i] -> /* a sweep begins with a discovery */
       fresh[i] = true; overtaken[i] = false; master = NONE; higher = NONE; heir = NONE; j = (i == 0 -> 1 : 0) }
     do
     :: atomic { j < N && state[i] != DEAD && !stopped[i] ->
          look(j, seen);
          if
          :: seen == SILENT -> silent = true
          :: seen == MASTER -> master = j; if :: j > i -> heir = j :: else fi
          :: seen == STANDBY && j > i -> higher = j; heir = j
          :: seen == DISCOVERING && j > i -> higher = j
          :: (seen == STANDBY || seen == DISCOVERING) && j < i -> lower = true
          :: else
          fi;
          seen = 0;
          j = (j + 1 == i -> j + 2 : j + 1) }
     :: j >= N || state[i] == DEAD -> break
     od;
     atomic { state[i] == DEAD || !stopped[i] ->
       found_master = (master != NONE);
       if
       :: state[i] != DEAD && fresh[i] -> decide()
       :: else                                                                  /* look again */
       fi;
       if
       :: may_write ->
          if
          :: writes[i] = true                                                   /* the plan has a certificate */
          :: BUG == 4 -> found_master = true; writes[i] = true                  /* or has none, and is not refused */
          :: skip                                                               /* or is refused */
          fi
       :: else
       fi;
       j = 0; master = 0; higher = 0; heir = 0; silent = false; lower = false; may_write = false }
     if
     :: atomic { writes[i] && state[i] == MASTER && !stopped[i] && (fresh[i] || BUG == 1) ->                   /* a Set */
          assert(!overtaken[i]);                                                /* it has asked since it was away */
          assert(!found_master);                                                /* its own discovery found no other master; a certificate */
          writes[i] = false; found_master = false }
     :: atomic { !writes[i] || state[i] != MASTER || !stopped[i] -> writes[i] = false; found_master = false }
     fi
  od
}

proctype faults() {
end:
  do
  :: d_step { deaths > 0 && state[0] != DEAD -> deaths--; state[0] = DEAD; writes[0] = false; stopped[0] = false }
  :: d_step { deaths > 0 && state[1] != DEAD -> deaths--; state[1] = DEAD; writes[1] = false; stopped[1] = false }
  :: d_step { deaths > 0 && state[2] != DEAD -> deaths--; state[2] = DEAD; writes[2] = false; stopped[2] = false }
  :: d_step { stops > 0 && state[0] != DEAD && !stopped[0] -> stops--; stopped[0] = true }
  :: d_step { stops > 0 && state[1] != DEAD && !stopped[1] -> stops--; stopped[1] = true }
  :: d_step { stops > 0 && state[2] != DEAD && !stopped[2] -> stops--; stopped[2] = true }
  :: d_step { stopped[0] -> stopped[0] = false; fresh[0] = false }
  :: d_step { stopped[1] -> stopped[1] = false; fresh[1] = false }
  :: d_step { stopped[2] -> stopped[2] = false; fresh[2] = false }
  od
}

init { atomic { run sm(0); run sm(1); run sm(2); run faults() } }

/* The highest living SM is master for ever, and others poll. */
#define settled ((state[2] == MASTER && state[1] != MASTER && state[0] != MASTER) || \
                 (state[2] == DEAD && state[1] == MASTER && state[0] != MASTER) || \
                 (state[2] == DEAD && state[1] == DEAD && state[0] != DISCOVERING && state[0] != STANDBY))
#ifdef SETTLES
ltl settles { <>[] settled }
#endif
