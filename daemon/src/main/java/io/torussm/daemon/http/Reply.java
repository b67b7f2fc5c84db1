package io.torussm.daemon.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.torussm.daemon.json.Json;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * A reply to a request.
 *
 * @param body kept, not copied
 * @param tag names the content, so that a client that has it is spared it; empty for what must not be kept
 * @param headers further ones
 */
public record Reply(
        HttpResponseStatus status, String contentType, byte[] body, String tag, Map<String, String> headers) {
    private static final int MAX_OUTCOME = 200;

    static final String TEXT = "text/plain; charset=utf-8";
    public static final String JSON = "application/json";

    public Reply(HttpResponseStatus status, String contentType, byte[] body, String tag) {
        this(status, contentType, body, tag, Map.of());
    }

    /** Returns a copy with a further header. */
    public Reply with(String header, String value) {
        return new Reply(status, contentType, body, tag, Map.of(header, value));
    }

    /** Returns the reply to a request that will be executed. */
    public static Reply accepted(Object record) {
        return new Reply(HttpResponseStatus.ACCEPTED, JSON, Json.bytes(record), "");
    }

    /** Returns the reply to a request that was executed. */
    public static Reply ok(Object record) {
        return data(JSON, Json.bytes(record));
    }

    /** Returns status and words on one line, for the log. */
    public String outcome() {
        String text = new String(body, 0, Math.min(body.length, MAX_OUTCOME), StandardCharsets.UTF_8);
        return status.code() + " " + text.strip().replaceAll("[^ -~]+", " ");
    }

    /** Returns a reply with words for people. */
    public static Reply text(HttpResponseStatus status, String text) {
        return new Reply(status, TEXT, (text + "\n").getBytes(StandardCharsets.UTF_8), "");
    }

    /** Returns an error with its text, for the page. */
    public static Reply problem(HttpResponseStatus status, String text) {
        return new Reply(
                status, JSON, Json.bytes(JsonNodeFactory.instance.objectNode().put("problem", text)), "");
    }

    /** Returns data that are out of date in a moment. */
    public static Reply data(String contentType, byte[] body) {
        return new Reply(HttpResponseStatus.OK, contentType, body, "");
    }

    /** Returns a reply whose content has its own tag. */
    public static Reply tagged(String contentType, byte[] body) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(body);
            String tag = '"' + HexFormat.of().formatHex(digest, 0, Long.BYTES) + '"';
            return new Reply(HttpResponseStatus.OK, contentType, body, tag);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
