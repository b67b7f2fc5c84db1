package io.torussm.daemon.console;

import io.torussm.daemon.journal.SweepHistory;
import io.torussm.mastership.Mastership;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmState;
import io.torussm.qos.QosOptions;
import io.torussm.qos.policy.QosPolicy;
import io.torussm.routing.RoutingOptions;
import io.torussm.testing.QuietTransport;
import io.torussm.transport.MadTap;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Operations that note what was asked for. */
public final class StandInOperations implements Operations {
    final List<String> asked = new CopyOnWriteArrayList<>();
    private final MadTap tap = new MadTap(new QuietTransport());
    private final SweepHistory history = new SweepHistory();
    private volatile @Nullable Mastership mastership;
    private volatile boolean isSuspended;

    void rules(int priority, RemoteSm... others) {
        Mastership initial = Mastership.initial(0x99, priority);
        mastership = new Mastership(
                initial.guid(),
                priority,
                SmState.MASTER,
                initial.watch(),
                initial.handover(),
                0,
                List.of(others),
                false);
    }

    @Override
    public @Nullable Mastership mastership() {
        return mastership;
    }

    @Override
    public void setPriority(int priority) {
        asked.add("priority " + priority);
    }

    @Override
    public void suspendSweeps(boolean isWanted) {
        isSuspended = isWanted;
    }

    @Override
    public boolean areSweepsSuspended() {
        return isSuspended;
    }

    @Override
    public SweepHistory history() {
        return history;
    }

    @Override
    public RoutingOptions routingOptions() {
        return new RoutingOptions(true, 5, 0);
    }

    @Override
    public Qos qos() {
        return new Qos(true, QosOptions.NONE, QosPolicy.NONE);
    }

    @Override
    public @Nullable Sa sa() {
        return null;
    }

    @Override
    public MadTap tap() {
        return tap;
    }
}
