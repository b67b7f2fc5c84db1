package io.torussm.daemon.http.server;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.concurrent.EventExecutor;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.http.Operation;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.http.api.PartitionOperations;
import io.torussm.daemon.http.api.SmOperations;
import io.torussm.daemon.http.ufm.UfmPaths;
import io.torussm.daemon.json.Json;
import io.torussm.event.EventField;
import io.torussm.event.FatalErrors;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The table of all operations over HTTPS. Each execution becomes an event with its outcome. Owner thread: {@code
 * https}.
 */
final class Operations {
    /** Maximum size of a body, in bytes. */
    static final int MAX_BODY_BYTES = 1 << 18;

    /** Time, in seconds, after which the reply reports that the outcome is not known yet. */
    static final long TIMEOUT_S = 25;

    private static final EventLog EVENTS = EventLog.of(Operations.class);

    private final List<Operation<?>> all;
    private final EventExecutor worker;

    /**
     * The operation of a method and an address.
     *
     * @param operation operation; null if the address or the method has none
     * @param parts values of the variable parts of the path
     * @param methods methods that are defined for the address
     */
    record Match(@Nullable Operation<?> operation, List<String> parts, Set<String> methods) {}

    /** @param worker executor of the operations, one after the other */
    Operations(List<Operation<?>> all, EventExecutor worker) {
        this.all = List.copyOf(all);
        this.worker = worker;
    }

    /** Returns the operations of a subnet manager. */
    static Operations of(SmControl control, EventExecutor worker) {
        List<Operation<?>> all = new ArrayList<>(new SmOperations(control).all());
        all.addAll(new PartitionOperations(control).all());
        return new Operations(all, worker);
    }

    List<Operation<?>> all() {
        return all;
    }

    /** Finds the operation of a request. Escapes in the address are not decoded. */
    Match match(String method, String uri) {
        String path = UfmPaths.canonical(uri.split("\\?", 2)[0]);
        Set<String> methods = new TreeSet<>();
        for (Operation<?> each : all) {
            List<String> parts = each.match(path);
            if (parts != null && each.method().equals(method)) {
                return new Match(each, parts, methods);
            } else if (parts != null) {
                methods.add(each.method());
            }
        }
        return new Match(null, List.of(), methods);
    }

    /** Executes an operation and replies exactly once, also after an error. */
    void perform(HttpAccess.PermittedRequest asked, byte[] body, Consumer<Reply> answer) {
        try {
            worker.execute(() -> {
                var unused = begin(asked, asked.operation(), body)
                        .toCompletableFuture()
                        .orTimeout(TIMEOUT_S, TimeUnit.SECONDS)
                        .exceptionally(Operations::errorReply)
                        .thenAccept(reply -> {
                            logChange(asked, reply);
                            answer.accept(reply);
                        });
            });
        } catch (RejectedExecutionException e) {
            answer.accept(Reply.text(HttpResponseStatus.SERVICE_UNAVAILABLE, "too many requests"));
        }
    }

    private static <B> CompletionStage<Reply> begin(
            HttpAccess.PermittedRequest asked, Operation<B> operation, byte[] body) {
        try {
            return operation.work().begin(asked.user().name(), asked.parts(), read(operation.body(), body));
        } catch (IllegalArgumentException e) {
            return CompletableFuture.completedFuture(
                    Reply.text(HttpResponseStatus.BAD_REQUEST, String.valueOf(e.getMessage())));
        } catch (RuntimeException | Error e) {
            FatalErrors.escalate(e);
            return CompletableFuture.failedFuture(e);
        }
    }

    private static <B> B read(Class<B> type, byte[] body) {
        if (type == Operation.Nothing.class) {
            if (body.length > 0
                    && !new String(body, java.nio.charset.StandardCharsets.US_ASCII)
                            .strip()
                            .equals("{}")) {
                throw new IllegalArgumentException("no body is wanted here");
            }
            return type.cast(Operation.Nothing.NOTHING);
        }
        return Json.read(body, type);
    }

    private static Reply errorReply(Throwable cause) {
        if (cause instanceof TimeoutException) {
            return Reply.text(
                    HttpResponseStatus.GATEWAY_TIMEOUT,
                    "it was asked for, and is not done after " + TIMEOUT_S + " s; look again later");
        }
        EVENTS.report(SmEvent.HTTP_DEFECT, cause);
        return Reply.text(HttpResponseStatus.INTERNAL_SERVER_ERROR, "internal error, see the log");
    }

    private static void logChange(HttpAccess.PermittedRequest asked, Reply reply) {
        EVENTS.report(
                SmEvent.CHANGE_ASKED,
                EventField.USER.of(asked.user()),
                EventField.ADDRESS.of(asked.address()),
                EventField.ACTION.of(asked.operation().action(asked.parts())),
                EventField.TEXT.of(reply.outcome()));
    }
}
