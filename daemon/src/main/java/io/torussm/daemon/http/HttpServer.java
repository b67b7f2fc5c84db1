package io.torussm.daemon.http;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.RejectedExecutionHandlers;
import io.torussm.daemon.control.Acceptance;
import io.torussm.daemon.control.SmObserver;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens on a TCP port; see the package for what it answers. */
public final class HttpServer implements AutoCloseable {
    /** Connections at once; see {@link ClientLimit}. */
    static final int MAX_CLIENTS = 64;

    /** Answers that may wait for the worker. */
    private static final int MAX_WORK = 64;

    /** Questions of what if that may wait for their thread. */
    private static final int MAX_QUESTIONS = 1;

    private static final int SHUTDOWN_MS = 2000;
    static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final EventLog EVENTS = EventLog.of(HttpServer.class);

    private final Channel channel;
    private final EventLoopGroup group;
    private final ChannelGroup clients;
    private final EventExecutor worker;
    private final EventExecutor planner;

    private HttpServer(
            Channel channel, EventLoopGroup group, ChannelGroup clients, EventExecutor worker, EventExecutor planner) {
        this.channel = channel;
        this.group = group;
        this.clients = clients;
        this.worker = worker;
        this.planner = planner;
    }

    /**
     * Starts listening.
     *
     * @param listen host and port, not resolved; port 0 for any that is free
     * @param names by which clients may call the server, besides its addresses, localhost and the host of {@code listen}
     * @throws IOException if the address is not known, or not free, or not this host's
     */
    public static HttpServer open(InetSocketAddress listen, Set<String> names, SmObserver observer) throws IOException {
        InetAddress address = InetAddress.getByName(listen.getHostString());
        Set<String> allowed = new HashSet<>(names);
        allowed.add(listen.getHostString().toLowerCase(Locale.ROOT));
        HostNames hosts = new HostNames(allowed);
        EventLoopGroup group =
                new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("http", true), NioIoHandler.newFactory());
        EventExecutor worker = new DefaultEventExecutor(
                null, new DefaultThreadFactory("http-worker", true), MAX_WORK, RejectedExecutionHandlers.reject());
        EventExecutor planner = new DefaultEventExecutor(
                null, new DefaultThreadFactory("http-what-if", true), MAX_QUESTIONS, RejectedExecutionHandlers.reject());
        ChannelGroup clients = new DefaultChannelGroup(group.next());
        Router router = new Router(
                new Health(observer, group.next()),
                new Metrics(observer),
                new Picture(observer),
                new Consequences(observer, planner),
                new Resources(observer),
                worker);
        EventStreams events = new EventStreams(observer, group.next());
        ClientLimit limit = new ClientLimit(MAX_CLIENTS);
        try {
            Channel channel = new ServerBootstrap()
                    .group(group)
                    .channel(NioServerSocketChannel.class)
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel client) {
                            clients.add(client);
                            limit.admit(client, HttpSession.install(client, router, events, hosts));
                        }
                    })
                    .bind(address, listen.getPort())
                    .syncUninterruptibly()
                    .channel();
            Acceptance.watch(channel, limit::makeRoom);
            HttpServer server = new HttpServer(channel, group, clients, worker, planner);
            server.announce(address);
            return server;
        } catch (Exception e) {
            endThreads(group, worker, planner);
            throw new IOException("cannot listen on " + listen.getHostString() + ":" + listen.getPort() + ": " + e, e);
        }
    }

    private void announce(InetAddress address) {
        EVENTS.report(SmEvent.HTTP_LISTENING, EventField.ADDRESS.of(text()));
        if (!address.isLoopbackAddress()) {
            EVENTS.report(SmEvent.HTTP_EXPOSED, EventField.ADDRESS.of(text()));
        }
    }

    private String text() {
        InetSocketAddress address = address();
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** Where it listens. */
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly(SHUTDOWN_MS);
        clients.close().awaitUninterruptibly(SHUTDOWN_MS);
        endThreads(group, worker, planner);
    }

    private static void endThreads(EventLoopGroup group, EventExecutor worker, EventExecutor planner) {
        // What is being computed ends by itself; nobody waits for it.
        planner.shutdownGracefully(0, SHUTDOWN_MS, TimeUnit.MILLISECONDS);
        worker.shutdownGracefully(0, SHUTDOWN_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(SHUTDOWN_MS);
        group.shutdownGracefully(0, SHUTDOWN_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(SHUTDOWN_MS);
    }
}
