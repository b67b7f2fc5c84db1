package io.torussm.daemon.lab;

import io.torussm.daemon.access.AccessFiles;
import io.torussm.daemon.access.UnusableFileException;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.console.server.ConsoleServer;
import io.torussm.daemon.control.LabControl;
import io.torussm.daemon.http.server.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The servers that control a fabric besides standard input: a socket for torus-smctl, HTTP on this host, HTTPS for
 * users.
 */
public final class LabServers implements AutoCloseable {
    private final List<AutoCloseable> open = new ArrayList<>();

    /**
     * The addresses of the servers.
     *
     * @param socket path of a socket file, mode 0660; null for no socket
     * @param http loopback address; null for no HTTP
     * @param https address; null for no HTTPS
     * @param files certificate, key and users of HTTPS
     */
    public record ServerAddresses(
            @Nullable Path socket,
            @Nullable InetSocketAddress http,
            @Nullable InetSocketAddress https,
            AccessFiles.AccessPaths files) {
        /** Standard input only. */
        public static final ServerAddresses NONE =
                new ServerAddresses(null, null, null, new AccessFiles.AccessPaths(null, null, null, null));
    }

    private LabServers() {}

    /**
     * Opens all servers.
     *
     * @throws ConfigurationException if an address cannot be used; all servers are closed then
     */
    static LabServers open(ServerAddresses plan, LabControl control) throws ConfigurationException {
        LabServers servers = new LabServers();
        try {
            servers.openAll(plan, control);
            return servers;
        } catch (IOException e) {
            servers.close();
            throw new ConfigurationException(List.of(String.valueOf(e.getMessage())));
        } catch (UnusableFileException e) {
            servers.close();
            throw new ConfigurationException(e.problems());
        }
    }

    private void openAll(ServerAddresses plan, LabControl control) throws IOException, UnusableFileException {
        if (plan.socket() != null) {
            open.add(ConsoleServer.open(new ConsoleServer.Settings(plan.socket(), "", null), control));
        }
        if (plan.http() != null) {
            open.add(HttpServer.openLab(plan.http(), control, null));
        }
        if (plan.https() != null) {
            open.add(HttpServer.openLab(plan.https(), control, AccessFiles.open(plan.files())));
        }
    }

    @Override
    public void close() {
        for (AutoCloseable each : open) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IllegalStateException("a server could not be closed", e);
            }
        }
    }
}
