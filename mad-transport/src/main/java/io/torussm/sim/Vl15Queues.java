package io.torussm.sim;

import io.torussm.sim.model.PortCounter;
import io.torussm.transport.Loop;
import java.util.List;
import java.util.Objects;

/**
 * The queues for VL15, on which SMPs travel without flow control. Each port sends one SMP at a time, and each subnet
 * management agent serves one. Both drop SMPs while their queue is full. Confined to the loop.
 *
 * <p>The route of an SMP is determined when it departs, as without queues. Only its time, and its loss, are computed
 * hop by hop, which costs a task of the loop for each hop.
 */
final class Vl15Queues {
    private final Loop loop;
    private final SimFabric.Vl15 limits;
    private final long hopNs;
    private long dropped;

    /** A queue: its number of SMPs, and the time at which all of them are served. */
    static final class Queue {
        private int length;
        private long freeNs;
    }

    /**
     * Creates empty queues.
     *
     * @param hopNs time on a cable
     */
    Vl15Queues(Loop loop, SimFabric.Vl15 limits, long hopNs) {
        this.loop = loop;
        this.limits = limits;
        this.hopNs = hopNs;
    }

    /** Sends an SMP through the queues of ports, then calls {@code arrived} unless a full queue has dropped it. */
    void travel(List<SimPort> egresses, Runnable arrived) {
        leave(egresses, 0, arrived);
    }

    private void leave(List<SimPort> egresses, int next, Runnable arrived) {
        if (next == egresses.size()) {
            arrived.run();
            return;
        }
        SimPort port = egresses.get(next);
        serve(port.vl15, port, () -> {
            if (hopNs == 0) {
                leave(egresses, next + 1, arrived);
            } else {
                loop.schedule(hopNs, () -> leave(egresses, next + 1, arrived));
            }
        });
    }

    /** Queues a request for the agent of a device, then calls {@code answered}. */
    void enqueueRequest(SimDevice device, Runnable answered) {
        serve(device.agent, Objects.requireNonNull(device.port(device.node.firstPort())), answered);
    }

    private void serve(Queue queue, SimPort port, Runnable served) {
        if (queue.length >= limits.depth()) {
            dropped++;
            port.counts().add(PortCounter.VL15_DROPPED, 1);
            return;
        }
        queue.length++;
        queue.freeNs = Math.max(queue.freeNs, loop.nowNs()) + limits.serviceNs();
        loop.schedule(queue.freeNs - loop.nowNs(), () -> {
            queue.length--;
            served.run();
        });
    }

    /** Returns the number of SMPs dropped so far. */
    long dropped() {
        return dropped;
    }
}
