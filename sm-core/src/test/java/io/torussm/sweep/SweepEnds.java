package io.torussm.sweep;

import io.torussm.event.Finding;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.sweep.state.SweepListener;
import io.torussm.sweep.state.SweepReport;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A listener that records outcomes of sweeps, and the last published view. */
public abstract class SweepEnds implements SweepListener {
    /** The outcome of each sweep: {@code up}, or another word, a colon and the reason. */
    public final List<String> ends = new ArrayList<>();

    /** The findings of routing and its proof, of all sweeps. */
    public final List<Finding> findings = new ArrayList<>();

    /** The last published view. */
    public @Nullable PublishedView view;

    /** Called when a subnet is up, after the fields have its values. */
    public Consumer<SweepEvent.SubnetUp> onUp = up -> {};

    private @Nullable SweepReport report;
    private String line = "";
    private @Nullable Finding lastUp;

    /** Handles the end of a sweep. */
    protected void ended(String outcome) {
        ends.add(outcome);
    }

    /** Returns the published view; there must be one. */
    public PublishedView publishedView() {
        return Objects.requireNonNull(view, () -> "no subnet is up: " + ends);
    }

    /** Returns the report of the last successful sweep; there must be one. */
    public SweepReport lastReport() {
        return Objects.requireNonNull(report, () -> "no subnet is up: " + ends);
    }

    /** Returns the event of the last successful sweep; there must be one. */
    public Finding lastUp() {
        return Objects.requireNonNull(lastUp, () -> "no subnet is up: " + ends);
    }

    /** Returns the last successful sweep as a line of text. */
    public String lastLine() {
        return line;
    }

    @Override
    public void accept(SweepEvent event) {
        if (event instanceof SweepEvent.EnginesRan engines) {
            findings.addAll(engines.result().findings());
        } else if (event instanceof SweepEvent.SubnetUp up) {
            view = up.view();
            report = up.report();
            line = up.line();
            lastUp = up.finding();
            ended("up");
            onUp.accept(up);
        } else if (event instanceof SweepEvent.RoutesKept kept) {
            view = kept.view();
            report = kept.report();
        } else if (event instanceof SweepEvent.RoutingRefused refused) {
            ended("refused: " + refused.findings());
        } else if (event instanceof SweepEvent.OtherMaster other) {
            ended("other master: "
                    + (other.master() == null ? "unknown" : other.master().priority()));
        } else if (event instanceof SweepEvent.SweepFailed failed) {
            ended("failed: " + failed.reason());
        }
    }
}
