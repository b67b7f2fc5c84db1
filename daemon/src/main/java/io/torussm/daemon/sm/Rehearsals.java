package io.torussm.daemon.sm;

import io.torussm.daemon.assembly.SmAssembly;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.twin.FailureRehearsal;
import io.torussm.daemon.twin.StandbyRehearsal;
import io.torussm.mastership.SmState;
import io.torussm.view.PublishedView;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What an SM does in virtual time so that its code is compiled when it has to do it in earnest: a standby a takeover, a master the loss of
 * cables and switches. Each once in the life of a process, on the thread of what is computed in advance. Owner thread: {@code sm}.
 */
final class Rehearsals {
    private static final Logger LOG = LoggerFactory.getLogger(Rehearsals.class);

    /** Smaller fabrics are swept quickly without. */
    private static final int LEAST_SWITCHES = 100;

    /** Between two steps, in which whatever else is to be computed in advance has its turn. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final SmResources resources;
    private final Lifetime lifetime;
    private boolean hasStoodBy;
    private boolean hasFailed;

    Rehearsals(SmResources resources, Lifetime lifetime) {
        this.resources = resources;
        this.lifetime = lifetime;
    }

    /** This SM stands by, and has nothing else to do. */
    void standby() {
        if (!hasStoodBy) {
            hasStoodBy = true;
            resources.prechecks().execute(this::takeOver);
        }
    }

    private void takeOver() {
        try {
            StandbyRehearsal.run(resources.engines(), this::isStandby);
        } catch (ConfigurationException e) {
            isLeftOut(e);
        }
    }

    private static void isLeftOut(ConfigurationException e) {
        LOG.debug("engines that need files of their own are not rehearsed: {}", e.getMessage());
    }

    private boolean isStandby() {
        SmAssembly now = lifetime.published();
        return now != null && now.mastership().state().state() == SmState.STANDBY && !resources.isClosed();
    }

    /** This SM is master of a subnet that is up. */
    void master(PublishedView view) {
        boolean isWorthIt = view.subnet().fabric().switchCount() >= LEAST_SWITCHES && resources.isPrecheckWanted();
        if (isWorthIt && !hasFailed) {
            hasFailed = true;
            await(null);
        }
    }

    /** One step at a time while there is nothing else to do: a real failure does not wait for one that is played. */
    private void await(@Nullable FailureRehearsal last) {
        resources.sm().schedule(PAUSE_NS, () -> {
            if (lifetime.isResting()) {
                resources.prechecks().execute(() -> step(last));
            } else if (lifetime.running() != null) {
                await(last);
            }
        });
    }

    private void step(@Nullable FailureRehearsal last) {
        try {
            FailureRehearsal rehearsal = last == null ? new FailureRehearsal(resources.engines()) : last;
            if (rehearsal.step()) {
                resources.sm().execute(() -> await(rehearsal));
            }
        } catch (ConfigurationException e) {
            isLeftOut(e);
        }
    }
}
