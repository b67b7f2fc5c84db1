package io.torussm.daemon.http.server;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.control.SubnetStatus;
import io.torussm.daemon.http.Reply;
import io.torussm.mastership.Mastership;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmState;
import io.torussm.view.RoutingState;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The health of the SM: liveness and readiness. Owner thread: {@code http}.
 *
 * <p>The SM is alive if its loop runs a task in time. At most one task is pending, for any number of requests.
 */
final class Health {
    /** Time-out of the liveness check, in ms: longer than any task of the loop takes. */
    static final long LIVENESS_TIMEOUT_MS = 2000;

    private final SmObserver observer;
    private final EventExecutor loop;
    private final List<Consumer<Reply>> waiting = new ArrayList<>();
    private boolean isCheckPending;

    /** @param loop the thread of the server */
    Health(SmObserver observer, EventExecutor loop) {
        this.observer = observer;
        this.loop = loop;
    }

    /** Replies to {@code /healthz} when the SM's loop has run a task, or after {@link #LIVENESS_TIMEOUT_MS}. */
    void checkLiveness(Consumer<Reply> answer) {
        waiting.add(answer);
        var unused = loop.schedule(
                () -> {
                    if (waiting.remove(answer)) {
                        answer.accept(
                                unavailable("the SM's loop has not run a task for " + LIVENESS_TIMEOUT_MS + " ms"));
                    }
                },
                LIVENESS_TIMEOUT_MS,
                TimeUnit.MILLISECONDS);
        if (!isCheckPending) {
            isCheckPending = true;
            observer.runOnSmLoop(() -> loop.execute(this::loopResponded));
        }
    }

    private void loopResponded() {
        isCheckPending = false;
        List<Consumer<Reply>> answered = List.copyOf(waiting);
        waiting.clear();
        answered.forEach(answer -> answer.accept(Reply.text(HttpResponseStatus.OK, "ok")));
    }

    /**
     * Replies to {@code /readyz}. A live SM is ready as master with its subnet up, as standby while its master
     * responds, or as shadow after its first reading of the fabric.
     */
    void checkReadiness(Consumer<Reply> answer) {
        checkLiveness(lives -> answer.accept(
                lives.status().equals(HttpResponseStatus.OK) ? Router.computeReply(this::readiness) : lives));
    }

    private Reply readiness() {
        ShadowReport shadow = observer.shadow();
        if (shadow != null) {
            return Reply.text(HttpResponseStatus.OK, shadow.headline());
        }
        SmStatistics statistics = observer.statistics();
        if (statistics == null) {
            return unavailable("starting");
        }
        Mastership state = statistics.mastership();
        RemoteSm master = state.master();
        if (state.shownState() == SmState.MASTER) {
            String routing = routing();
            return observer.view() == null
                    ? unavailable("master, no subnet is up" + routing)
                    : Reply.text(HttpResponseStatus.OK, "master, the subnet is up" + routing);
        } else if (state.shownState() == SmState.STANDBY && master != null) {
            return state.watch().misses() == 0
                    ? Reply.text(HttpResponseStatus.OK, "standby of " + master)
                    : unavailable("standby, its master does not answer: " + master);
        }
        return unavailable("neither master nor standby: " + state.shownState());
    }

    /** Returns the state of routing. The SA continues to serve with retained or degraded routes. */
    private String routing() {
        SubnetStatus.Routing routing = SubnetStatus.Routing.of(observer.state());
        if (routing.state() == RoutingState.ROUTED && !routing.reason().isEmpty()) {
            return "; " + routing.text();
        }
        return routing.state() == RoutingState.ROUTED || routing.state() == RoutingState.NONE
                ? ""
                : "; routing " + routing.state().name().toLowerCase(Locale.ROOT) + " since " + routing.since()
                        + (routing.reason().isEmpty() ? "" : ": " + routing.reason());
    }

    private static Reply unavailable(String reason) {
        return Reply.text(HttpResponseStatus.SERVICE_UNAVAILABLE, reason);
    }
}
