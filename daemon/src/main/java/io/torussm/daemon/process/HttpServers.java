package io.torussm.daemon.process;

import io.torussm.daemon.access.AccessFiles;
import io.torussm.daemon.access.UnusableFileException;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.http.metrics.HttpCounts;
import io.torussm.daemon.http.server.HttpServer;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP servers without and with TLS. If a server cannot be opened, the reason is logged. Owner thread: the thread
 * of the daemon.
 */
final class HttpServers implements AutoCloseable {
    private static final EventLog EVENTS = EventLog.of(HttpServers.class);

    private final @Nullable HttpServer plainServer;
    private final @Nullable Secure secureServer;

    /** The server with TLS, and the files of its certificate and users. */
    private record Secure(HttpServer server, AccessFiles files) {}

    private HttpServers(@Nullable HttpServer open, @Nullable Secure secure) {
        this.plainServer = open;
        this.secureServer = secure;
    }

    static HttpServers none() {
        return new HttpServers(null, null);
    }

    /** Opens the servers that the options configure. */
    static HttpServers open(SmOptions options, SmControl control) {
        HttpCounts counts = new HttpCounts();
        return new HttpServers(openPlain(options.http(), control, counts), openSecure(options, control, counts));
    }

    private static @Nullable HttpServer openPlain(SmOptions.Http http, SmControl control, HttpCounts counts) {
        InetSocketAddress listen = http.httpListen();
        if (listen == null) {
            return null;
        }
        EVENTS.report(SmEvent.OPENING.finding("http_listen " + listen.getHostString() + ":" + listen.getPort()));
        try {
            return HttpServer.open(listen, http.httpNames(), control, counts);
        } catch (IOException e) {
            EVENTS.report(SmEvent.HTTP_UNAVAILABLE, EventField.REASON.of(e.getMessage()));
            return null;
        }
    }

    private static @Nullable Secure openSecure(SmOptions options, SmControl control, HttpCounts counts) {
        InetSocketAddress listen = options.https().httpsListen();
        if (listen == null) {
            return null;
        }
        EVENTS.report(SmEvent.OPENING.finding("https_listen " + listen.getHostString() + ":" + listen.getPort()));
        try {
            AccessFiles files = AccessFiles.open(options.https().files());
            return new Secure(HttpServer.openSecure(listen, options.http().httpNames(), control, files, counts), files);
        } catch (IOException | UnusableFileException e) {
            EVENTS.report(SmEvent.HTTPS_UNAVAILABLE, EventField.REASON.of(e.getMessage()));
            return null;
        }
    }

    /** Reads the certificate and the users again, and ends the open streams of the server with TLS. */
    void reload() {
        if (secureServer != null) {
            secureServer.files().reload();
            secureServer.server().endStreams();
        }
    }

    @Override
    public void close() {
        if (plainServer != null) {
            plainServer.close();
        }
        if (secureServer != null) {
            secureServer.server().close();
        }
    }
}
