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
 * @param status HTTP status
 * @param contentType media type of the body
 * @param body content; not copied
 * @param tag ETag of the content, so that a client with the same content does not receive it again; empty if clients
 *     must not store it
 * @param headers further headers, by name
 */
public record Reply(
        HttpResponseStatus status, String contentType, byte[] body, String tag, Map<String, String> headers) {
    private static final int MAX_OUTCOME_BYTES = 200;

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

    /** Returns status and text on one line of limited length, for the log. */
    public String outcome() {
        String text = new String(body, 0, Math.min(body.length, MAX_OUTCOME_BYTES), StandardCharsets.UTF_8);
        return status.code() + " " + text.strip().replaceAll("[^ -~]+", " ");
    }

    /** Returns a reply with plain text. */
    public static Reply text(HttpResponseStatus status, String text) {
        return new Reply(status, TEXT, (text + "\n").getBytes(StandardCharsets.UTF_8), "");
    }

    /** Returns an error with its text, for the page. */
    public static Reply problem(HttpResponseStatus status, String text) {
        return new Reply(
                status, JSON, Json.bytes(JsonNodeFactory.instance.objectNode().put("problem", text)), "");
    }

    /** Returns a reply with data that change often, so clients must not store them. */
    public static Reply data(String contentType, byte[] body) {
        return new Reply(HttpResponseStatus.OK, contentType, body, "");
    }

    /** Returns a reply with a tag that is derived from its content. */
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
