package io.torussm.daemon.http.server;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import io.torussm.daemon.access.User;
import io.torussm.daemon.http.Operation;
import io.torussm.daemon.http.Reply;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The check of a client, and the execution of its operations. Owner thread: that of the server. */
interface HttpAccess {
    /**
     * The decision on a request after its head.
     *
     * @param refusal reply to a rejected request; null otherwise
     * @param operation operation to execute after the body; null for a request that only reads
     */
    record Admission(@Nullable Reply refusal, @Nullable PermittedRequest operation) {
        private static final Admission READ_ONLY = new Admission(null, null);

        static Admission readOnly() {
            return READ_ONLY;
        }

        static Admission refused(Reply refusal) {
            return new Admission(refusal, null);
        }

        static Admission of(PermittedRequest operation) {
            return new Admission(null, operation);
        }
    }

    /**
     * A permitted request for an operation.
     *
     * @param operation operation of {@link Operations}
     * @param user name of the caller
     * @param address address of the client
     * @param parts values of the variable parts of the path
     */
    record PermittedRequest(Operation<?> operation, User user, String address, List<String> parts) {}

    /** Admits or rejects a request by its head. Its Host header is accepted already. */
    Admission admit(Channel client, HttpRequest request);

    /** Handles a client with which TLS could not be negotiated. */
    void tlsFailed(Channel client, Throwable cause);

    /** Executes an operation and replies exactly once, immediately or later. */
    void perform(PermittedRequest asked, byte[] body, Consumer<Reply> answer);
}
