package io.torussm.daemon.http.metrics;

import io.torussm.daemon.access.Access;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The counters of requests over HTTPS by outcome, for the metrics of both servers. Any thread. */
public final class HttpCounts {
    private final Map<Outcome, LongAdder> requests = new EnumMap<>(Outcome.class);
    private volatile @Nullable Supplier<Access> access;

    /** The outcome of the check of a request. */
    public enum Outcome {
        /** The request was admitted. */
        ADMITTED,
        /** The request had no valid token or certificate. */
        UNAUTHORIZED,
        /** The address of the client failed too often. */
        PACED,
        /** The role of the user does not permit the request. */
        FORBIDDEN,
        /** TLS could not be negotiated. */
        NO_TLS
    }

    /** Creates counters with value 0, for a process without HTTPS. */
    public HttpCounts() {
        for (Outcome outcome : Outcome.values()) {
            requests.put(outcome, new LongAdder());
        }
    }

    public void count(Outcome outcome) {
        requests.getOrDefault(outcome, new LongAdder()).increment();
    }

    /** Sets the access of HTTPS, which is served from now on. */
    public void setAccess(Supplier<Access> active) {
        access = active;
    }

    /** Adds the counters to a page of metrics, if HTTPS is served. */
    void addTo(MetricsBuilder page) {
        Supplier<Access> active = access;
        if (active == null) {
            return;
        }
        Map<String, Long> values = new TreeMap<>();
        requests.forEach((outcome, count) -> values.put(outcome.name().toLowerCase(Locale.ROOT), count.sum()));
        page.counters("https_requests", "Requests over HTTPS by result of the authentication", "outcome", values);
        page.gauge(
                "https_certificate_end_seconds",
                "When the certificate of HTTPS ends, in seconds since 1970",
                active.get().certificateEnds().getEpochSecond());
    }
}
