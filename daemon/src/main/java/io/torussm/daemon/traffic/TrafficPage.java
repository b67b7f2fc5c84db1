package io.torussm.daemon.traffic;

import io.torussm.daemon.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/**
 * A self-contained page for browsers from a report: plots of throughput and latency, and the utilisation of each cable.
 */
public final class TrafficPage {
    private static final String DATA = "/*REPORT*/null";

    private TrafficPage() {}

    /** Returns the page, in UTF-8. */
    public static byte[] of(TrafficReport report) {
        // A device name may contain any characters, even the end tag of a script.
        String json = Json.line(report).replace("<", "\\u003c");
        return template().replace(DATA, json).getBytes(StandardCharsets.UTF_8);
    }

    private static String template() {
        try (InputStream in = TrafficPage.class.getResourceAsStream("report.html")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
