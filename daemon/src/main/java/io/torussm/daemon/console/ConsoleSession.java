package io.torussm.daemon.console;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOption;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.LineBasedFrameDecoder;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.util.concurrent.ScheduledFuture;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client: a request line at a time, the next one read only when the answer to the last is written. */
final class ConsoleSession extends SimpleChannelInboundHandler<ByteBuf> {
    /** Longer lines end the connection. */
    static final int MAX_LINE = 1024;

    private static final int IDLE_MINUTES = 10;
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleSession.class);

    /** Requests that may wait for the answers to those before them; more end the connection. */
    static final int MAX_WAITING = 16;

    private final Commands commands;
    private final ClientCount clients;
    private final ArrayDeque<String> waiting = new ArrayDeque<>();
    private boolean isBusy;
    private boolean isCounted;
    private boolean isEnding;
    private @Nullable ScheduledFuture<?> idle;

    private ConsoleSession(Commands commands, ClientCount clients) {
        this.commands = commands;
        this.clients = clients;
    }

    static void install(Channel channel, Commands commands, ClientCount clients) {
        channel.config().setOption(ChannelOption.AUTO_READ, false);
        channel.pipeline().addLast(new LineBasedFrameDecoder(MAX_LINE, true, true));
        channel.pipeline().addLast(new ConsoleSession(commands, clients));
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        isCounted = clients.enter();
        if (isCounted) {
            next(context);
        } else {
            say(context, Answer.bad("too many clients, " + ConsoleServer.MAX_CLIENTS + " are connected"), true);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        cancelIdle();
        if (isCounted) {
            clients.leave();
            isCounted = false;
        }
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
        if (isEnding) {
            return;
        }
        if (waiting.size() == MAX_WAITING) {
            drop(context, "more than " + MAX_WAITING + " requests at once");
            return;
        }
        waiting.add(frame.toString(StandardCharsets.UTF_8).strip());
        next(context);
    }

    private void drop(ChannelHandlerContext context, String why) {
        isEnding = true;
        waiting.clear();
        say(context, Answer.bad(why), true);
    }

    private Answer answer(String line) {
        try {
            return commands.run(line);
        } catch (RuntimeException e) {
            LOG.error("defect of this program in console command \"{}\"", Printable.text(line, 80), e);
            return Answer.bad("internal error, see the log");
        }
    }

    private void say(ChannelHandlerContext context, Answer answer, boolean isLast) {
        isBusy = true;
        StringBuilder text = new StringBuilder();
        for (String line : answer.lines()) {
            text.append(line.startsWith(".") ? "." : "").append(line).append('\n');
        }
        text.append(answer.isGood() ? ".ok\n" : ".error\n");
        context.writeAndFlush(ByteBufUtil.writeUtf8(context.alloc(), text))
                .addListener((ChannelFutureListener) written -> {
                    isBusy = false;
                    if (isLast || !written.isSuccess()) {
                        close(context);
                    } else {
                        next(context);
                    }
                });
    }

    /** Answers the next request, or reads on if none waits; nothing is read while an answer is being written. */
    private void next(ChannelHandlerContext context) {
        if (isBusy || isEnding) {
            return;
        }
        armIdle(context);
        String line = waiting.poll();
        if (line == null) {
            context.read();
        } else {
            isEnding = line.equals("quit");
            say(context, isEnding ? Answer.good() : answer(line), isEnding);
        }
    }

    private void armIdle(ChannelHandlerContext context) {
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
            drop(context, "no request is longer than " + MAX_LINE + " bytes");
        } else {
            LOG.debug("console client is dropped: {}", cause.toString());
            close(context);
        }
    }
}
