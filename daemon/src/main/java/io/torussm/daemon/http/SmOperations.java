package io.torussm.daemon.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.torussm.daemon.access.Role;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.http.Operation.Done;
import io.torussm.daemon.http.Operation.Nothing;
import io.torussm.mastership.SmState;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** What operators ask of the SM, as the console has it too. Owner thread: {@code https-change}. */
final class SmOperations {
    private final SmControl control;

    SmOperations(SmControl control) {
        this.control = control;
    }

    List<Operation<?>> all() {
        return List.of(
                new Operation<>(
                        "POST",
                        Resources.ROOT + "sweep",
                        Role.OPERATE,
                        "look at the whole fabric now",
                        Nothing.class,
                        (user, parts, nothing) -> ofMaster(() -> {
                            control.requestSweep(true);
                            return Reply.accepted(new Done("a heavy sweep is requested"));
                        })),
                new Operation<>(
                        "POST",
                        Resources.ROOT + "reroute",
                        Role.OPERATE,
                        "read the files of the routing again, compute all routes anew and program what differs",
                        Nothing.class,
                        (user, parts, nothing) -> ofMaster(() -> {
                            control.requestReroute();
                            return Reply.accepted(new Done("a new routing is requested"));
                        })));
    }

    private CompletionStage<Reply> ofMaster(Supplier<Reply> work) {
        SmStatistics now = control.statistics();
        if (now == null || now.mastership().shown() != SmState.MASTER) {
            return CompletableFuture.completedFuture(
                    Reply.text(HttpResponseStatus.CONFLICT, "this SM is not master; ask the master"));
        }
        return CompletableFuture.completedFuture(work.get());
    }
}
