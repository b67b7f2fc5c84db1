package io.torussm.dataplane.congestion;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The hosts' part: the flows that are slowed down, each with its CCTI and the messages that wait in its queue. A flow
 * at rest (CCTI 0, no messages) is not stored.
 */
public final class ThrottledFlows {
    private static final int SLS = 16;

    private final CongestionParameters parameters;
    private final CongestionCounters counters;
    private final boolean isBySl;
    private final int limit;

    /** By SL: CCTI_Min, -1 if flows are not slowed down; and the time of the timer. */
    private final int[] minimum = new int[SLS];

    private final long[] timerNs = new long[SLS];

    /** By host: its flows by SL and destination; null before the first. */
    private final @Nullable Map<Integer, Flow>[] flows;

    /** By {@code host * 16 + sl}: whether the timer runs. */
    private final boolean[] hasTimer;

    /** By number; null if it is free. */
    private final List<@Nullable Flow> byNumber = new ArrayList<>();

    private final ArrayDeque<Integer> free = new ArrayDeque<>();

    /**
     * The rest of a message that waits for its turn.
     *
     * @param to the destination: a host
     * @param bytes size of the whole message
     * @param atPs time at which it was due
     */
    public record HeldMessage(int to, int dlid, int sl, int bytes, long atPs) {}

    /** A flow that is slowed down. */
    public static final class Flow {
        /** Its number, below 2^28, and its host. */
        public final int number;

        public final int host;
        private final int key;
        private final int sl;
        private int ccti;

        /** The messages in its queue, and the remaining bytes of the first. */
        public final ArrayDeque<HeldMessage> held = new ArrayDeque<>();

        public int unsent;

        /** The time before which it sends no packet. */
        public long pausedUntilPs;

        /** True while the host's queue has a packet of it, or an event or the host's list of due flows contains it. */
        public boolean isPending;

        private Flow(int number, int host, int key, int sl) {
            this.number = number;
            this.host = host;
            this.key = key;
            this.sl = sl;
        }

        private boolean isAtRest() {
            return ccti == 0 && held.isEmpty() && !isPending;
        }
    }

    /** Starts with all flows at rest. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public ThrottledFlows(CongestionParameters parameters, CongestionCounters counters, int hosts) {
        this.parameters = parameters;
        this.counters = counters;
        isBySl = parameters.isBySl();
        limit = parameters.limit();
        for (int sl = 0; sl < SLS; sl++) {
            minimum[sl] = parameters.isThrottled(sl) ? parameters.minimum(sl) : -1;
            timerNs[sl] = parameters.timerNs(sl);
        }
        flows = new Map[hosts];
        hasTimer = new boolean[hosts * SLS];
    }

    private int key(int to, int sl) {
        return (isBySl ? 0 : to * SLS) + sl;
    }

    /**
     * Returns the flow of packets of a host.
     *
     * @param to the destination: a host
     * @return null if it is at rest
     */
    public @Nullable Flow flow(int host, int to, int sl) {
        Map<Integer, Flow> ofHost = flows[host];
        Flow flow = ofHost == null ? null : ofHost.get(key(to, sl));
        if (flow == null && minimum[sl] > 0) {
            flow = create(host, key(to, sl), sl);
        }
        return flow;
    }

    /** Returns a flow by its number. */
    public Flow flow(int number) {
        return Objects.requireNonNull(byNumber.get(number));
    }

    private Flow create(int host, int key, int sl) {
        int number = free.isEmpty() ? byNumber.size() : free.removeFirst();
        Flow flow = new Flow(number, host, key, sl);
        flow.ccti = minimum[sl];
        if (number == byNumber.size()) {
            byNumber.add(flow);
        } else {
            byNumber.set(number, flow);
        }
        Map<Integer, Flow> ofHost = flows[host];
        if (ofHost == null) {
            ofHost = new HashMap<>();
            flows[host] = ofHost;
        }
        ofHost.put(key, flow);
        return flow;
    }

    /**
     * Handles BECN.
     *
     * @param host that receives it
     * @param from the host that returns it
     * @return the time after which the timer of host and SL ends, in nanoseconds; 0 if none begins
     */
    public long notified(int host, int from, int sl) {
        if (minimum[sl] < 0) {
            counters.notify(host, 0);
            return 0;
        }
        Flow flow = flow(host, from, sl);
        if (flow == null) {
            flow = create(host, key(from, sl), sl);
        }
        int previous = flow.ccti;
        flow.ccti = Math.min(limit, previous + parameters.increase(sl));
        counters.notify(host, flow.ccti);
        int trigger = parameters.triggerThreshold(sl);
        if (trigger > 0 && previous < trigger && flow.ccti >= trigger) {
            counters.trigger();
        }
        forget(flow);
        int timer = host * SLS + sl;
        if (hasTimer[timer] || flow.ccti <= minimum[sl]) {
            return 0;
        }
        hasTimer[timer] = true;
        return timerNs[sl];
    }

    /**
     * Handles the end of a timer.
     *
     * @param timer {@code host * 16 + sl}
     * @return the time after which it ends again; 0 if it stops
     */
    public long expired(int timer) {
        int sl = timer % SLS;
        Map<Integer, Flow> ofHost = flows[timer / SLS];
        boolean isAbove = false;
        for (Flow flow : ofHost == null ? List.<Flow>of() : List.copyOf(ofHost.values())) {
            if (flow.sl == sl && flow.ccti > minimum[sl]) {
                flow.ccti--;
                isAbove |= flow.ccti > minimum[sl];
                forget(flow);
            }
        }
        hasTimer[timer] = isAbove;
        return isAbove ? timerNs[sl] : 0;
    }

    /** Notes that a packet of a flow leaves its host until a time; the flow pauses then. */
    public void sent(Flow flow, long endPs, long packetPs) {
        flow.pausedUntilPs = endPs + parameters.pausePs(flow.ccti, packetPs);
    }

    /** Removes a flow that has nothing to send, if it is at rest. */
    public void forget(Flow flow) {
        Map<Integer, Flow> ofHost = flows[flow.host];
        if (flow.isAtRest() && ofHost != null) {
            ofHost.remove(flow.key);
            byNumber.set(flow.number, null);
            free.add(flow.number);
        }
    }

    /** Counts a message that has no place in the queue of its flow. */
    public void withhold() {
        counters.withhold();
    }

    /** Returns the CCTI of the flow of a host, 0 at rest. */
    int ccti(int host, int to, int sl) {
        Map<Integer, Flow> ofHost = flows[host];
        Flow flow = ofHost == null ? null : ofHost.get(key(to, sl));
        return flow == null ? 0 : flow.ccti;
    }
}
