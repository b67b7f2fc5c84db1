package io.torussm.sweep;

import io.torussm.deadlock.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.mastership.RemoteSm;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Notes how sweeps end, and what the last good one published. */
public abstract class SweepEnds implements SweepListener {
    /** How each sweep ended: {@code up}, or another word, a colon and the reason. */
    public final List<String> ends = new ArrayList<>();

    /** What routing and its proof had to tell, of all sweeps. */
    public final List<Finding> findings = new ArrayList<>();

    /** Of the last sweep that published one. */
    public @Nullable PublishedView view;

    private @Nullable SweepReport report;

    /** A sweep has ended. */
    protected void ended(String how) {
        ends.add(how);
    }

    /** What is published; there must be a subnet. */
    public PublishedView up() {
        return Objects.requireNonNull(view, () -> "no subnet is up: " + ends);
    }

    /** Of the last sweep that ended well, which there must be. */
    public SweepReport lastReport() {
        return Objects.requireNonNull(report, () -> "no subnet is up: " + ends);
    }

    @Override
    public void routed(RoutingChain.ChainResult result) {
        findings.addAll(result.findings());
    }

    @Override
    public void subnetUp(PublishedView newView, SweepReport newReport) {
        view = newView;
        report = newReport;
        ended("up");
    }

    @Override
    public void staying(PublishedView newView, SweepReport newReport) {
        view = newView;
        report = newReport;
    }

    @Override
    public void refused(List<Finding> findings) {
        ended("refused: " + findings);
    }

    @Override
    public void otherMaster(@Nullable RemoteSm other) {
        ended("other master: " + (other == null ? "unknown" : other.priority()));
    }

    @Override
    public void failed(String why) {
        ended("failed: " + why);
    }
}
