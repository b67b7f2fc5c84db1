package io.torussm.multicast;

import io.torussm.transport.Loop;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Members whose ports the SM sees no more, and how long they stay members. A host behind a switch that hangs, or on the other
 * side of a split, does not know that it is away, and sends to its groups as before: their MLIDs must not become those of
 * others. One that comes back with its link ACTIVE goes on as a member; one whose link was down joins again by itself.
 *
 * <p>Owner thread: the loop of the SM.
 */
final class VanishedPorts {
    private final Loop loop;
    private final Runnable whenOneIsDue;

    /** When each was missed first, by the GUID that it is a member by. */
    private Map<Long, Long> sinceNs = new HashMap<>();

    private Loop.@Nullable Timer timer;

    /**
     * None has vanished.
     *
     * @param whenOneIsDue called when the time of one is over
     */
    VanishedPorts(Loop loop, Runnable whenOneIsDue) {
        this.loop = loop;
        this.whenOneIsDue = whenOneIsDue;
    }

    /**
     * Whether a port stays a member; to be asked for every member, and {@link Glance#end} after that.
     *
     * @param keepNs how long a port that is gone stays
     */
    Glance look(LongPredicate exists, LongPredicate isActive, long keepNs) {
        return new Glance(exists, isActive, keepNs);
    }

    /** All are forgotten. */
    void clear() {
        sinceNs = new HashMap<>();
        stopClock();
    }

    private void stopClock() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    /** One look at all members. */
    final class Glance implements LongPredicate {
        private final LongPredicate exists;
        private final LongPredicate isActive;
        private final long keepNs;
        private final long nowNs = loop.nowNs();
        private final Map<Long, Long> still = new HashMap<>();

        private Glance(LongPredicate exists, LongPredicate isActive, long keepNs) {
            this.exists = exists;
            this.isActive = isActive;
            this.keepNs = keepNs;
        }

        @Override
        public boolean test(long guid) {
            Long since = sinceNs.get(guid);
            if (exists.test(guid)) {
                return since == null || isActive.test(guid);
            }
            long from = since == null ? nowNs : since;
            boolean stays = nowNs - from < keepNs;
            if (stays) {
                still.put(guid, from);
            }
            return stays;
        }

        /** Forgets those who are back or have left, and waits for the time of the others. */
        void end() {
            sinceNs = still;
            stopClock();
            still.values().stream()
                    .min(Long::compare)
                    .ifPresent(first -> timer = loop.schedule(Math.max(1, first + keepNs - nowNs), whenOneIsDue));
        }
    }
}
