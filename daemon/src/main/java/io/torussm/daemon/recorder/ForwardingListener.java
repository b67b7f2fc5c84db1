package io.torussm.daemon.recorder;

import io.torussm.daemon.assembly.SmListener;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.mastership.RemoteSm;
import io.torussm.sweep.state.SweepReport;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A listener that forwards all calls. */
class ForwardingListener implements SmListener {
    private final SmListener inner;

    ForwardingListener(SmListener inner) {
        this.inner = inner;
    }

    @Override
    public void subnetUp(PublishedView view, SweepReport report) {
        inner.subnetUp(view, report);
    }

    @Override
    public void staying(PublishedView view, SweepReport report) {
        inner.staying(view, report);
    }

    @Override
    public void refused(List<Finding> findings) {
        inner.refused(findings);
    }

    @Override
    public void otherMaster(@Nullable RemoteSm other) {
        inner.otherMaster(other);
    }

    @Override
    public void failed(String why) {
        inner.failed(why);
    }

    @Override
    public void routed(RoutingChain.ChainResult result) {
        inner.routed(result);
    }

    @Override
    public void compared(List<Finding> differences, long changedSls) {
        inner.compared(differences, changedSls);
    }

    @Override
    public void fabricChanged(List<Finding> changes) {
        inner.fabricChanged(changes);
    }

    @Override
    public void looked(FabricState before, FabricState after, Instant at) {
        inner.looked(before, after, at);
    }

    @Override
    public void multicastProgrammed() {
        inner.multicastProgrammed();
    }

    @Override
    public void partitionsChanged(PublishedView view) {
        inner.partitionsChanged(view);
    }

    @Override
    public void isSmMissing() {
        inner.isSmMissing();
    }

    @Override
    public void portLost(String why) {
        inner.portLost(why);
    }

    @Override
    public void portChanged(boolean isUsable, String why) {
        inner.portChanged(isUsable, why);
    }

    @Override
    public void mastershipEnded() {
        inner.mastershipEnded();
    }
}
