package io.torussm.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A running fabric without hardware, and the environment for unchanged programs that use libibumad, with umad2sim
 * preloaded. Several may run simultaneously; each has its own sockets.
 */
public interface Simulation extends AutoCloseable {
    /**
     * Sends a line to the console, such as {@code Unlink "S-0000000000200000"[1]}, and waits for its end.
     *
     * @return the response
     */
    String command(String line) throws IOException;

    /**
     * A program that sees the fabric through libibumad.
     *
     * @param simHost node ID of the host that it runs on, as in the topology file
     * @param command one of {@link Programs}, or a path, and its arguments
     * @param cwd umad2sim writes a directory here, so it should be a temporary one
     */
    ProcessBuilder client(String simHost, List<String> command, Path cwd);

    @Override
    void close();
}
