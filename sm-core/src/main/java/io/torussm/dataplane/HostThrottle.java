package io.torussm.dataplane;

import static io.torussm.dataplane.DataPlane.NONE;
import static io.torussm.dataplane.DataPlane.PS_PER_NS;

import io.torussm.dataplane.congestion.CongestionCounters;
import io.torussm.dataplane.congestion.CongestionParameters;
import io.torussm.dataplane.congestion.ThrottledFlows;
import io.torussm.dataplane.congestion.ThrottledFlows.Flow;
import io.torussm.dataplane.congestion.ThrottledFlows.QueuedMessage;
import java.util.ArrayDeque;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The hosts' part of congestion control: receivers return BECN, and flows that are slowed down have queues of their
 * own. Such a flow has at most one packet in the host's queue, so that its pause begins when that has left.
 */
final class HostThrottle {
    private final DataPlane plane;
    private final Senders senders;
    private final ThrottledFlows flows;

    /** By host: flows with a packet to send, whose pause is over, in the order in which they get space. */
    private final ArrayDeque<Flow>[] dueFlows;

    /** By host: whether the next space is for other packets, if these wait, too. */
    private final boolean[] isTurnOfOthers;

    /** By host: CNPs in its queue. */
    private final int[] cnps;

    /** Returns the part of congestion control of all hosts; null if no switch marks, and no flow is slow at rest. */
    static @Nullable HostThrottle of(DataPlane plane, Senders senders, int hosts) {
        CongestionParameters congestion = plane.settings.congestion();
        CongestionCounters counters = plane.marks.counters;
        if (congestion == null || counters == null) {
            return null;
        }
        ThrottledFlows flows = new ThrottledFlows(congestion, counters, hosts);
        return plane.marks.canMark() || flows.hasMinimum() ? new HostThrottle(plane, senders, flows, hosts) : null;
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    private HostThrottle(DataPlane plane, Senders senders, ThrottledFlows flows, int hosts) {
        this.plane = plane;
        this.senders = senders;
        this.flows = flows;
        dueFlows = IntStream.range(0, hosts)
                .mapToObj(host -> new ArrayDeque<Flow>(0))
                .toArray(ArrayDeque[]::new);
        isTurnOfOthers = new boolean[hosts];
        cnps = new int[hosts];
    }

    /**
     * Returns the flow of packets of a host, null if it is not slowed down.
     *
     * @param sl -1 if there is no path
     */
    @Nullable
    Flow flow(int host, int to, int sl) {
        return sl < 0 ? null : flows.flow(host, to, sl);
    }

    /** Checks whether the queue of a flow has space for a message of an endless workload. */
    boolean hasSpace(Flow flow) {
        return flow.queuedMessages.size() < plane.settings.backlog();
    }

    /** Counts a message that is lost because the queue of its flow has no space. */
    void countWithheld() {
        flows.countWithheld();
    }

    /**
     * Adds the rest of a message to the queue of a flow.
     *
     * @param unsent bytes of the rest
     */
    void queueMessage(Flow flow, QueuedMessage message, int unsent) {
        if (flow.queuedMessages.isEmpty()) {
            flow.unsent = unsent;
        }
        flow.queuedMessages.add(message);
        advance(flow);
    }

    private void advance(Flow flow) {
        if (flow.isPending) {
            return;
        }
        if (flow.queuedMessages.isEmpty()) {
            flows.forget(flow);
        } else if (flow.pausedUntilPs > plane.nowNs() * PS_PER_NS) {
            flow.isPending = true;
            plane.releaseAt(flow.pausedUntilPs, flow.number);
        } else if (senders.hasSpace(flow.host())) {
            send(flow);
        } else {
            flow.isPending = true;
            dueFlows[flow.host()].add(flow);
        }
    }

    /** Queues a packet; returns false if it is lost immediately. */
    private boolean send(Flow flow) {
        QueuedMessage message = flow.queuedMessages.element();
        int bytes = Math.min(flow.unsent, plane.settings.packetBytes());
        flow.unsent -= bytes;
        int ends = 0;
        if (flow.unsent == 0) {
            ends = message.bytes();
            flow.queuedMessages.remove();
            flow.unsent = flow.queuedMessages.isEmpty()
                    ? 0
                    : flow.queuedMessages.element().bytes();
        }
        flow.isPending = true;
        if (senders.queue(flow.host(), message.dlid(), message.sl(), bytes, ends, message.atPs(), flow.number)) {
            return true;
        }
        flow.isPending = false;
        pause(flow, bytes, plane.nowNs() * PS_PER_NS + senders.packetPs(flow.host(), bytes));
        return false;
    }

    private void pause(Flow flow, int bytes, long endPs) {
        flows.pauseAfterPacket(flow, endPs, senders.packetPs(flow.host(), bytes));
        advance(flow);
    }

    /** Handles the end of a pause. */
    void release(int number) {
        Flow flow = flows.flow(number);
        flow.isPending = false;
        advance(flow);
    }

    /**
     * Handles a packet that leaves its host, and gives its space to a flow that is due.
     *
     * @return false if the space is for other packets
     */
    boolean onPacketLeft(int packet, long endPs) {
        int host = plane.packets.source[packet];
        int number = plane.packets.flow[packet];
        if (number != NONE) {
            Flow flow = flows.flow(number);
            flow.isPending = false;
            pause(flow, plane.packets.bytes[packet], endPs);
        }
        if (dueFlows[host].isEmpty() || (isTurnOfOthers[host] && senders.waitsForSpace(host))) {
            isTurnOfOthers[host] = false;
            return false;
        }
        isTurnOfOthers[host] = true;
        return fill(host);
    }

    /** Gives the space of a host to flows that are due; returns false if all of their packets are lost. */
    boolean fill(int host) {
        boolean isUsed = false;
        while (!dueFlows[host].isEmpty() && senders.hasSpace(host)) {
            isUsed |= send(dueFlows[host].remove());
        }
        return isUsed;
    }

    void onCnpLeft(int host) {
        cnps[host]--;
    }

    /** Handles a packet with FECN, or a CNP, that has arrived at a host. */
    void onCongestion(int packet, int host) {
        int from = plane.packets.source[packet];
        int sl = plane.packets.sl[packet];
        if (plane.packets.congestion[packet] == Packets.CNP) {
            long ns = flows.onBecn(host, from, sl);
            if (ns > 0) {
                plane.countDownAfter(ns, host << DataPlane.VL_BITS | sl);
            }
        } else if (cnps[host] < plane.settings.backlog() && senders.queueCnp(host, from, sl)) {
            cnps[host]++;
        }
    }

    /** Handles the end of a timer. */
    void onTimerEnd(int timer) {
        long ns = flows.onTimerEnd(timer);
        if (ns > 0) {
            plane.countDownAfter(ns, timer);
        }
    }
}
