package io.torussm.daemon.control;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;

/**
 * The report that a server cannot accept clients, for example without file descriptors, and of the end of that state.
 */
public final class Acceptance extends ChannelInboundHandlerAdapter {
    private static final EventLog EVENTS = EventLog.of(Acceptance.class);

    private final Runnable closeClients;
    private boolean hasFailed;

    private Acceptance(Runnable makeRoom) {
        this.closeClients = makeRoom;
    }

    /**
     * Watches a server that is bound.
     *
     * @param makeRoom action that closes clients; runs on the server's thread each time a client cannot be accepted
     */
    public static void watch(Channel server, Runnable makeRoom) {
        server.pipeline().addFirst(new AcceptedHandler(install(server, makeRoom)));
    }

    private static Acceptance install(Channel server, Runnable makeRoom) {
        Acceptance acceptance = new Acceptance(makeRoom);
        server.pipeline().addLast(acceptance);
        return acceptance;
    }

    /** The first handler of the server's channel. Netty's own handler consumes the accepted clients. */
    private static final class AcceptedHandler extends ChannelInboundHandlerAdapter {
        private final Acceptance acceptance;

        AcceptedHandler(Acceptance acceptance) {
            this.acceptance = acceptance;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object client) {
            if (acceptance.hasFailed) {
                acceptance.hasFailed = false;
                EVENTS.report(
                        SmEvent.CLIENTS_ACCEPTED,
                        EventField.ADDRESS.of(context.channel().localAddress()));
            }
            context.fireChannelRead(client);
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!hasFailed) {
            hasFailed = true;
            EVENTS.report(
                    SmEvent.CLIENT_NOT_ACCEPTED,
                    EventField.ADDRESS.of(context.channel().localAddress()),
                    EventField.REASON.of(cause.getMessage()));
        }
        closeClients.run();
    }
}
