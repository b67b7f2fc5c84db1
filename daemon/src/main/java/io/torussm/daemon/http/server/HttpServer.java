package io.torussm.daemon.http.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.EventExecutorGroup;
import io.netty.util.concurrent.RejectedExecutionHandlers;
import io.torussm.daemon.access.Access;
import io.torussm.daemon.access.AccessFiles;
import io.torussm.daemon.control.Acceptance;
import io.torussm.daemon.control.LabControl;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.control.UnreadOutput;
import io.torussm.daemon.http.GetHandler;
import io.torussm.daemon.http.Operation;
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.http.api.LabHandler;
import io.torussm.daemon.http.api.LabOperations;
import io.torussm.daemon.http.api.Resources;
import io.torussm.daemon.http.metrics.HttpCounts;
import io.torussm.daemon.http.metrics.Metrics;
import io.torussm.daemon.http.page.Picture;
import io.torussm.daemon.http.ufm.UfmResources;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A server on a TCP port. The Javadoc of the package describes its access and threads. */
public final class HttpServer implements AutoCloseable {
    /** Maximum number of connections, see {@link ClientLimit}. */
    static final int MAX_CLIENTS = 64;

    /** Maximum number of replies that wait for the worker. */
    private static final int MAX_WAITING_REPLIES = 64;

    /** Maximum number of what-if requests that wait for their thread. */
    private static final int MAX_WAITING_WHAT_IFS = 1;

    /** Maximum number of pictures of previous states that wait. A picture of a large torus takes seconds. */
    private static final int MAX_PICTURES = 4;

    /** Maximum number of bytes of replies that wait for all slow clients together. */
    private static final long MAX_UNREAD_BYTES = 64L << 20;

    private static final int SHUTDOWN_MS = 2000;
    private static final int HANDSHAKE_MS = 10_000;
    static final Logger LOG = LoggerFactory.getLogger(HttpServer.class);
    private static final EventLog EVENTS = EventLog.of(HttpServer.class);

    private final Channel channel;
    private final Parts parts;

    private HttpServer(Channel channel, Parts parts) {
        this.channel = channel;
        this.parts = parts;
    }

    /**
     * The parts of a server besides its socket.
     *
     * @param planner thread of {@code /api/what-if}; its end is not awaited
     * @param historyWorker thread that draws earlier states
     * @param changer thread of operations
     * @param events event streams of a subnet manager; null without a subnet manager
     */
    private record Parts(
            EventLoopGroup group,
            ChannelGroup clients,
            EventExecutor worker,
            EventExecutor planner,
            EventExecutor historyWorker,
            EventExecutor changer,
            @Nullable EventStreams events) {
        static Parts of(String name, @Nullable SmObserver observer) {
            EventLoopGroup group =
                    new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory(name, true), NioIoHandler.newFactory());
            return new Parts(
                    group,
                    new DefaultChannelGroup(group.next()),
                    thread(name + "-worker", MAX_WAITING_REPLIES),
                    thread(name + "-what-if", MAX_WAITING_WHAT_IFS),
                    thread(name + "-past", MAX_PICTURES),
                    thread(name + "-change", MAX_WAITING_REPLIES),
                    observer == null ? null : new EventStreams(observer, group.next()));
        }

        private static EventExecutor thread(String name, int maxWaiting) {
            return new DefaultEventExecutor(
                    null, new DefaultThreadFactory(name, true), maxWaiting, RejectedExecutionHandlers.reject());
        }

        void end() {
            var unused = planner.shutdownGracefully(0, SHUTDOWN_MS, TimeUnit.MILLISECONDS);
            for (EventExecutorGroup each : List.of(worker, historyWorker, changer, group)) {
                each.shutdownGracefully(0, SHUTDOWN_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(SHUTDOWN_MS);
            }
        }

        Router router(SmObserver observer, HttpCounts counts, List<Operation<?>> operations) {
            return new Router(
                    new Health(observer, group.next()),
                    new Metrics(observer, counts),
                    new Picture(observer),
                    new WhatIfRequests(observer, planner),
                    new Resources(observer, operations),
                    new UfmResources(observer),
                    worker,
                    historyWorker);
        }
    }

    /**
     * A site that is created at the first request, because page, JSON and metrics load a thousand classes, which would
     * delay the first sweep.
     */
    private static final class LazyHandler implements GetHandler {
        private final Supplier<GetHandler> maker;
        private @Nullable GetHandler handler;

        LazyHandler(Supplier<GetHandler> maker) {
            this.maker = maker;
        }

        @Override
        public void answer(String uri, Consumer<Reply> answer) {
            GetHandler site = handler;
            if (site == null) {
                site = maker.get();
                handler = site;
            }
            site.answer(uri, answer);
        }
    }

    /**
     * Starts a server without TLS and login, which only reads.
     *
     * @param listen unresolved host and port; port 0 for any free port
     * @param names accepted host names, besides addresses, localhost and the host of {@code listen}
     * @param counts counters of HTTPS, for the metrics
     * @throws IOException if the address is unknown, is in use, or does not belong to this host
     */
    public static HttpServer open(InetSocketAddress listen, Set<String> names, SmObserver observer, HttpCounts counts)
            throws IOException {
        InetAddress address = InetAddress.getByName(listen.getHostString());
        Parts parts = Parts.of("http", observer);
        HttpSession.Shared shared = new HttpSession.Shared(
                new LazyHandler(() -> parts.router(observer, counts, List.of())),
                parts.events(),
                new HostNames(withHost(names, listen), Set::of),
                new ReadOnlyAccess(),
                new UnreadOutput(MAX_UNREAD_BYTES));
        HttpServer server = bind(listen, address, parts, shared, client -> {});
        EVENTS.report(SmEvent.HTTP_LISTENING, EventField.ADDRESS.of(server.text()));
        if (!address.isLoopbackAddress()) {
            EVENTS.report(SmEvent.HTTP_EXPOSED, EventField.ADDRESS.of(server.text()));
        }
        return server;
    }

    /** Starts a server without TLS and login, in a process without HTTPS. */
    public static HttpServer open(InetSocketAddress listen, Set<String> names, SmObserver observer) throws IOException {
        return open(listen, names, observer, new HttpCounts());
    }

    /**
     * Starts a server with TLS. All users may read; changes need a role.
     *
     * @param access users and the server's certificate
     */
    public static HttpServer openSecure(
            InetSocketAddress listen, Set<String> names, SmControl control, AccessFiles access, HttpCounts counts)
            throws IOException {
        InetAddress address = InetAddress.getByName(listen.getHostString());
        Parts parts = Parts.of("https", control);
        Operations operations = Operations.of(control, parts.changer());
        HttpSession.Shared shared = new HttpSession.Shared(
                new LazyHandler(() -> parts.router(control, counts, operations.all())),
                parts.events(),
                new HostNames(withHost(names, listen), () -> access.active().names()),
                new AuthenticatedAccess(access, operations, counts),
                new UnreadOutput(MAX_UNREAD_BYTES));
        HttpServer server =
                bind(listen, address, parts, shared, client -> client.pipeline().addLast(tls(access.active())));
        counts.setAccess(access::active);
        EVENTS.report(
                SmEvent.HTTPS_LISTENING,
                EventField.ADDRESS.of(server.text()),
                EventField.COUNT.of(access.active().users()));
        return server;
    }

    /**
     * Starts a server for {@code torus-sm fabric}. Without TLS it listens on loopback only, and any local user may read
     * and change. With TLS, changes need a role.
     *
     * @param access users and the server's certificate; null without TLS
     * @throws IOException if the address cannot be used, or other hosts could reach it without TLS
     */
    public static HttpServer openLab(InetSocketAddress listen, LabControl control, @Nullable AccessFiles access)
            throws IOException {
        InetAddress address = InetAddress.getByName(listen.getHostString());
        if (access == null && !address.isLoopbackAddress()) {
            throw new IOException(listen.getHostString() + " can be reached from other hosts, each of which could break"
                    + " the fabric; listen on 127.0.0.1, or with TLS (--https-listen)");
        }
        Parts parts = Parts.of(access == null ? "http" : "https", null);
        Operations operations = new Operations(new LabOperations(control).all(), parts.changer());
        HttpSession.Shared shared = new HttpSession.Shared(
                new LabHandler(control),
                null,
                new HostNames(
                        withHost(Set.of(), listen),
                        () -> access == null ? Set.of() : access.active().names()),
                access == null
                        ? new LocalAccess(operations)
                        : new AuthenticatedAccess(access, operations, new HttpCounts()),
                new UnreadOutput(MAX_UNREAD_BYTES));
        return bind(listen, address, parts, shared, client -> {
            if (access != null) {
                client.pipeline().addLast(tls(access.active()));
            }
        });
    }

    private static SslHandler tls(Access access) {
        SslHandler handler = new SslHandler(access.engine());
        handler.setHandshakeTimeoutMillis(HANDSHAKE_MS);
        return handler;
    }

    private static Set<String> withHost(Set<String> names, InetSocketAddress listen) {
        Set<String> allowed = new HashSet<>(names);
        allowed.add(listen.getHostString().toLowerCase(Locale.ROOT));
        return allowed;
    }

    private static HttpServer bind(
            InetSocketAddress listen,
            InetAddress address,
            Parts parts,
            HttpSession.Shared shared,
            Consumer<Channel> prepare)
            throws IOException {
        ClientLimit limit = new ClientLimit(MAX_CLIENTS);
        try {
            Channel channel = new ServerBootstrap()
                    .group(parts.group())
                    .channel(NioServerSocketChannel.class)
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel client) {
                            parts.clients().add(client);
                            prepare.accept(client);
                            limit.admit(client, HttpSession.install(client, shared));
                        }
                    })
                    .bind(address, listen.getPort())
                    .syncUninterruptibly()
                    .channel();
            Acceptance.watch(channel, limit::closeHalf);
            return new HttpServer(channel, parts);
        } catch (Exception e) {
            parts.end();
            throw new IOException(
                    "cannot listen on " + listen.getHostString() + ":" + listen.getPort() + ": " + reason(e), e);
        }
    }

    private static String reason(Exception e) {
        if (!(e instanceof BindException)) {
            return e.toString();
        }
        return String.valueOf(e.getMessage()).contains("in use")
                ? "another process has the port"
                : "this is no address of this host, or a port that this user may not have";
    }

    /** Ends all event streams. Clients connect again, and are authenticated again. */
    public void endStreams() {
        EventStreams events = parts.events();
        if (events != null) {
            parts.group().next().execute(events::closeAll);
        }
    }

    private String text() {
        InetSocketAddress address = address();
        String host = address.getAddress().getHostAddress();
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
    }

    /** Returns the address of the server. */
    public InetSocketAddress address() {
        return (InetSocketAddress) channel.localAddress();
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly(SHUTDOWN_MS);
        parts.clients().close().awaitUninterruptibly(SHUTDOWN_MS);
        parts.end();
    }
}
