package io.torussm.sa;

import io.torussm.Interleavings;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.concurrent.atomic.AtomicInteger;

/** Requests of the SA that arrive while lanes run: each that was not dropped is served once, and no lane is lost. */
public final class QueueInterleavings {
    private QueueInterleavings() {}

    public static void explore(int limit) {
        Interleavings.explore("RequestQueue: offers, lanes", limit, outcome -> {
            AtomicInteger served = new AtomicInteger();
            AtomicInteger refused = new AtomicInteger();
            RequestQueue queue = new RequestQueue(
                    Interleavings::start,
                    new RequestQueue.Limits(2, 1, 1, 1),
                    (request, isRefused) -> (isRefused ? refused : served).incrementAndGet());
            AtomicInteger accepted = new AtomicInteger();
            Thread other = Interleavings.start(() -> offer(queue, accepted, 1, true));
            offer(queue, accepted, 2, false);
            offer(queue, accepted, 2, false);
            Interleavings.join(other);
            Interleavings.joinStarted();
            Interleavings.check(served.get() + refused.get() == accepted.get(), "each is served once");
            Interleavings.check(queue.waiting() == 0 && queue.claimImmediateAnswer(0), "no lane is left");
            outcome.add(served + " served, " + refused + " BUSY");
        });
    }

    private static void offer(RequestQueue queue, AtomicInteger accepted, int requester, boolean isLarge) {
        MadFrame frame = new MadFrame(new MadAddress(requester, 1, 0, 0), new byte[0]);
        if (queue.offer(new Request(frame, requester, isLarge, 0)) != RequestQueue.Disposition.IS_DROPPED) {
            accepted.incrementAndGet();
        }
    }
}
