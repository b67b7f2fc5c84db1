package io.torussm.daemon.http;

import java.util.function.Consumer;

/** A set of addresses for GET. Owner thread: that of the server. */
public interface GetHandler {
    /**
     * Replies to a GET exactly once, immediately or later.
     *
     * @param uri path and query as the client sent them
     * @param answer receiver of the reply
     * @throws IllegalArgumentException if the address is malformed
     */
    void answer(String uri, Consumer<Reply> answer);
}
