package io.torussm.daemon.http.server;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.concurrent.EventExecutor;
import io.torussm.daemon.http.GetHandler;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.http.StaticFiles;
import io.torussm.daemon.http.api.Resources;
import io.torussm.daemon.http.metrics.Metrics;
import io.torussm.daemon.http.page.Picture;
import io.torussm.daemon.http.ufm.UfmPaths;
import io.torussm.daemon.http.ufm.UfmResources;
import io.torussm.event.FatalErrors;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** The table of paths: it selects the reply to each request. Owner thread: {@code http}. */
public final class Router implements GetHandler {
    private static final int MAX_PARAMETERS = 8;

    private static final EventLog EVENTS = EventLog.of(Router.class);

    private final Health health;
    private final Metrics metrics;
    private final Picture picture;
    private final WhatIfRequests consequences;
    private final Resources resources;
    private final UfmResources ufm;
    private final StaticFiles files = new StaticFiles();
    private final EventExecutor worker;
    private final EventExecutor historyWorker;

    /**
     * Creates the routes to all replies.
     *
     * @param worker executor of slow replies, which rejects them if its queue is full
     * @param past executor of replies that are too slow for {@code worker}
     */
    Router(
            Health health,
            Metrics metrics,
            Picture picture,
            WhatIfRequests consequences,
            Resources resources,
            UfmResources ufm,
            EventExecutor worker,
            EventExecutor past) {
        this.health = health;
        this.metrics = metrics;
        this.picture = picture;
        this.consequences = consequences;
        this.resources = resources;
        this.ufm = ufm;
        this.worker = worker;
        this.historyWorker = past;
    }

    @Override
    public void answer(String uri, Consumer<Reply> answer) {
        QueryStringDecoder query =
                QueryStringDecoder.builder().maxParams(MAX_PARAMETERS).build(uri);
        var unused = query.parameters(); // decoded here, because a wrong escape would later count as a defect
        switch (query.path()) {
            case "/healthz" -> health.checkLiveness(answer);
            case "/readyz" -> health.checkReadiness(answer);
            case "/metrics" -> replyLater(metrics::scrape, answer);
            case "/metrics/ports" ->
                replyLater(
                        () -> metrics.ports().scrape(firstValue(query, "shard"), firstValue(query, "shards")), answer);
            case "/api/status" -> replyLater(picture::status, answer);
            case "/api/shadow" -> replyLater(picture::shadow, answer);
            case "/api/congestion" -> replyLater(picture::congestion, answer);
            case "/api/torus" -> {
                String at = firstValue(query, "at");
                replyLater(at.isEmpty() ? worker : historyWorker, () -> picture.torus(at), answer);
            }
            case "/api/device" -> replyLater(() -> picture.device(firstValue(query, "guid")), answer);
            case "/api/what-if" ->
                replyLater(() -> consequences.of(firstValue(query, "guid"), firstValue(query, "port")), answer);
            case "/api/path" ->
                replyLater(
                        () -> picture.path(
                                firstValue(query, "src"), firstValue(query, "dst"), firstValue(query, "level")),
                        answer);
            default -> {
                if (query.path().startsWith(Resources.ROOT)) {
                    String name = query.path().substring(Resources.ROOT.length());
                    replyLater(() -> resources.answer(name, firstValues(query)), answer);
                } else if (UfmPaths.canonical(query.path()).startsWith(UfmPaths.ROOT)) {
                    String name = UfmPaths.canonical(query.path()).substring(UfmPaths.ROOT.length());
                    replyLater(() -> ufm.answer(name, firstValues(query)), answer);
                } else {
                    answer.accept(file(query.path()));
                }
            }
        }
    }

    private static String firstValue(QueryStringDecoder query, String name) {
        return query.parameters().getOrDefault(name, List.of("")).get(0);
    }

    /** Returns the first value of each parameter. */
    private static Map<String, String> firstValues(QueryStringDecoder query) {
        Map<String, String> parameters = new HashMap<>();
        query.parameters().forEach((name, values) -> parameters.put(name, values.get(0)));
        return parameters;
    }

    private Reply file(String path) {
        Reply file = files.find(path);
        return file == null ? Reply.text(HttpResponseStatus.NOT_FOUND, "there is nothing here") : file;
    }

    private void replyLater(Supplier<Reply> work, Consumer<Reply> answer) {
        replyLater(worker, work, answer);
    }

    private static void replyLater(EventExecutor thread, Supplier<Reply> work, Consumer<Reply> answer) {
        try {
            thread.execute(() -> answer.accept(computeReply(work)));
        } catch (RejectedExecutionException e) {
            answer.accept(Reply.text(HttpResponseStatus.SERVICE_UNAVAILABLE, "too many requests"));
        }
    }

    /**
     * Computes a reply. It catches all exceptions, because an exception would leave this client, and others that wait
     * for the same computation, without a reply.
     */
    static Reply computeReply(Supplier<Reply> work) {
        try {
            return work.get();
        } catch (RuntimeException | Error e) {
            EVENTS.report(SmEvent.HTTP_DEFECT, e);
            FatalErrors.escalate(e);
            return Reply.text(HttpResponseStatus.INTERNAL_SERVER_ERROR, "internal error, see the log");
        }
    }
}
