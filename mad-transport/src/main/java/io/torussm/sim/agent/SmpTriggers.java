package io.torussm.sim.agent;

import io.torussm.mad.MadHeader;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.BouncingLink;
import io.torussm.transport.Loop;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Actions that requests to agents trigger, so that they run between two given stages of a sweep. */
public final class SmpTriggers {
    private final List<Trigger> triggers = new ArrayList<>();

    /** An action that waits for {@code remaining} further requests of a kind. */
    private static final class Trigger {
        final int attributeId;
        final int method;
        final Runnable action;
        int remaining;

        Trigger(int attributeId, int method, int left, Runnable action) {
            this.attributeId = attributeId;
            this.method = method;
            this.remaining = left;
            this.action = action;
        }
    }

    /**
     * Adds an action that runs once, at the count-th further request of a kind.
     *
     * @param attributeId attribute ID, or {@link AgentProfile#ANY}
     * @param method method, or {@link AgentProfile#ANY}
     * @param count ordinal of the request, from 1
     */
    public void add(int attributeId, int method, int count, Runnable action) {
        if (count < 1) {
            throw new IllegalArgumentException("the first request is number 1, not " + count);
        }
        triggers.add(new Trigger(attributeId, method, count, action));
    }

    /** Adds a link that is unplugged at its request, and plugged in again after its down time. */
    public void add(BouncingLink bounce, Loop loop, Runnable unlink, Runnable relink) {
        add(bounce.attributeId(), bounce.method(), bounce.count(), () -> {
            unlink.run();
            loop.schedule(bounce.downNs(), relink);
            if (bounce.pauseNs() > 0) {
                loop.schedule(bounce.pauseNs(), () -> add(bounce, loop, unlink, relink));
            }
        });
    }

    /** Runs the actions that are due at a request, before its response. */
    public void handleRequest(byte[] mad) {
        if (triggers.isEmpty()) {
            return;
        }
        // Collected first: an action may add triggers.
        List<Runnable> due = new ArrayList<>();
        for (Iterator<Trigger> iterator = triggers.iterator(); iterator.hasNext(); ) {
            Trigger trigger = iterator.next();
            boolean fits =
                    (trigger.attributeId == AgentProfile.ANY || trigger.attributeId == MadHeader.attributeId(mad))
                            && (trigger.method == AgentProfile.ANY || trigger.method == MadHeader.method(mad));
            if (fits && --trigger.remaining == 0) {
                iterator.remove();
                due.add(trigger.action);
            }
        }
        due.forEach(Runnable::run);
    }
}
