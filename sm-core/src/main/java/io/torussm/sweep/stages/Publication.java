package io.torussm.sweep.stages;

import io.torussm.mad.ClassPortInfo;
import io.torussm.program.smp.SweepSettings;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.state.SweepReport;
import io.torussm.sweep.state.SweepWork;
import io.torussm.view.PublishedView;
import java.util.function.Consumer;

/**
 * The publication after all writes: the view for the SA and other readers, and the report. An instance is used once.
 * Owner thread: the loop.
 */
public final class Publication {
    private final SweepContext parts;
    private final SweepSettings settings;
    private final StageRunner stages;
    private final long number;
    private final long smpsSentBefore;

    /**
     * Creates the publication at the start of a sweep, from which its SMPs are counted.
     *
     * @param number number of the sweep, counted from 1
     */
    public Publication(SweepContext parts, SweepSettings settings, StageRunner stages, long number) {
        this.parts = parts;
        this.settings = settings;
        this.stages = stages;
        this.number = number;
        this.smpsSentBefore = parts.client().stats().sent();
    }

    /** Makes the view, and waits until its readers are prepared on the pool; calls back once, on the loop. */
    public void prepare(Programming.ProgrammedSubnet programmed, Subnet subnet, Consumer<PublishedView> then) {
        PublishedView view = new PublishedView(
                subnet,
                programmed.plan(),
                programmed.multicast(),
                programmed.ports().partitions(),
                parts.client().localPort().portGuid(),
                settings.subnetTimeout(),
                ClassPortInfo.responseTimeValue(parts.client().timeoutMs()),
                settings.qos(),
                programmed.tables().qos(),
                number);
        stages.compute(
                parts.pool(),
                () -> {
                    parts.listener().prepare(view);
                    return view;
                },
                then);
    }

    /**
     * Returns the report of the sweep.
     *
     * @param reportedNs time of the first reported change that the sweep handled; negative if there was none
     */
    public SweepReport report(Programming.ProgrammedSubnet programmed, PublishedView view, long reportedNs) {
        return SweepReport.of(
                number,
                view.subnet().fabric(),
                new SweepWork(
                        programmed.writes(),
                        programmed.ports().activated().cardinality(),
                        parts.client().stats().sent() - smpsSentBefore),
                programmed.tables().lidChanges().text(),
                stages.phaseNs(),
                reportedNs < 0 ? -1 : programmed.tables().inPlaceNs() - reportedNs,
                stages.errors().firstErrors().stream()
                        .map(error -> error.text().text())
                        .toList());
    }
}
