package io.torussm.daemon.replica;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Keys as {@code docs/operator/replication.md} makes them, and unused ports. */
public final class ReplicaKeys {
    private static final int LOWEST_PORT = 20_000;
    /** See /proc/sys/net/ipv4/ip_local_port_range. */
    private static final int LOWEST_OF_KERNEL = 32_768;

    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private ReplicaKeys() {}

    /**
     * Makes a key file.
     *
     * @param more further words for keytool
     */
    public static Path make(Path dir, String name, String... more) throws IOException, InterruptedException {
        Path file = dir.resolve(name);
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "torus-sm",
                "-keyalg",
                "EC",
                "-groupname",
                "secp384r1",
                "-dname",
                "CN=torus-sm",
                "-validity",
                "36500",
                "-storetype",
                "PKCS12",
                "-storepass",
                "torus-sm",
                "-keystore",
                file.toString()));
        command.addAll(List.of(more));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        if (process.waitFor() != 0) {
            throw new AssertionError(output);
        }
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file;
    }

    /**
     * Returns an address of this host with a free port. The port is below the ports that Linux assigns to
     * connections and to port 0, so no other test gets it in the meantime. Each call returns another one.
     */
    public static InetSocketAddress freeAddress() throws IOException {
        int port;
        do {
            port = ThreadLocalRandom.current().nextInt(LOWEST_PORT, LOWEST_OF_KERNEL);
        } while (!GIVEN.add(port) || !isFree(port));
        return InetSocketAddress.createUnresolved("127.0.0.1", port);
    }

    private static boolean isFree(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (BindException taken) {
            return false;
        }
    }
}
