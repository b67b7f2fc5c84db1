package io.torussm.daemon.http.server;

import io.netty.channel.Channel;
import io.netty.handler.codec.http.HttpRequest;
import io.torussm.daemon.access.User;
import io.torussm.daemon.http.Operation;
import io.torussm.daemon.http.Reply;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Whom a server answers, and what it does for him. Owner thread: that of the server. */
interface Door {
    /**
     * What becomes of a request whose head has come.
     *
     * @param refusal the answer if it goes no further; null if it does
     * @param operation what is to be done once the body has come; null if something is only to be shown
     */
    record Admission(@Nullable Reply refusal, @Nullable Asked operation) {
        private static final Admission SHOWN = new Admission(null, null);

        static Admission shown() {
            return SHOWN;
        }

        static Admission refused(Reply refusal) {
            return new Admission(refusal, null);
        }

        static Admission of(Asked operation) {
            return new Admission(null, operation);
        }
    }

    /**
     * An operation that a user may ask for, and does.
     *
     * @param operation of {@link Operations}
     * @param user who asks
     * @param address from where
     * @param parts of the address that stand for something
     */
    record Asked(Operation<?> operation, User user, String address, List<String> parts) {}

    /** Judges the head of a request whose Host is right. */
    Admission admit(Channel client, HttpRequest request);

    /** TLS did not come about with a client. */
    void strange(Channel client, Throwable why);

    /** Does what is asked for and answers, now or later, once. */
    void perform(Asked asked, byte[] body, Consumer<Reply> answer);
}
