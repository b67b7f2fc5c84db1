package io.torussm.daemon.http.server;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.ScheduledFuture;
import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.http.api.SmLists;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.json.Json;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code /events} and {@value #API}: events and changes of the fabric state, as server-sent events. A slow client is
 * disconnected. It may connect again with the number of the last event that it received. Owner thread: {@code http}.
 */
public final class EventStreams {
    /** The address for programs. The page uses {@code /events}. */
    static final String API = "/api/v1/stream";

    /** Maximum number of clients. Beyond it, a new client replaces another one by the rule of {@link ClientLimit}. */
    public static final int MAX_CLIENTS = 16;

    private static final long SEND_INTERVAL_MS = 200;
    private static final int ROUNDS_PER_KEEP_ALIVE = 75; // a sign of life every 15 s
    private static final Logger LOG = LoggerFactory.getLogger(EventStreams.class);

    private final SmObserver observer;
    private final EventExecutor loop;

    /** An event in the form of the page, with its time in ms since 1970. */
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

    private final Map<Channel, Follower> clients = new HashMap<>();
    private final ClientLimit limit = new ClientLimit(MAX_CLIENTS);

    /** The form of events. */
    enum Form {
        /** The form that the page reads. */
        PAGE {
            @Override
            String event(Journal.Entry entry) {
                return "event: line\ndata: " + Json.line(Line.of(entry)) + "\n\n";
            }

            @Override
            String lost(long count) {
                return "";
            }

            @Override
            String state(FabricState state, long sweep) {
                return "event: view\ndata: " + sweep + "\n\n";
            }
        },
        /** The form of {@link SmLists}, for programs. */
        API {
            @Override
            String event(Journal.Entry entry) {
                return "event: event\ndata: " + Json.line(SmLists.Event.of(entry)) + "\n\n";
            }

            @Override
            String lost(long count) {
                return "event: lost\ndata: " + Json.line(new Lost(count)) + "\n\n";
            }

            @Override
            String state(FabricState state, long sweep) {
                return "event: sweep\ndata: "
                        + Json.line(new Sweep(
                                sweep, state.foundAt(), state.routing().toString())) + "\n\n";
            }
        };

        abstract String event(Journal.Entry entry);

        abstract String lost(long count);

        abstract String state(FabricState state, long sweep);
    }

    /** The number of events that were dropped. */
    private record Lost(long lost) {}

    /** The new state of the fabric. */
    private record Sweep(long sweep, @Nullable Instant foundAt, String routing) {}

    /** A client, and the number of the last event that was sent to it. */
    private static final class Follower {
        private final Form form;
        private long lastEvent;

        Follower(Form form, long last) {
            this.form = form;
            this.lastEvent = last;
        }

        void append(Journal journal, StringBuilder text) {
            for (Journal.Entry entry : journal.after(lastEvent)) {
                if (lastEvent > 0 && entry.number() > lastEvent + 1) {
                    text.append(form.lost(entry.number() - lastEvent - 1));
                }
                lastEvent = entry.number();
                text.append("id: ").append(lastEvent).append('\n').append(form.event(entry));
            }
        }
    }

    private @Nullable ScheduledFuture<?> sendTimer;
    private FabricState lastState = FabricState.NOTHING;
    private int rounds;

    /** @param loop the thread of the server */
    EventStreams(SmObserver observer, EventExecutor loop) {
        this.observer = observer;
        this.loop = loop;
    }

    /** Returns the number of the last event. */
    long last() {
        return observer.journal().last();
    }

    /** Ends all streams. */
    void closeAll() {
        List.copyOf(clients.keySet())
                .forEach(client -> client.close().addListener(closed -> LOG.debug("a stream of events was ended")));
    }

    /**
     * Sends events to a client from now on until it disconnects. The head of the reply was written before.
     *
     * @param last number of the last event that the client received, 0 for none; a number above the last event is of
     *     another run of this program
     */
    void add(Channel client, Form form, long last) {
        limit.admit(client, () -> false);
        clients.put(client, new Follower(form, last > observer.journal().last() ? 0 : last));
        client.closeFuture().addListener(closed -> remove(client));
        if (sendTimer == null) {
            lastState = observer.state();
            sendTimer = loop.scheduleWithFixedDelay(this::sendEvents, 0, SEND_INTERVAL_MS, TimeUnit.MILLISECONDS);
        }
    }

    private void remove(Channel client) {
        clients.remove(client);
        ScheduledFuture<?> timer = sendTimer;
        if (clients.isEmpty() && timer != null) {
            timer.cancel(false);
            sendTimer = null;
        }
    }

    private void sendEvents() {
        FabricState currentState = observer.state();
        PublishedView view = currentState.view();
        boolean isOther = !currentState.equals(lastState);
        lastState = currentState;
        rounds++;
        String sign = rounds % ROUNDS_PER_KEEP_ALIVE == 0 ? ": still here\n\n" : "";
        for (Iterator<Map.Entry<Channel, Follower>> each = clients.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<Channel, Follower> client = each.next();
            StringBuilder text = new StringBuilder();
            client.getValue().append(observer.journal(), text);
            if (isOther) {
                text.append(client.getValue().form.state(currentState, view == null ? 0 : view.sweep()));
            }
            text.append(sign);
            if (text.length() > 0 && !send(client.getKey(), text.toString())) {
                each.remove();
            }
        }
    }

    /**
     * Sends data. If the unread output has reached the channel's water mark, disconnects the client and returns false.
     */
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
