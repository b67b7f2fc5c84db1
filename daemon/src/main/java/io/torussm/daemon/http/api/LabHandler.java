package io.torussm.daemon.http.api;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.snapshots.Labels;
import io.torussm.daemon.control.LabControl;
import io.torussm.daemon.http.GetHandler;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.http.metrics.MetricsBuilder;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The addresses of a fabric that {@code torus-sm fabric} serves: its state, the output of console lines that only read,
 * and metrics.
 */
public final class LabHandler implements GetHandler {
    static final String ROOT = "/api/v1/";

    private static final EventLog EVENTS = EventLog.of(LabHandler.class);

    private final LabControl control;
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.builder()
            .setIncludeCreatedTimestamps(false)
            .build();

    public LabHandler(LabControl control) {
        this.control = control;
    }

    @Override
    public void answer(String uri, Consumer<Reply> answer) {
        QueryStringDecoder query = QueryStringDecoder.builder().maxParams(2).build(uri);
        switch (query.path()) {
            case "/healthz" -> answer.accept(Reply.text(HttpResponseStatus.OK, "ok"));
            case ROOT + "lab" -> replyLater(control.state(), Reply::ok, answer);
            case "/metrics" -> replyLater(control.state(), this::metrics, answer);
            case ROOT + "console" -> executeReadOnly(query, answer);
            default ->
                answer.accept(Reply.text(
                        HttpResponseStatus.NOT_FOUND,
                        "there is nothing here; there are " + ROOT + "lab, " + ROOT + "console?line=, /metrics"));
        }
    }

    private void executeReadOnly(QueryStringDecoder query, Consumer<Reply> answer) {
        String line = query.parameters().getOrDefault("line", List.of("help")).get(0);
        if (!control.isReadOnly(line)) {
            answer.accept(Reply.text(
                    HttpResponseStatus.METHOD_NOT_ALLOWED, "this line changes something: POST it, as {\"line\": ...}"));
            return;
        }
        replyLater(
                control.execute(line, "http"),
                response -> Reply.text(
                        response.isGood() ? HttpResponseStatus.OK : HttpResponseStatus.BAD_REQUEST,
                        String.join("\n", response.lines())),
                answer);
    }

    private static <T> void replyLater(CompletionStage<T> result, Function<T, Reply> shown, Consumer<Reply> answer) {
        var unused = result.thenApply(shown)
                .exceptionally(e -> {
                    EVENTS.report(SmEvent.HTTP_DEFECT, e);
                    return Reply.text(HttpResponseStatus.INTERNAL_SERVER_ERROR, "internal error, see the log");
                })
                .thenAccept(answer);
    }

    private Reply metrics(LabControl.State state) {
        MetricsBuilder metrics = new MetricsBuilder(Labels.EMPTY);
        metrics.gauge("fabric_clients", "programs at ports of the fabric", (long)
                state.clients().size());
        metrics.gauge(
                "fabric_broken", "faults that stand", (long) state.broken().size());
        metrics.counters("fabric_mads", "MADs of the fabric, by result", "what", state.mads());
        metrics.counters("fabric_server", "counters of the server of the fabric", "what", state.server());
        LabControl.Traffic traffic = state.traffic();
        metrics.counter("fabric_packets_sent", "packets of the fabric's own traffic", traffic.sent());
        metrics.counter("fabric_packets_arrived", "those of them that arrived", traffic.arrived());
        metrics.counter(
                "fabric_packets_unsent", "those not sent, an end being down or without a LID", traffic.unsent());
        metrics.counters("fabric_packets_lost", "lost MADs, by reason", "reason", traffic.lost());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            writer.write(out, metrics.snapshots());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return Reply.data(PrometheusTextFormatWriter.CONTENT_TYPE, out.toByteArray());
    }
}
