/* The steps of mastership.pml as far as a trace of the code has them, for -DTRACE. A line of the trace (ModelTrace):
   kind, SM, other SM, value, rank, and the state of the SM after the step. pan prints "accepted" if some run of the
   model takes all steps, else "rejected at LINE", the first line that no run takes. */
c_decl {
  enum { FIELDS = 17 };
  static unsigned char *trace_lines;
  static int trace_length = 0;
  static int trace_reached = 0;
  static void trace_report(void) {
    if (trace_reached < trace_length) printf("rejected at %d\n", trace_reached + 1);
  }
  static void trace_reach(int line) {
    if (line > trace_reached) trace_reached = line;
    if (line == trace_length) { printf("accepted %d\n", line); exit(0); }
  }
  static void trace_load(void) {
    int room = 0, value, count = 0;
    FILE *file = fopen(getenv("TRACE") ? getenv("TRACE") : "", "r");
    if (!file) { printf("TRACE names no file\n"); exit(2); }
    while (fscanf(file, "%d", &value) == 1) {
      if (count == room) trace_lines = realloc(trace_lines, room = 2 * room + 4096);
      trace_lines[count++] = (unsigned char) value;
    }
    if (count % FIELDS != 0 || !feof(file)) { printf("no trace\n"); exit(2); }
    fclose(file);
    trace_length = count / FIELDS;
    atexit(trace_report);
    trace_reach(0);
  }
}
int at;
bool astray; /* a step had another result than the trace */

#define LINE(field) c_expr { trace_lines[now.at * FIELDS + field] }
#define ON(kind, other, value) (!astray && LINE(0) == kind && LINE(1) == i && LINE(2) == (other) && LINE(3) == (value))
#define RANKED(other) (LINE(4) == rank[other])
#define RETRIES_AT_START LINE(2)
#define RANK_AT_START LINE(4)
#define OTHER_RANK LINE(4)
#define HAS(budget) true
#define SPEND(budget) skip
#define BEGIN c_code { trace_load(); }
#define NEXT at++; c_code { trace_reach(now.at); }
#define MAY_LOOK(k) true
#define ANSWERED NEXT
/* A step whose result differs from the trace ends the run: a condition that blocked here could come true by the step of
   another process. */
#define GRANT if :: LINE(4) == sweep[i] -> skip :: else -> astray = true fi
#define EQUAL \
  (LINE(5) == state[i] && LINE(6) == patience[i] && LINE(7) == missing[i] && LINE(8) == watched[i] && \
   LINE(9) == misses[i] && LINE(10) == awaiting[i] && LINE(11) == silences[i] && LINE(12) == heir[i] && \
   LINE(13) == failures[i] && LINE(14) == excluded[i] && LINE(15) == accepted[i] && LINE(16) == ending[i])
#define AFTER if :: !astray && EQUAL -> NEXT :: else -> astray = true fi

/* ModelTrace.Kind */
#define STARTS_UP 0
#define DIES 1
#define RANKS 2
#define LINK 3
#define ISLAND 4
#define SWEEPS 5
#define SEES 6
#define JUDGES 7
#define PORT_DOWN 8
#define WRITES 9
#define ANSWER 10
#define POLLED 11
#define HANDOVER 12
#define ACK 13
#define ENDS_ORDERLY 14
#define CHANGES 15
