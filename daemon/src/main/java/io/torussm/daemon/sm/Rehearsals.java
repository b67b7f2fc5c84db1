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
    private static final int MIN_SWITCHES = 100;

    /** Pause between two steps, in ns, during which other precomputation runs. */
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final SmResources resources;
    private final Lifetime lifetime;
    private boolean hasRehearsedStandby;
    private boolean hasRehearsedFailures;

    Rehearsals(SmResources resources, Lifetime lifetime) {
        this.resources = resources;
        this.lifetime = lifetime;
    }

    /** Starts the rehearsal of a standby that is idle. */
    void rehearseStandby() {
        if (!hasRehearsedStandby) {
            hasRehearsedStandby = true;
            resources.prechecks().execute(this::runStandbyRehearsal);
        }
    }

    private void runStandbyRehearsal() {
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
    void rehearseFailures(PublishedView view) {
        boolean isWorthIt = view.subnet().fabric().switchCount() >= MIN_SWITCHES && resources.isPrecheckWanted();
        if (isWorthIt && !hasRehearsedFailures) {
            hasRehearsedFailures = true;
            scheduleStep(null);
        }
    }

    /**
     * Runs one step at a time while the SM is idle, so that a real failure does not wait for a simulated one.
     *
     * @param last rehearsal to continue; null to begin one
     */
    private void scheduleStep(@Nullable FailureRehearsal last) {
        resources.sm().schedule(PAUSE_NS, () -> {
            if (lifetime.isIdle()) {
                resources.prechecks().execute(() -> runStep(last));
            } else if (lifetime.running() != null) {
                scheduleStep(last);
            }
        });
    }

    private void runStep(@Nullable FailureRehearsal last) {
        try {
            FailureRehearsal rehearsal = last == null ? new FailureRehearsal(resources.engines()) : last;
            if (rehearsal.step()) {
                resources.sm().execute(() -> scheduleStep(rehearsal));
            }
        } catch (ConfigurationException e) {
            logOmission(e);
        }
    }
}
