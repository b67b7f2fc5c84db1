package io.torussm.sweep.stages;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.DrPath;
import io.torussm.stage.Phase;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The deadline of a local sweep for answers. When a switch dies, its cables go down one after the other. The sweep for
 * the first cable plans with that switch. It would wait for the switch, and for devices behind it, until all retries
 * have ended.
 *
 * <p>If no expected answer has arrived for {@value #MAX_SILENCE_MS} ms, {@link RouteCheck} checks for lost cables on
 * the paths to these devices. If a change was reported that the sweep does not cover, a sweep for that change preempts
 * it. The time is longer than any pause between writes ({@link io.torussm.program.table.DrainTime}). Therefore all
 * packets that old entries have directed left before the next sweep writes. While ports are configured, the sweep is
 * not preempted, because it needs their answers, but it stops waiting for silent devices. Before the first write it is
 * preempted immediately.
 *
 * <p>A whole sweep is preempted only while it reads, because it has written nothing yet, and another whole sweep
 * follows. While it writes tables it waits for all answers.
 *
 * <p>An instance is used once. Owner thread: the loop.
 */
public final class LocalSweepDeadline {
    /**
     * The number of preemptions without answers that are possible at any time after the first report. A sweep that
     * writes for longer than {@link #MAX_PREEMPTION_NS} would otherwise wait for all retries to a switch that died
     * meanwhile.
     */
    private static final int MIN_PREEMPTIONS = 3;

    /** The time after the first report in which further preemptions are possible. */
    private static final long MAX_PREEMPTION_NS = TimeUnit.MILLISECONDS.toNanos(500);

    /** The time without an answer after which the sweep is considered as waiting for a dead device. */
    private static final int MAX_SILENCE_MS = 20;

    /** Interval of the checks. */
    private static final long CHECK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Loop loop;
    private final MadClient client;
    private final StageRunner stages;
    private final Supplier<@Nullable Fabric> fabric;
    private final LongConsumer onCableLost;
    private final Runnable preempt;

    /** Directed routes that were checked for lost cables. */
    private final Set<DrPath> checked = new HashSet<>();

    private @Nullable MadScope check;

    /** Time of the loop after which the sweep is not preempted any more. */
    private long preemptionEndNs = Long.MIN_VALUE;

    /** The number of preemptions before this sweep, since the last sweep that ended otherwise. */
    private int preemptions;

    /** Set while a whole sweep reads. */
    private boolean isWhole;

    /** Set if a change was reported during the sweep. */
    private boolean isReported;

    /** Set if a change was reported of a switch that the sweep does not read any more. */
    private boolean hasUnreadChange;

    /**
     * Creates a deadline that is not active yet.
     *
     * @param fabric returns the present fabric; null if it is unknown
     * @param lost receives NodeGUIDs of switches that lost a cable
     * @param giveWay ends the sweep as superseded
     */
    public LocalSweepDeadline(
            SweepContext parts,
            StageRunner stages,
            Supplier<@Nullable Fabric> fabric,
            LongConsumer lost,
            Runnable giveWay) {
        this.loop = parts.loop();
        this.client = parts.client();
        this.stages = stages;
        this.fabric = fabric;
        this.onCableLost = lost;
        this.preempt = giveWay;
    }

    /**
     * Starts to limit the waits of a local sweep for answers.
     *
     * @param reportedNs time of the first reported change that no sweep has handled; negative if there was none
     * @param earlierPreemptions number of preemptions since the last sweep that ended otherwise
     */
    public void begin(long reportedNs, int earlierPreemptions) {
        preemptions = earlierPreemptions;
        preemptionEndNs = (reportedNs < 0 ? loop.nowNs() : reportedNs) + MAX_PREEMPTION_NS;
        scheduleCheck();
    }

    /** Starts to limit the wait while a whole sweep reads, regardless of the duration of the read. */
    public void beginWhole() {
        isWhole = true;
        scheduleCheck();
    }

    /**
     * Handles a change that a switch reported.
     *
     * @param isSeen whether the sweep is still to read that switch
     */
    public void onPortChange(boolean isSeen) {
        isReported = true;
        hasUnreadChange |= !isSeen;
    }

    /**
     * Checks whether a sweep that has written nothing is to end before its first write. This is possible within the
     * time limit alone: a flapping port would otherwise discard long plans again and again.
     */
    public boolean mustEnd() {
        return hasUnreadChange && loop.nowNs() < preemptionEndNs;
    }

    private boolean isLimited() {
        return preemptions < MIN_PREEMPTIONS || loop.nowNs() < preemptionEndNs;
    }

    /** Handles the end of the sweep. */
    public void end() {
        MadScope open = check;
        check = null;
        if (open != null) {
            open.close();
        }
    }

    private void scheduleCheck() {
        if (isWhole || isLimited()) {
            loop.schedule(CHECK_INTERVAL_NS, stages.guarded(this::checkAnswers));
        }
    }

    private void checkAnswers() {
        if (stages.isWaitingFor(TimeUnit.MILLISECONDS.toNanos(MAX_SILENCE_MS))) {
            boolean isOutdated = hasUnreadChange || (isReported && stages.phase() == Phase.DISCOVER);
            if (isOutdated && (isWhole ? stages.phase() == Phase.DISCOVER : stages.phase() != Phase.ACTIVATE)) {
                preempt.run();
                return;
            }
            if (isOutdated && stages.phase() == Phase.ACTIVATE) {
                stages.expire();
            } else if (!isWhole) {
                check();
            }
        }
        scheduleCheck();
    }

    private void check() {
        Fabric known = fabric.get();
        Set<DrPath> routes = stages.routes();
        routes.removeAll(checked);
        if (known != null && !routes.isEmpty()) {
            checked.addAll(routes);
            end();
            check = RouteCheck.start(client, known, routes, onCableLost);
        }
    }
}
