package io.torussm.sweep.stages;

import io.torussm.event.FatalErrors;
import io.torussm.mad.smp.DrPath;
import io.torussm.stage.Phase;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;

/**
 * The execution of the stages of one sweep. It opens and closes their scopes, cancels their continuations
 * after the end of the sweep, measures the time of each phase, and reports a defect of any stage. Owner thread: the
 * loop.
 */
public final class StageRunner implements StageContext {
    private final MadClient client;
    private final Loop loop;
    private final SubnetMemory memory;
    private final Consumer<Throwable> onDefect;
    private final ObjLongConsumer<Phase> onPhaseEnd;
    private final ProgrammingErrors errors = new ProgrammingErrors();
    private final List<MadScope> scopes = new ArrayList<>();
    private final Map<Phase, Long> phaseNs = new EnumMap<>(Phase.class);
    private Phase phase = Phase.DISCOVER;
    private long sinceNs;
    private boolean isFinished;
    private boolean isClosed;

    /**
     * Creates a runner; the time of the first phase begins with this call.
     *
     * @param onDefect receives an exception of a stage, or of its continuation, on the loop
     * @param onPhaseEnd receives a completed phase, and its duration in nanoseconds
     */
    public StageRunner(SweepContext sweeps, Consumer<Throwable> onDefect, ObjLongConsumer<Phase> onPhaseEnd) {
        this.client = sweeps.client();
        this.loop = sweeps.loop();
        this.memory = sweeps.memory();
        this.onDefect = onDefect;
        this.onPhaseEnd = onPhaseEnd;
        this.sinceNs = loop.nowNs();
    }

    /** Runs a stage. Its continuation is called at its end, unless the sweep has ended by then. */
    public <I, O> void run(Stage<I, O> stage, I input, Consumer<O> then) {
        guard(() -> {
            enter(stage.phase());
            stage.start(
                    this,
                    input,
                    output -> guard(() -> {
                        addPhaseTime();
                        then.accept(output);
                    }));
        });
    }

    /** Returns a runnable that does nothing after the end of the sweep, and whose defects are reported. */
    public Runnable guarded(Runnable next) {
        return () -> guard(next);
    }

    private void guard(Runnable next) {
        if (isClosed) {
            return;
        }
        try {
            next.run();
        } catch (RuntimeException | Error defect) {
            onDefect.accept(defect);
            FatalErrors.escalate(defect);
        }
    }

    private void enter(Phase next) {
        if (next != phase) {
            endPhase();
            phase = next;
        }
    }

    private void addPhaseTime() {
        long nowNs = loop.nowNs();
        phaseNs.merge(phase, nowNs - sinceNs, Long::sum);
        sinceNs = nowNs;
    }

    private void endPhase() {
        Long ns = phaseNs.get(phase);
        if (ns != null) {
            onPhaseEnd.accept(phase, ns);
        }
    }

    /** Ends the last phase. The wait since its last stage counts to it. */
    public void finish() {
        if (!isFinished) {
            isFinished = true;
            addPhaseTime();
            endPhase();
        }
    }

    /** Returns the duration of each phase that has begun and ended a stage, in nanoseconds. */
    Map<Phase, Long> phaseNs() {
        return new LinkedHashMap<>(phaseNs);
    }

    /** Returns the phase of the stage that began last. */
    Phase phase() {
        return phase;
    }

    /** Checks whether requests are pending, and no answer has arrived for more than {@code ns} nanoseconds. */
    boolean isWaitingFor(long ns) {
        List<MadScope> waiting = scopes.stream().filter(MadScope::isWaiting).toList();
        return !waiting.isEmpty() && waiting.stream().allMatch(scope -> scope.sinceLastChangeNs() > ns);
    }

    /** Returns the directed routes of pending requests. */
    Set<DrPath> routes() {
        Set<DrPath> routes = new LinkedHashSet<>();
        scopes.forEach(scope -> routes.addAll(scope.routes()));
        return routes;
    }

    /** Ends the wait for pending requests, which end as if their last retry had no answer. */
    void expire() {
        List.copyOf(scopes).forEach(MadScope::expire);
    }

    /** Cancels all work of the sweep and its continuations. */
    public void close() {
        isClosed = true;
        List<MadScope> open = List.copyOf(scopes);
        scopes.clear();
        open.forEach(MadScope::close);
    }

    @Override
    public MadScope scope() {
        MadScope scope = client.scope();
        scope.whenFailed(onDefect);
        scopes.add(scope);
        return scope;
    }

    @Override
    public Loop loop() {
        return loop;
    }

    @Override
    public SubnetMemory memory() {
        return memory;
    }

    @Override
    public ProgrammingErrors errors() {
        return errors;
    }

    @Override
    public void resume(Runnable next) {
        loop.execute(guarded(next));
    }

    @Override
    public void abandon(Throwable defect) {
        loop.execute(() -> {
            if (!isClosed) {
                onDefect.accept(defect);
            }
        });
    }
}
