package io.torussm.daemon.console.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.socket.nio.NioChannelOption;
import io.netty.channel.socket.nio.NioDomainSocketChannel;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.util.concurrent.ScheduledFuture;
import io.torussm.daemon.console.CommandSet;
import io.torussm.daemon.console.Commands;
import io.torussm.daemon.console.Commands.Follow;
import io.torussm.daemon.console.Commands.Reply;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.control.UnreadOutput;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.json.Json;
import io.torussm.event.EventField;
import io.torussm.event.FatalErrors;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The session of one client. It reads a request line after the response to the previous one is written.
 * Commands run on the workers, everything else on the console's thread. A client that follows events receives them as
 * fast as it reads. The journal drops further events, and the client receives their number.
 */
final class ConsoleSession extends SimpleChannelInboundHandler<ByteBuf> {
    /** Maximum length of a request line; a longer line ends the connection. */
    static final int MAX_LINE_BYTES = 1024;

    /** Maximum number of requests that wait for previous responses; a further request ends the connection. */
    static final int MAX_WAITING = 16;

    /** Maximum number of characters of a response; a longer response is replaced by an error. */
    static final int MAX_RESPONSE_CHARACTERS = 16 << 20;

    private static final int SMALL_RESPONSE_BYTES = 1 << 16;
    private static final int IDLE_MINUTES = 10;
    private static final int RESPONSE_TIMEOUT_MINUTES = 10;
    private static final String OK = ".ok\n";
    private static final String ERROR = ".error\n";
    private static final String USAGE = ".usage\n";
    private static final String REPLACED_MESSAGE =
            "too many clients, and another one needed this connection; connect again";
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleSession.class);
    private static final EventLog EVENTS = EventLog.of(ConsoleSession.class);

    private final Shared shared;
    private final ClientShares clients;
    private Commands.Requester asker;
    private final ArrayDeque<String> waitingRequests = new ArrayDeque<>();
    private final AtomicBoolean areEventsDue = new AtomicBoolean();
    private boolean isBusy;
    private boolean isEnding;
    private Follow followForm = Follow.NOTHING;
    private @Nullable CompletableFuture<?> pendingReply;
    private long lastSentEvent;
    private Runnable endListening = () -> {};
    private @Nullable ScheduledFuture<?> idle;

    /**
     * The objects that all clients share.
     *
     * @param commands all commands
     * @param workers threads that run commands
     * @param journal source of followed events
     * @param outbox limit of unread responses
     * @param followers limit of clients that follow events
     */
    record Shared(
            CommandSet commands, Executor workers, Journal journal, UnreadOutput outbox, ClientShares followers) {}

    private ConsoleSession(Shared shared, ClientShares clients, boolean mayChange) {
        this.shared = shared;
        this.clients = clients;
        this.asker = new Commands.Requester("somebody", "the console", mayChange);
    }

    /**
     * Serves a client.
     *
     * @param clients limit of clients of the same type of connection
     * @param mayChange true if changes are permitted
     */
    static void install(Channel channel, Shared shared, ClientShares clients, boolean mayChange) {
        channel.config().setOption(ChannelOption.AUTO_READ, false);
        channel.pipeline().addLast(new LineBasedFrameDecoder(MAX_LINE_BYTES, true, true));
        channel.pipeline().addLast(new ConsoleSession(shared, clients, mayChange));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        asker = new Commands.Requester(user(context.channel()), "the console", asker.mayChange());
        if (clients.add(this, asker.user(), this::isInUse, () -> endReplaced(context))) {
            runNext(context);
        } else {
            drop(context, "too many clients, " + ConsoleServer.MAX_CLIENTS + " are connected");
        }
    }

    private boolean isInUse() {
        return isBusy || followForm != Follow.NOTHING || pendingReply != null;
    }

    /** Ends the connection, because another client replaces this client. */
    private void endReplaced(ChannelHandlerContext context) {
        isEnding = true;
        waitingRequests.clear();
        context.writeAndFlush(ByteBufUtil.writeUtf8(context.alloc(), text(Reply.refusal(REPLACED_MESSAGE))))
                .addListener(ChannelFutureListener.CLOSE);
        close(context); // even if the client does not read
    }

    /** Returns the name of the user of the client's process, from the kernel; a placeholder over TCP. */
    private static String user(Channel channel) {
        if (!(channel instanceof NioDomainSocketChannel)) {
            return "somebody";
        }
        UnixDomainPrincipal peer = channel.config().getOption(NioChannelOption.of(ExtendedSocketOptions.SO_PEERCRED));
        return peer == null ? "somebody" : peer.user().getName();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        cancelIdle();
        endFollowing();
        endAwaiting();
        clients.remove(this);
    }

    private void endFollowing() {
        if (followForm != Follow.NOTHING) {
            followForm = Follow.NOTHING;
            endListening.run();
            shared.followers().remove(this);
        }
    }

    /** Ends the wait for a result. The operation continues, and its outcome is dropped. */
    private void endAwaiting() {
        if (pendingReply != null) {
            cancel(pendingReply);
            pendingReply = null;
            shared.followers().remove(this);
        }
    }

    private static void cancel(@Nullable CompletableFuture<?> later) {
        if (later != null) {
            later.cancel(false);
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        if (isEnding) {
            return;
        }
        if (followForm != Follow.NOTHING) {
            endFollowing();
            write(context, OK, false);
            return;
        }
        if (pendingReply != null) {
            endAwaiting();
            write(context, text(Reply.refusal("not waited for any longer; it continues")), false);
            return;
        }
        if (waitingRequests.size() == MAX_WAITING) {
            drop(context, "more than " + MAX_WAITING + " simultaneous requests");
            return;
        }
        waitingRequests.add(frame.toString(StandardCharsets.UTF_8).strip());
        runNext(context);
    }

    private void drop(ChannelHandlerContext context, String reason) {
        isEnding = true;
        waitingRequests.clear();
        write(context, text(Reply.refusal(reason)), true);
    }

    /**
     * Runs the next waiting request, or reads the next line. The session reads no line until the previous response is
     * written.
     */
    private void runNext(ChannelHandlerContext context) {
        if (isBusy || isEnding) {
            return;
        }
        scheduleIdleTimeout(context);
        String line = waitingRequests.poll();
        if (line == null) {
            context.read();
        } else if (line.equals(Commands.QUIT)) {
            isEnding = true;
            write(context, OK, true);
        } else {
            isBusy = true;
            runRequest(context, line);
        }
    }

    private void runRequest(ChannelHandlerContext context, String line) {
        try {
            shared.workers().execute(() -> {
                Reply reply = reply(line);
                String text = text(reply);
                context.executor().execute(() -> answer(context, reply, text));
            });
        } catch (RejectedExecutionException e) {
            LOG.debug("the console ends with a request unanswered");
            close(context);
        }
    }

    private Reply reply(String line) {
        try {
            return shared.commands().run(line, asker);
        } catch (RuntimeException | Error e) {
            EVENTS.report(SmEvent.CONSOLE_DEFECT, e, EventField.TEXT.of(Printable.text(line, 80)));
            FatalErrors.escalate(e);
            return Reply.refusal("internal error, see the log");
        }
    }

    /** Returns a response in the form of the protocol. Its last line marks its end, unless events follow. */
    private static String text(Reply reply) {
        StringBuilder text = new StringBuilder();
        append(reply.lines(), text);
        if (text.length() > MAX_RESPONSE_CHARACTERS) {
            return "the answer would be longer than " + (MAX_RESPONSE_CHARACTERS >> 20) + " MiB; ask for less\n"
                    + ERROR;
        }
        if (reply.follows() == Follow.NOTHING) {
            text.append(reply.isGood() ? OK : reply.isMisused() ? USAGE : ERROR);
        }
        return text.toString();
    }

    private static void append(List<String> lines, StringBuilder text) {
        for (String line : lines) {
            text.append(line.startsWith(".") ? "." : "").append(line).append('\n');
        }
    }

    private void answer(ChannelHandlerContext context, Reply reply, String text) {
        CompletableFuture<Supplier<Reply>> later = reply.later();
        if (isEnding || !context.channel().isActive()) {
            cancel(later);
            return;
        }
        if (reply.follows() == Follow.NOTHING && later == null) {
            write(context, text, false);
            return;
        }
        if (!shared.followers().add(this, asker.user(), () -> true, () -> endReplaced(context))) {
            cancel(later);
            String reason = ConsoleServer.MAX_FOLLOWERS + " clients follow events or wait already; end one of them";
            write(context, text(Reply.refusal(reason)), false);
            return;
        }
        cancelIdle();
        if (later == null) {
            follow(context, reply, text);
        } else {
            await(context, later);
        }
    }

    /** Waits without a thread. A line from the client, or its disconnection, ends the wait. */
    private void await(ChannelHandlerContext context, CompletableFuture<Supplier<Reply>> later) {
        pendingReply = later;
        context.read();
        Supplier<Reply> late = () -> Reply.refusal(
                "it has not ended within " + RESPONSE_TIMEOUT_MINUTES + " min, and continues; see changes");
        ScheduledFuture<?> timer = context.executor()
                .schedule(() -> completeReply(context, later, late), RESPONSE_TIMEOUT_MINUTES, TimeUnit.MINUTES);
        var unused = later.thenAccept(reply -> context.executor().execute(() -> {
            timer.cancel(false);
            completeReply(context, later, reply);
        }));
    }

    private void completeReply(ChannelHandlerContext context, CompletableFuture<?> later, Supplier<Reply> reply) {
        if (pendingReply == later) {
            endAwaiting();
            write(context, text(reply.get()), false);
        }
    }

    private void follow(ChannelHandlerContext context, Reply reply, String text) {
        isBusy = false;
        followForm = reply.follows();
        lastSentEvent = reply.last();
        context.writeAndFlush(ByteBufUtil.writeUtf8(context.alloc(), text))
                .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
        endListening = shared.journal().listen(() -> {
            if (!areEventsDue.getAndSet(true)) {
                context.executor().execute(() -> sendEvents(context));
            }
        });
        sendEvents(context);
        context.read();
    }

    private void write(ChannelHandlerContext context, String text, boolean isLast) {
        isBusy = true;
        int bytes = text.length();
        boolean hasRoom = shared.outbox().reserve(bytes, SMALL_RESPONSE_BYTES);
        String shown = hasRoom ? text : "other clients have not read their answers yet; try again\n" + ERROR;
        context.writeAndFlush(ByteBufUtil.writeUtf8(context.alloc(), shown))
                .addListener((ChannelFutureListener) written -> {
                    isBusy = false;
                    shared.outbox().release(hasRoom ? bytes : 0);
                    if (isLast || !written.isSuccess()) {
                        close(context);
                    } else {
                        runNext(context);
                    }
                });
    }

    /** Sends new events if the client has read the previous ones. */
    private void sendEvents(ChannelHandlerContext context) {
        areEventsDue.set(false);
        if (followForm == Follow.NOTHING || !context.channel().isWritable()) {
            return;
        }
        List<Journal.Entry> news = shared.journal().after(lastSentEvent);
        if (news.isEmpty()) {
            return;
        }
        long lost = news.get(0).number() - lastSentEvent - 1;
        StringBuilder text = new StringBuilder();
        if (lost > 0) {
            text.append(
                    followForm == Follow.JSON ? "{\"leftOut\":" + lost + "}\n" : "(" + lost + " events left out)\n");
        }
        append(
                news.stream()
                        .map(followForm == Follow.JSON ? Json::line : Commands::line)
                        .toList(),
                text);
        lastSentEvent = news.get(news.size() - 1).number();
        context.writeAndFlush(ByteBufUtil.writeUtf8(context.alloc(), text))
                .addListener(ChannelFutureListener.CLOSE_ON_FAILURE);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        sendEvents(context);
    }

    private void scheduleIdleTimeout(ChannelHandlerContext context) {
        cancelIdle();
        idle = context.executor().schedule((Runnable) () -> close(context), IDLE_MINUTES, TimeUnit.MINUTES);
    }

    private static void close(ChannelHandlerContext context) {
        context.close().addListener(closed -> LOG.debug("console client is gone"));
    }

    private void cancelIdle() {
        ScheduledFuture<?> timer = idle;
        if (timer != null) {
            timer.cancel(false);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (isEnding) {
            return;
        }
        if (cause instanceof TooLongFrameException) {
            drop(context, "no request is longer than " + MAX_LINE_BYTES + " bytes");
        } else {
            if (cause instanceof IOException || cause instanceof CodecException) {
                LOG.debug("console client is dropped: {}", cause.toString());
            } else {
                EVENTS.report(SmEvent.CONSOLE_DEFECT, cause, EventField.TEXT.of(""));
                FatalErrors.escalate(cause);
            }
            close(context);
        }
    }
}
