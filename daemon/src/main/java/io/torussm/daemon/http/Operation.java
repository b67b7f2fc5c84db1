package io.torussm.daemon.http;

import io.torussm.daemon.access.Role;
import java.util.concurrent.CompletionStage;

/**
 * Something that can be asked for over HTTPS.
 *
 * @param method of HTTP: POST, PUT or DELETE
 * @param path exact, but for a last part {@code {name}} that stands for something
 * @param role that it takes
 * @param meaning one sentence, without a full stop
 * @param body a record that the body is read as; {@link Nothing} if there is to be none
 * @param work does it; may take a while, but waits for nothing
 */
record Operation<B>(String method, String path, Role role, String meaning, Class<B> body, Work<B> work) {
    /** No body. */
    record Nothing() {
        static final Nothing NOTHING = new Nothing();
    }

    /**
     * What came of it.
     *
     * @param done in words
     */
    record Done(String done) {}

    /** Does what is asked for. Owner thread: {@code https-change}. */
    interface Work<B> {
        /**
         * Begins it.
         *
         * @param id what the last part of the path is, if that stands for something
         * @return the answer once it is done
         * @throws IllegalArgumentException if what is asked for makes no sense; with a sentence
         */
        CompletionStage<Reply> begin(String id, B body);
    }

    /** The path without what stands for something; ends in a slash then. */
    String prefix() {
        int open = path.indexOf('{');
        return open < 0 ? path : path.substring(0, open);
    }

    boolean hasId() {
        return path.endsWith("}");
    }

    /** What is asked for, for the log. */
    String action(String id) {
        return method + " " + prefix() + id;
    }
}
