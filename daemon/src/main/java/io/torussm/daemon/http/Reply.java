package io.torussm.daemon.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * An answer to a request.
 *
 * @param body kept, not copied
 * @param tag names the content, so that a client that has it is spared it; empty for what must not be kept
 */
record Reply(HttpResponseStatus status, String contentType, byte[] body, String tag) {
    static final String TEXT = "text/plain; charset=utf-8";
    static final String JSON = "application/json";

    /** Words for people. */
    static Reply text(HttpResponseStatus status, String text) {
        return new Reply(status, TEXT, (text + "\n").getBytes(StandardCharsets.UTF_8), "");
    }

    /** Data that are out of date in a moment. */
    static Reply data(String contentType, byte[] body) {
        return new Reply(HttpResponseStatus.OK, contentType, body, "");
    }

    /** Content with a tag of its own. */
    static Reply tagged(String contentType, byte[] body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
            String tag = '"' + HexFormat.of().formatHex(digest, 0, Long.BYTES) + '"';
            return new Reply(HttpResponseStatus.OK, contentType, body, tag);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
