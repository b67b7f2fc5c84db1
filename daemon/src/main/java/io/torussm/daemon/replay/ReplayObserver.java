package io.torussm.daemon.replay;

import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.files.RoutingFactory;
import io.torussm.daemon.control.PassiveObserver;
import io.torussm.daemon.journal.Journal;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.history.ChangeHistory;
import io.torussm.routing.RoutingOptions;
import io.torussm.state.StateDirectory;
import io.torussm.transport.Loop;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The observer of a replay, for the web page. It has the last state of the fabric, and the previous states as history.
 * After the end of the replay it does not change.
 */
public final class ReplayObserver extends PassiveObserver {
    /** Settings with which the history keeps all states. */
    private static final ChangeHistory.Settings ALL = new ChangeHistory.Settings(100_000, 512L << 20);

    private final Supplier<SmOptions> options;
    private final Journal journal = new Journal();
    private final String version;
    private FabricState lastState = FabricState.NOTHING;

    /**
     * Creates an observer before the replay.
     *
     * @param options supplier of the options of the recorded SM; called after the replay
     * @param loop loop that computes the history
     * @param version version of the program that made the recording
     */
    public ReplayObserver(Supplier<SmOptions> options, Loop loop, String version) {
        super(StateDirectory.none(loop), loop, ALL);
        this.options = options;
        this.version = version;
    }

    /** Handles a fabric that the replayed SM has discovered. */
    public void recordFabric(FabricState state, Instant at) {
        lastState = state;
        changes().record(state, at, List::of);
    }

    /** Handles a decision of the replayed SM. */
    public void recordDecision(Decision decision, Instant at) {
        if (decision.kind() != Decision.DecisionType.WRITE) {
            journal.add(at, "INFO", "", decision.text(), Map.of());
        }
    }

    @Override
    public @Nullable PublishedView view() {
        return lastState.view();
    }

    @Override
    public FabricState state() {
        return lastState;
    }

    @Override
    public RoutingOptions routingOptions() {
        return options.get().sweep().routingOptions();
    }

    @Override
    public RoutingChain routing() {
        return RoutingFactory.chain(options.get());
    }

    @Override
    public Journal journal() {
        return journal;
    }

    @Override
    public String version() {
        return version;
    }

    @Override
    public void runOnSmLoop(Runnable task) {
        task.run(); // immediately, because no other loop exists
    }
}
