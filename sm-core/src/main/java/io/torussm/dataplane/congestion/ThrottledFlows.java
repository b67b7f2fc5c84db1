package io.torussm.dataplane.congestion;

import java.util.ArrayDeque;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The hosts' part: the flows that are slowed down, each with its CCTI and the messages that wait in its queue. A flow
 * at rest (CCTI 0, no messages) is not stored.
 */
public final class ThrottledFlows {
    private static final int SLS = 16;
    private static final int FIRST_SIZE = 4;
    private static final int FEW = 16;

    /** Destinations in a page. */
    private static final int PAGE_BITS = 6;

    private static final int PAGE_SIZE = 1 << PAGE_BITS;

    private final CongestionCounters counters;
    private final int hosts;
    private final boolean isBySl;
    private final int limit;

    /** By CCTI: the entry of the table. */
    private final int[] delays;

    /** By SL: CCTI_Min, -1 if flows are not slowed down; CCTI_Increase; Trigger_Threshold; the time of the timer. */
    private final int[] minimum = new int[SLS];

    private final int[] increase = new int[SLS];
    private final int[] trigger = new int[SLS];
    private final long[] timerNs = new long[SLS];

    /** By {@code host * 16 + sl}: its flows; null before the first. */
    private final @Nullable SlFlows[] flows;

    /** By number; the numbers from {@link #numbers} on were never used. */
    private Flow[] byNumber = new Flow[FIRST_SIZE];

    private int numbers;

    /** Flows at rest, whose objects and numbers are used again. */
    private final ArrayDeque<Flow> free = new ArrayDeque<>();

    /**
     * The rest of a message that waits for its turn.
     *
     * @param to the destination: a host
     * @param bytes size of the whole message
     * @param atPs time at which it was due
     */
    public record QueuedMessage(int to, int dlid, int sl, int bytes, long atPs) {}

    /** A flow that is slowed down. */
    public static final class Flow {
        /** Its number, below 2^28. */
        public final int number;

        private int host;

        /** The destination; 0 if the flow is of all destinations. */
        private int to;

        private int sl;
        private int ccti;

        /** Its place among the flows of its host and SL. */
        private int place;

        /** The messages in its queue, and the remaining bytes of the first. */
        public final ArrayDeque<QueuedMessage> queuedMessages = new ArrayDeque<>(1);

        public int unsent;

        /** The time before which it sends no packet. */
        public long pausedUntilPs;

        /** True while the host's queue has a packet of it, or an event or the host's list of due flows contains it. */
        public boolean isPending;

        private Flow(int number) {
            this.number = number;
        }

        /** Returns its host. */
        public int host() {
            return host;
        }

        private void begin(int ofHost, int toHost, int ofSl, int atCcti) {
            host = ofHost;
            to = toHost;
            sl = ofSl;
            ccti = atCcti;
            unsent = 0;
            pausedUntilPs = 0;
        }

        private boolean isIdle() {
            return ccti == 0 && queuedMessages.isEmpty() && !isPending;
        }
    }

    /** The flows of an SL of a host that are not at rest. */
    private static final class SlFlows {
        /** By destination, in pages of {@value #PAGE_SIZE}; null if there is none. */
        private final @Nullable Flow[][] pages;

        /** In no order. */
        private Flow[] all = new Flow[FIRST_SIZE];

        private int count;

        /** Bit n % 64 for each destination n; may have more while there are many. */
        private long destinations;

        private boolean hasTimer;

        SlFlows(int destinations) {
            pages = new Flow[(destinations - 1 >> PAGE_BITS) + 1][];
        }

        @Nullable
        Flow get(int to) {
            Flow[] page = (destinations >>> to & 1) == 0 ? null : pages[to >> PAGE_BITS];
            return page == null ? null : page[to & PAGE_SIZE - 1];
        }

        void add(Flow flow) {
            Flow[] page = pages[flow.to >> PAGE_BITS];
            if (page == null) {
                page = new Flow[PAGE_SIZE];
                pages[flow.to >> PAGE_BITS] = page;
            }
            page[flow.to & PAGE_SIZE - 1] = flow;
            all = count < all.length ? all : Arrays.copyOf(all, 2 * count);
            flow.place = count;
            all[count++] = flow;
            destinations |= 1L << flow.to;
        }

        void remove(Flow flow) {
            pages[flow.to >> PAGE_BITS][flow.to & PAGE_SIZE - 1] = null;
            Flow moved = all[--count];
            all[flow.place] = moved;
            moved.place = flow.place;
            all[count] = null;
            if (count <= FEW) {
                destinations = 0;
                for (int i = 0; i < count; i++) {
                    destinations |= 1L << all[i].to;
                }
            }
        }
    }

    /** Starts with all flows at rest. */
    public ThrottledFlows(CongestionParameters parameters, CongestionCounters counters, int hosts) {
        this.counters = counters;
        this.hosts = hosts;
        isBySl = parameters.isBySl();
        limit = parameters.limit();
        delays = parameters.delays();
        for (int sl = 0; sl < SLS; sl++) {
            minimum[sl] = parameters.isThrottled(sl) ? parameters.minimum(sl) : -1;
            increase[sl] = parameters.increase(sl);
            trigger[sl] = parameters.triggerThreshold(sl);
            timerNs[sl] = parameters.timerNs(sl);
        }
        flows = new SlFlows[hosts * SLS];
    }

    /**
     * Returns the flow of packets of a host.
     *
     * @param to the destination: a host
     * @return null if it is at rest
     */
    public @Nullable Flow flow(int host, int to, int sl) {
        SlFlows ofSl = flows[host * SLS + sl];
        Flow flow = ofSl == null ? null : ofSl.get(isBySl ? 0 : to);
        return flow != null || minimum[sl] <= 0 ? flow : create(host, to, sl);
    }

    /** Checks whether hosts slow flows down without BECN: an SL has CCTI_Min. */
    public boolean hasMinimum() {
        return Arrays.stream(minimum).anyMatch(ccti -> ccti > 0);
    }

    /** Returns a flow by its number. */
    public Flow flow(int number) {
        return byNumber[number];
    }

    private Flow create(int host, int to, int sl) {
        Flow flow = free.isEmpty() ? newFlow() : free.removeLast();
        flow.begin(host, isBySl ? 0 : to, sl, minimum[sl]);
        ofSl(host, sl).add(flow);
        return flow;
    }

    private Flow newFlow() {
        byNumber = numbers < byNumber.length ? byNumber : Arrays.copyOf(byNumber, 2 * numbers);
        Flow flow = new Flow(numbers);
        byNumber[numbers++] = flow;
        return flow;
    }

    private SlFlows ofSl(int host, int sl) {
        SlFlows ofSl = flows[host * SLS + sl];
        if (ofSl == null) {
            ofSl = new SlFlows(isBySl ? 1 : hosts);
            flows[host * SLS + sl] = ofSl;
        }
        return ofSl;
    }

    /**
     * Handles BECN.
     *
     * @param host that receives it
     * @param from the host that returns it
     * @return the time after which the timer of host and SL ends, in nanoseconds; 0 if none begins
     */
    public long onBecn(int host, int from, int sl) {
        if (minimum[sl] < 0) {
            counters.countNotification(host, 0);
            return 0;
        }
        Flow flow = flow(host, from, sl);
        if (flow == null) {
            flow = create(host, from, sl);
        }
        int previous = flow.ccti;
        flow.ccti = Math.min(limit, previous + increase[sl]);
        counters.countNotification(host, flow.ccti);
        if (trigger[sl] > 0 && previous < trigger[sl] && flow.ccti >= trigger[sl]) {
            counters.countTrigger();
        }
        forget(flow);
        SlFlows ofSl = ofSl(host, sl);
        if (ofSl.hasTimer || flow.ccti <= minimum[sl]) {
            return 0;
        }
        ofSl.hasTimer = true;
        return timerNs[sl];
    }

    /**
     * Handles the end of a timer.
     *
     * @param timer {@code host * 16 + sl}
     * @return the time after which it ends again; 0 if it stops
     */
    public long onTimerEnd(int timer) {
        int sl = timer % SLS;
        SlFlows ofSl = ofSl(timer / SLS, sl);
        boolean isAbove = false;
        for (int place = ofSl.count - 1; place >= 0; place--) {
            Flow flow = ofSl.all[place];
            if (flow.ccti > minimum[sl]) {
                flow.ccti--;
                isAbove |= flow.ccti > minimum[sl];
                forget(flow);
            }
        }
        ofSl.hasTimer = isAbove;
        return isAbove ? timerNs[sl] : 0;
    }

    /** Notes that a packet of a flow leaves its host until a time; the flow pauses then. */
    public void pauseAfterPacket(Flow flow, long endPs, long packetPs) {
        flow.pausedUntilPs = endPs + CongestionParameters.delay(delays[flow.ccti], packetPs);
    }

    /** Removes a flow that has nothing to send, if it is at rest. */
    public void forget(Flow flow) {
        if (flow.isIdle()) {
            ofSl(flow.host, flow.sl).remove(flow);
            free.add(flow);
        }
    }

    /** Counts a message that has no place in the queue of its flow. */
    public void countWithheld() {
        counters.countWithheld();
    }

    /** Returns the CCTI of the flow of a host, 0 at rest. */
    int ccti(int host, int to, int sl) {
        SlFlows ofSl = flows[host * SLS + sl];
        Flow flow = ofSl == null ? null : ofSl.get(isBySl ? 0 : to);
        return flow == null ? 0 : flow.ccti;
    }
}
