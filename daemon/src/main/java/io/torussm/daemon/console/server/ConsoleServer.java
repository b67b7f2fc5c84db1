package io.torussm.daemon.console.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.torussm.daemon.console.CommandSet;
import io.torussm.daemon.console.Commands;
import io.torussm.daemon.console.LabCommands;
import io.torussm.daemon.console.WaitingCommands;
import io.torussm.daemon.control.Acceptance;
import io.torussm.daemon.control.LabControl;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.UnreadOutput;
import io.torussm.daemon.journal.Journal;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipalNotFoundException;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The server of the console. It listens on a socket file that only the daemon's user and a group may use (mode 0660). A
 * TCP port of the loopback interface is optional. Users of the TCP port are unknown, so they may change
 * nothing.
 */
public final class ConsoleServer implements AutoCloseable {
    /** Maximum number of connections of the socket file, and of the TCP port. A new connection replaces an idle one. */
    static final int MAX_CLIENTS = 16;

    /** Maximum number of clients that follow events, so that connections remain for other clients. */
    static final int MAX_FOLLOWERS = 8;

    private static final EventLog EVENTS = EventLog.of(ConsoleServer.class);
    private static final int SHUTDOWN_MS = 2000;

    /** The bits of a mode for the type of a file, and the type of a socket: S_IFMT, S_IFSOCK. */
    private static final int FILE_TYPE = 0170000;

    private static final int SOCKET = 0140000;
    private static final int WORKERS = 4;
    private static final long MAX_UNREAD_BYTES = 64L << 20;

    private final Settings settings;
    private final EventLoopGroup group;
    private final ThreadPoolExecutor workers;
    private final ConsoleSession.Shared shared;
    private @Nullable Channel tcp;

    /**
     * The addresses of the server.
     *
     * @param socket path of the socket file
     * @param group group that may use the file; empty for the daemon's own group
     * @param listen address of the loopback interface; null for no TCP port
     */
    public record Settings(
            Path socket, String group, @Nullable InetSocketAddress listen) {}

    private ConsoleServer(Settings settings, CommandSet commands, Journal journal) {
        this.settings = settings;
        group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("console", true), NioIoHandler.newFactory());
        workers = new ThreadPoolExecutor(
                WORKERS,
                WORKERS,
                1,
                TimeUnit.MINUTES,
                new ArrayBlockingQueue<>(2 * MAX_CLIENTS),
                new DefaultThreadFactory("console-worker", true));
        workers.allowCoreThreadTimeOut(true);
        shared = new ConsoleSession.Shared(
                commands, workers, journal, new UnreadOutput(MAX_UNREAD_BYTES), new ClientShares(MAX_FOLLOWERS));
    }

    /**
     * Starts listening. A stale socket file is replaced, any other file is kept. A TCP port that is not
     * available is only logged.
     *
     * @throws IOException if another process listens on the socket, or it cannot be created
     */
    public static ConsoleServer open(Settings settings, SmControl control) throws IOException {
        return open(settings, new Commands(control), control.journal());
    }

    /** Starts listening for {@code torus-sm fabric}, which has no events to follow. */
    public static ConsoleServer open(Settings settings, LabControl control) throws IOException {
        return open(settings, new LabCommands(control), new Journal());
    }

    /**
     * Starts listening for a daemon that waits for its port.
     *
     * @param reason source of the reason of the wait; called on any thread
     */
    public static ConsoleServer openWaiting(Settings settings, Supplier<String> reason, Journal journal)
            throws IOException {
        return open(settings, new WaitingCommands(reason), journal);
    }

    private static ConsoleServer open(Settings settings, CommandSet commands, Journal journal) throws IOException {
        Path dir = settings.socket().toAbsolutePath().getParent();
        if (dir != null) {
            Files.createDirectories(dir);
        }
        removeStale(settings.socket());
        ConsoleServer server = new ConsoleServer(settings, commands, journal);
        try {
            server.bind(NioServerDomainSocketChannel.class, UnixDomainSocketAddress.of(settings.socket()), true);
            server.restrictSocket();
        } catch (IOException e) {
            server.close();
            throw e;
        } catch (Exception e) {
            server.close();
            throw new IOException("cannot listen on " + settings.socket() + ": " + e, e);
        }
        server.listenOnTcp();
        return server;
    }

    private Channel bind(Class<? extends ServerChannel> type, SocketAddress address, boolean mayChange) {
        ClientShares clients = new ClientShares(MAX_CLIENTS);
        Channel server = new ServerBootstrap()
                .group(group)
                .channel(type)
                .childHandler(new ChannelInitializer<>() {
                    @Override
                    protected void initChannel(Channel client) {
                        ConsoleSession.install(client, shared, clients, mayChange);
                    }
                })
                .bind(address)
                .syncUninterruptibly()
                .channel();
        Acceptance.watch(server, () -> {}); // its clients are operators, and few
        return server;
    }

    private void restrictSocket() throws IOException {
        PosixFileAttributeView view =
                Objects.requireNonNull(Files.getFileAttributeView(settings.socket(), PosixFileAttributeView.class));
        view.setPermissions(PosixFilePermissions.fromString("rw-rw----"));
        if (settings.group().isEmpty()) {
            return;
        }
        try {
            view.setGroup(settings.socket()
                    .getFileSystem()
                    .getUserPrincipalLookupService()
                    .lookupPrincipalByGroupName(settings.group()));
        } catch (UserPrincipalNotFoundException e) {
            throw new IOException("control_socket_group: there is no group \"" + settings.group() + "\"", e);
        } catch (IOException e) {
            throw new IOException(
                    "control_socket_group: the daemon's user may not give the socket to the group \"" + settings.group()
                            + "\", he must be in it (" + e + ")",
                    e);
        }
    }

    /** Listens on the TCP port. The configuration was checked, but a name may resolve to any address. */
    private void listenOnTcp() {
        InetSocketAddress configured = settings.listen();
        if (configured == null) {
            return;
        }
        InetSocketAddress address = new InetSocketAddress(configured.getHostString(), configured.getPort());
        if (address.isUnresolved() || !address.getAddress().isLoopbackAddress()) {
            EVENTS.report(SmEvent.CONSOLE_NOT_LOOPBACK, EventField.ADDRESS.of(configured));
            return;
        }
        try {
            tcp = bind(NioServerSocketChannel.class, address, false);
        } catch (Exception e) {
            EVENTS.report(SmEvent.CONSOLE_NOT_LISTENING, EventField.ADDRESS.of(address), EventField.REASON.of(e));
        }
    }

    /** Returns the number of the TCP port; 0 without a TCP port. */
    int tcpPort() {
        Channel current = tcp;
        return current == null ? 0 : ((InetSocketAddress) current.localAddress()).getPort();
    }

    /** Checks whether a file is a socket of the UNIX domain itself, not a link to one (S_IFSOCK of stat(2)). */
    private static boolean isSocket(Path file) throws IOException {
        int mode = (int) Files.getAttribute(file, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return (mode & FILE_TYPE) == SOCKET;
    }

    private static void removeStale(Path socket) throws IOException {
        if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (!isSocket(socket)) {
            throw new IOException(socket + " is not a socket; it is left alone");
        }
        boolean isAlive;
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            isAlive = probe.connect(UnixDomainSocketAddress.of(socket));
        } catch (java.net.ConnectException e) {
            isAlive = false;
        } catch (java.net.SocketException e) {
            isAlive = !String.valueOf(e.getMessage()).contains("Connection refused");
        }
        if (isAlive) {
            throw new IOException("another process listens on " + socket + ", perhaps another torus-sm");
        }
        Files.delete(socket);
    }

    @Override
    public void close() {
        workers.shutdownNow();
        group.shutdownGracefully(0, SHUTDOWN_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(SHUTDOWN_MS);
        try {
            if (Files.exists(settings.socket(), LinkOption.NOFOLLOW_LINKS) && isSocket(settings.socket())) {
                Files.delete(settings.socket());
            }
        } catch (IOException e) {
            EVENTS.report(SmEvent.CONSOLE_SOCKET_LEFT, EventField.FILE.of(settings.socket()), EventField.REASON.of(e));
        }
    }
}
