package io.torussm.daemon.console;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerDomainSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;

/** Listens on a socket file that only the daemon's user and group may use (mode 0660). */
public final class ConsoleServer implements AutoCloseable {
    /** Connections beyond these are closed at once. */
    static final int MAX_CLIENTS = 16;

    private static final int SHUTDOWN_MS = 2000;

    private final Path socket;
    private final Channel channel;
    private final EventLoopGroup group;

    private ConsoleServer(Path socket, Channel channel, EventLoopGroup group) {
        this.socket = socket;
        this.channel = channel;
        this.group = group;
    }

    /**
     * Starts listening. A socket file that nobody listens to is replaced, any other file is left alone.
     *
     * @throws IOException if somebody listens there already, or the socket cannot be made
     */
    public static ConsoleServer open(Path socket, ConsoleControl control) throws IOException {
        Path dir = socket.toAbsolutePath().getParent();
        if (dir != null) {
            Files.createDirectories(dir);
        }
        removeStale(socket);
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(
                1, new DefaultThreadFactory("console", true), NioIoHandler.newFactory());
        try {
            ClientCount clients = new ClientCount(MAX_CLIENTS);
            Commands commands = new Commands(control);
            Channel channel = new ServerBootstrap()
                    .group(group)
                    .channel(NioServerDomainSocketChannel.class)
                    .childHandler(new ChannelInitializer<>() {
                        @Override
                        protected void initChannel(Channel client) {
                            ConsoleSession.install(client, commands, clients);
                        }
                    })
                    .bind(UnixDomainSocketAddress.of(socket))
                    .syncUninterruptibly()
                    .channel();
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rw-rw----"));
            return new ConsoleServer(socket, channel, group);
        } catch (Exception e) {
            endThread(group);
            throw new IOException("cannot listen on " + socket + ": " + e, e);
        }
    }

    private static void removeStale(Path socket) throws IOException {
        if (!Files.exists(socket, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        if (Files.isRegularFile(socket, LinkOption.NOFOLLOW_LINKS) || Files.isDirectory(socket)) {
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
            throw new IOException("somebody listens on " + socket + ", perhaps another torus-sm");
        }
        Files.delete(socket);
    }

    @Override
    public void close() {
        channel.close().awaitUninterruptibly(SHUTDOWN_MS);
        endThread(group);
        try {
            Files.deleteIfExists(socket);
        } catch (IOException e) {
            org.slf4j.LoggerFactory.getLogger(ConsoleServer.class).warn("{} stays behind: {}", socket, e.toString());
        }
    }

    private static void endThread(EventLoopGroup group) {
        group.shutdownGracefully(0, SHUTDOWN_MS, TimeUnit.MILLISECONDS).awaitUninterruptibly(SHUTDOWN_MS);
    }
}
