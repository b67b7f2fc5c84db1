package io.torussm.mastership;

import io.torussm.transport.Loop;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The requests of one SM that await answers; each is sent again as MadClient with 200 ms and 3 retries does. */
final class RetriedRequests {
    /** The waits after each try. */
    private static final long[] WAITS_MS = {200, 400, 800, 1600};

    private final Map<Long, Consumer<byte @Nullable []>> pending = new HashMap<>();
    private final Loop loop;

    RetriedRequests(Loop loop) {
        this.loop = loop;
    }

    /** Begins a request; {@code then} receives the answer, or null after the last try. */
    void open(long tid, Consumer<byte @Nullable []> then) {
        pending.put(tid, then);
    }

    /** Sends a request until it is answered or withdrawn. */
    void send(long tid, Runnable transmission) {
        send(tid, transmission, 0);
    }

    private void send(long tid, Runnable transmission, int attempt) {
        if (!pending.containsKey(tid)) {
            return;
        }
        if (attempt == WAITS_MS.length) {
            pending.remove(tid).accept(null);
            return;
        }
        transmission.run();
        loop.schedule(TimeUnit.MILLISECONDS.toNanos(WAITS_MS[attempt]), () -> send(tid, transmission, attempt + 1));
    }

    /** Ends a request; returns the receiver of its answer, or null if it has ended already. */
    @Nullable
    Consumer<byte @Nullable []> end(long tid) {
        return pending.remove(tid);
    }
}
