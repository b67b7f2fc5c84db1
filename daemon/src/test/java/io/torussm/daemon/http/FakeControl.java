package io.torussm.daemon.http;

import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.replica.Replication;
import io.torussm.event.TrapCounts;
import io.torussm.mastership.Mastership;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmState;
import io.torussm.report.ReportStats;
import io.torussm.sa.SaTraffic;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sweep.SweepCounts;
import io.torussm.transport.MadClient;
import io.torussm.transport.RmppSender;
import io.torussm.view.PublishedView;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** An SM as a test wants it to be. */
final class FakeControl implements HttpControl {
    volatile @Nullable PublishedView view;
    volatile @Nullable Figures figures;
    final Journal journal = new Journal();
    volatile Consumer<Runnable> loop = Runnable::run;

    /** An SM that polls a master, or nobody. */
    static Figures standing(SmState state, @Nullable RemoteSm master, int misses) {
        return figures(state, new Mastership.Watch(master, false, misses, 0, 1, 4));
    }

    private static Figures figures(SmState state, Mastership.Watch watch) {
        SaTraffic traffic = new SaTraffic(
                "PathRecord",
                List.of(new SaTraffic.Count("Get", 7, 6, 0, 1)),
                Collections.nCopies(22, 1L),
                5_000_000,
                List.of(new SaTraffic.Answered("Get", "OK", 4), new SaTraffic.Answered("Get", "NO_RECORDS", 2)));
        return new Figures(
                new Mastership(1, 5, state, watch, new Mastership.Handover(null, false, 0), 0, List.of(), false),
                2,
                new Figures.Sweeps(new SweepCounts(), 0, new TrapCounts(), 1, 2),
                new Figures.Smps(
                        new MadClient.Stats(10, 9, 8, 7, 6, 5, 4, 3, 2, 1),
                        List.of(new MadClient.Ended("PortInfo", "Get", "reply", 12))),
                new Figures.Sa(
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
    public @Nullable Figures figures() {
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
