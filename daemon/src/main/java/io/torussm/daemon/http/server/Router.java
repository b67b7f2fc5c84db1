package io.torussm.daemon.http.server;

import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.util.concurrent.EventExecutor;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.http.Site;
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
public final class Router implements Site {
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
    private final EventExecutor past;

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
        this.past = past;
    }

    @Override
    public void answer(String uri, Consumer<Reply> answer) {
        QueryStringDecoder query =
                QueryStringDecoder.builder().maxParams(MAX_PARAMETERS).build(uri);
        var unused = query.parameters(); // decoded here, because a wrong escape would later count as a defect
        switch (query.path()) {
            case "/healthz" -> health.alive(answer);
            case "/readyz" -> health.ready(answer);
            case "/metrics" -> later(metrics::scrape, answer);
            case "/metrics/ports" ->
                later(() -> metrics.ports().scrape(one(query, "shard"), one(query, "shards")), answer);
            case "/api/status" -> later(picture::status, answer);
            case "/api/shadow" -> later(picture::shadow, answer);
            case "/api/torus" -> {
                String at = one(query, "at");
                later(at.isEmpty() ? worker : past, () -> picture.torus(at), answer);
            }
            case "/api/device" -> later(() -> picture.device(one(query, "guid")), answer);
            case "/api/what-if" -> later(() -> consequences.of(one(query, "guid"), one(query, "port")), answer);
            case "/api/path" ->
                later(() -> picture.path(one(query, "src"), one(query, "dst"), one(query, "level")), answer);
            default -> {
                if (query.path().startsWith(Resources.ROOT)) {
                    String name = query.path().substring(Resources.ROOT.length());
                    later(() -> resources.answer(name, single(query)), answer);
                } else if (UfmPaths.usual(query.path()).startsWith(UfmPaths.ROOT)) {
                    String name = UfmPaths.usual(query.path()).substring(UfmPaths.ROOT.length());
                    later(() -> ufm.answer(name, single(query)), answer);
                } else {
                    answer.accept(file(query.path()));
                }
            }
        }
    }

    private static String one(QueryStringDecoder query, String name) {
        return query.parameters().getOrDefault(name, List.of("")).get(0);
    }

    /** Returns the first value of each parameter. */
    private static Map<String, String> single(QueryStringDecoder query) {
        Map<String, String> parameters = new HashMap<>();
        query.parameters().forEach((name, values) -> parameters.put(name, values.get(0)));
        return parameters;
    }

    private Reply file(String path) {
        Reply file = files.find(path);
        return file == null ? Reply.text(HttpResponseStatus.NOT_FOUND, "there is nothing here") : file;
    }

    private void later(Supplier<Reply> work, Consumer<Reply> answer) {
        later(worker, work, answer);
    }

    private static void later(EventExecutor thread, Supplier<Reply> work, Consumer<Reply> answer) {
        try {
            thread.execute(() -> answer.accept(done(work)));
        } catch (RejectedExecutionException e) {
            answer.accept(Reply.text(HttpResponseStatus.SERVICE_UNAVAILABLE, "too many requests"));
        }
    }

    /**
     * Computes a reply. It catches all exceptions, because an exception would leave this client, and others that wait
     * for the same computation, without a reply.
     */
    static Reply done(Supplier<Reply> work) {
        try {
            return work.get();
        } catch (RuntimeException | Error e) {
            EVENTS.report(SmEvent.HTTP_DEFECT, e);
            FatalErrors.escalate(e);
            return Reply.text(HttpResponseStatus.INTERNAL_SERVER_ERROR, "internal error, see the log");
        }
    }
}
