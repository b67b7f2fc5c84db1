package io.torussm.daemon.replay;

import io.torussm.sim.VirtualLoop;
import io.torussm.transport.MadFrame;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * The recorded MADs on their way to a replayed SM. MADs of the same nanosecond arrive in the order of the recording,
 * independent of the order of their requests.
 */
final class RecordedArrivals {
    private final VirtualLoop clock;
    private final Consumer<MadFrame> consumer;
    private final PriorityQueue<Arrival> arrivals =
            new PriorityQueue<>(Comparator.comparingLong(Arrival::dueNs).thenComparingInt(Arrival::number));

    /**
     * An arrival.
     *
     * @param dueNs time on the clock
     * @param number number of the MAD among the received MADs of the recording
     */
    private record Arrival(long dueNs, int number, MadFrame frame) {}

    /** @param taker callback; called with each MAD when it arrives */
    RecordedArrivals(VirtualLoop clock, Consumer<MadFrame> taker) {
        this.clock = clock;
        this.consumer = taker;
    }

    /**
     * Schedules an arrival.
     *
     * @param delayNs time until the arrival, in ns; a negative one counts as 0
     * @param number number of the MAD among the received MADs of the recording
     */
    void schedule(long delayNs, int number, MadFrame frame) {
        arrivals.add(new Arrival(clock.nowNs() + Math.max(0, delayNs), number, frame));
        clock.schedule(
                delayNs, () -> consumer.accept(arrivals.remove().frame())); // each task takes the first one that is due
    }
}
