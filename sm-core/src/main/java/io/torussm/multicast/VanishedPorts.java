package io.torussm.multicast;

import io.torussm.transport.Loop;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The members whose ports vanished from the subnet, and the time for which they stay members. A host behind a
 * hung switch, or in the other part of a split subnet, keeps sending to the MLIDs of its groups. Other groups
 * must not have these MLIDs meanwhile. A port that returns with its link ACTIVE stays a member. If its link was down,
 * it leaves, and its host joins again.
 *
 * <p>Owner thread: the loop.
 */
final class VanishedPorts {
    private final Loop loop;
    private final Runnable onDeadline;

    /** Begin of the absence of each vanished member, by the GUID in its GID. */
    private Map<Long, Long> sinceNs = new HashMap<>();

    private Loop.@Nullable Timer timer;

    /**
     * Creates an empty set.
     *
     * @param whenOneIsDue callback, called when the time of a vanished member has passed
     */
    VanishedPorts(Loop loop, Runnable whenOneIsDue) {
        this.loop = loop;
        this.onDeadline = whenOneIsDue;
    }

    /**
     * Starts a check of all members. The caller tests each member, then calls {@link PresenceCheck#end}.
     *
     * @param exists checks whether a port has a GUID
     * @param isActive checks whether the link of the port with a GUID is ACTIVE
     * @param keepNs time in nanoseconds for which a vanished port stays a member
     */
    PresenceCheck beginCheck(LongPredicate exists, LongPredicate isActive, long keepNs) {
        return new PresenceCheck(exists, isActive, keepNs);
    }

    /** Removes all vanished members. */
    void clear() {
        sinceNs = new HashMap<>();
        cancelTimer();
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    /** A check of all members: tests whether a port stays a member. */
    final class PresenceCheck implements LongPredicate {
        private final LongPredicate exists;
        private final LongPredicate isActive;
        private final long keepNs;
        private final long nowNs = loop.nowNs();
        private final Map<Long, Long> absentSinceNs = new HashMap<>();

        private PresenceCheck(LongPredicate exists, LongPredicate isActive, long keepNs) {
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
                absentSinceNs.put(guid, from);
            }
            return stays;
        }

        /** Ends the check: forgets the absence of ports that returned or left, and starts the timer for the others. */
        void end() {
            sinceNs = absentSinceNs;
            cancelTimer();
            absentSinceNs.values().stream()
                    .min(Long::compare)
                    .ifPresent(first -> timer = loop.schedule(Math.max(1, first + keepNs - nowNs), onDeadline));
        }
    }
}
