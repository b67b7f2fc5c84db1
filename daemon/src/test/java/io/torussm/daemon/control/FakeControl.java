package io.torussm.daemon.http;

import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.replica.Replication;
import io.torussm.mastership.Mastership;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmState;
import io.torussm.report.ReportStats;
import io.torussm.sa.AttributeStatistics;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sweep.SweepCounts;
import io.torussm.transport.MadClient;
import io.torussm.transport.RmppSender;
import io.torussm.trap.TrapCounts;
import io.torussm.view.PublishedView;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An SM as a test wants it to be. */
final class FakeControl implements HttpControl {
    volatile @Nullable PublishedView view;
    volatile @Nullable SmStatistics figures;
    final Journal journal = new Journal();
    volatile Consumer<Runnable> loop = Runnable::run;

    /** An SM that polls a master, or nobody. */
    static SmStatistics standing(SmState state, @Nullable RemoteSm master, int misses) {
        return figures(state, new Mastership.Watch(master, false, misses, 0, 1, 4));
    }

    private static SmStatistics figures(SmState state, Mastership.Watch watch) {
        AttributeStatistics traffic = new AttributeStatistics(
                "PathRecord",
                List.of(new AttributeStatistics.Count("Get", 7, 6, 0, 1)),
                Collections.nCopies(22, 1L),
                5_000_000,
                List.of(
                        new AttributeStatistics.Answered("Get", "OK", 4),
                        new AttributeStatistics.Answered("Get", "NO_RECORDS", 2)));
        return new SmStatistics(
                new Mastership(1, 5, state, watch, new Mastership.Handover(null, false, 0), 0, List.of(), false),
                2,
                new SmStatistics.Sweeps(new SweepCounts(), 0, new TrapCounts(), 1, 2),
                new SmStatistics.Smps(
                        new MadClient.Stats(10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
                        List.of(new MadClient.Ended("PortInfo", "Get", "reply", 12))),
                new SmStatistics.Sa(
                        new SubnetAdministrator.Stats(7, 6, 0, 1, 0, 3, 5),
                        List.of(traffic),
                        new RmppSender.Stats(6, 5, 4, 3, 2, 1),
                        1),
                new ReportStats(6, 5, 4, 3, 2, 1),
                new Replication.Progress(1, 1_500_000_000L, 2_500_000_000L),
                4,
                0);
    }

    @Override
    public @Nullable PublishedView view() {
        return view;
    }

    @Override
    public @Nullable SmStatistics figures() {
        return figures;
    }

    @Override
    public Journal journal() {
        return journal;
    }

    @Override
    public String version() {
        return "torus-sm of a test";
    }

    @Override
    public void pulse(Runnable task) {
        loop.accept(task);
    }
}
