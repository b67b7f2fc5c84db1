package io.torussm.daemon.http;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.json.Json;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /events}: lines of the log as they come, and the news that the state of the fabric is another, as server-sent events. A
 * client that does not keep up is dropped; it comes again and says what it has seen last. Owner thread: {@code http}.
 */
final class EventStreams {
    /** Clients beyond these are refused and may come later. */
    static final int MAX_CLIENTS = 16;

    private static final long LOOK_MS = 200;
    private static final int LOOKS_PER_SIGN_OF_LIFE = 75;
    private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);

    private final SmObserver observer;
    private final EventExecutor loop;

    /** An event as the page takes it; time in milliseconds since 1970. */
    private record Line(long id, long timeMs, String level, String code, String text, Map<String, String> fields) {
        static Line of(Journal.Entry event) {
            return new Line(
                    event.number(),
                    event.time().toEpochMilli(),
                    event.level(),
                    event.code(),
                    event.text(),
                    event.fields());
        }
    }

    /** With the line that each was sent last. */
    private final Map<Channel, Long> clients = new HashMap<>();

    private @Nullable ScheduledFuture<?> looking;
    private FabricState shown = FabricState.NOTHING;
    private int looks;

    /** @param loop the thread of the server */
    EventStreams(SmObserver observer, EventExecutor loop) {
        this.observer = observer;
        this.loop = loop;
    }

    boolean isFull() {
        return clients.size() >= MAX_CLIENTS;
    }

    /** Ends all of them. */
    void closeAll() {
        List.copyOf(clients.keySet())
                .forEach(client -> client.close().addListener(closed -> LOG.debug("a stream of events was ended")));
    }

    /**
     * Sends a client events from now on until it goes; the head of the answer is on its way.
     *
     * @param last the line that it has seen last, 0 for none
     */
    void join(Channel client, long last) {
        clients.put(client, last);
        client.closeFuture().addListener(closed -> leave(client));
        if (looking == null) {
            shown = observer.state();
            looking = loop.scheduleWithFixedDelay(this::look, 0, LOOK_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void leave(Channel client) {
        clients.remove(client);
        ScheduledFuture<?> timer = looking;
        if (clients.isEmpty() && timer != null) {
            timer.cancel(false);
            looking = null;
        }
    }

    private void look() {
        FabricState now = observer.state();
        PublishedView view = now.view();
        String news = now.equals(shown) ? "" : "event: view\ndata: " + (view == null ? 0 : view.sweep()) + "\n\n";
        shown = now;
        looks++;
        if (looks % LOOKS_PER_SIGN_OF_LIFE == 0) {
            news += ": still here\n\n";
        }
        for (Iterator<Map.Entry<Channel, Long>> each = clients.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<Channel, Long> client = each.next();
            StringBuilder text = new StringBuilder();
            for (Journal.Entry event : observer.journal().after(client.getValue())) {
                Line line = Line.of(event);
                text.append("id: ").append(line.id()).append("\nevent: line\ndata: ");
                text.append(Json.line(line)).append("\n\n");
                client.setValue(line.id());
            }
            text.append(news);
            if (text.length() > 0 && !send(client.getKey(), text.toString())) {
                each.remove();
            }
        }
    }

    /** What waits for a slow client is bounded by the channel's own mark. */
    private static boolean send(Channel client, String text) {
        if (!client.isWritable()) {
            client.close().addListener(closed -> LOG.debug("a client of the events was too slow"));
            return false;
        }
        client.writeAndFlush(new DefaultHttpContent(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8)))
                .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        return true;
    }
}
