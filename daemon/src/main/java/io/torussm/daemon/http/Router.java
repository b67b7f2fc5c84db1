package io.torussm.daemon.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.util.function.Consumer;

/** Which path leads where. Owner thread: {@code http}. */
final class Router {
    private static final int MAX_PARAMETERS = 8;

    private final Health health;

    Router(Health health) {
        this.health = health;
    }

    /**
     * Answers a GET, now or later, once.
     *
     * @param uri as the client sent it
     */
    void answer(String uri, Consumer<Reply> answer) {
        QueryStringDecoder query =
                QueryStringDecoder.builder().maxParams(MAX_PARAMETERS).build(uri);
        switch (query.path()) {
            case "/healthz" -> health.alive(answer);
            case "/readyz" -> answer.accept(health.ready());
            default -> answer.accept(Reply.text(HttpResponseStatus.NOT_FOUND, "there is nothing here"));
        }
    }
}
