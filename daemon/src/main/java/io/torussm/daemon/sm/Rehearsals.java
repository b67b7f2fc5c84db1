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
 * Rehearsals in virtual time: takeovers by a standby SM and failures under a master SM. They run so that the JVM
 * compiles the code before the first real takeover or failure. Each rehearsal runs once in the life of a process, on
 * the thread of precomputation. Owner thread:
 * {@code sm}.
 */
final class Rehearsals {
    private static final Logger LOG = LoggerFactory.getLogger(Rehearsals.class);

    /** Min number of switches. Sweeps of smaller fabrics are fast without a rehearsal. */
    private static final int LEAST_SWITCHES = 100;

    /** Pause between two steps, in ns, during which other precomputation runs. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final SmResources resources;
    private final Lifetime lifetime;
    private boolean hasStoodBy;
    private boolean hasFailed;

    Rehearsals(SmResources resources, Lifetime lifetime) {
        this.resources = resources;
        this.lifetime = lifetime;
    }

    /** Starts the rehearsal of a standby that is idle. */
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
            logOmission(e);
        }
    }

    private static void logOmission(ConfigurationException e) {
        LOG.debug("engines that need files of their own are not rehearsed: {}", e.getMessage());
    }

    private boolean isStandby() {
        SmAssembly assembly = lifetime.published();
        return assembly != null && assembly.mastership().state().state() == SmState.STANDBY && !resources.isClosed();
    }

    /** Starts the rehearsal of the master of a subnet that is up. */
    void master(PublishedView view) {
        boolean isWorthIt = view.subnet().fabric().switchCount() >= LEAST_SWITCHES && resources.isPrecheckWanted();
        if (isWorthIt && !hasFailed) {
            hasFailed = true;
            await(null);
        }
    }

    /**
     * Runs one step at a time while the SM is idle, so that a real failure does not wait for a simulated one.
     *
     * @param last rehearsal to continue; null to begin one
     */
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
            logOmission(e);
        }
    }
}
