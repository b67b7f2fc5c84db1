package io.torussm.daemon.http;

import java.util.function.Consumer;

/** The addresses that a server reads from. Owner thread: that of the server. */
public interface Site {
    /**
     * Answers a GET, now or later, once.
     *
     * @param uri path and query as the client sent them
     * @throws IllegalArgumentException if the address makes no sense
     */
    void answer(String uri, Consumer<Reply> answer);
}
