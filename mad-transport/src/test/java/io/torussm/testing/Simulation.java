package io.torussm.testing;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A running fabric without hardware and the environment for its clients: programs that use libibumad, unchanged, with umad2sim preloaded.
 * Several may run at once; each has sockets of its own.
 */
public interface Simulation extends AutoCloseable {
    /**
     * Types a line at the console, such as {@code Unlink "S-0000000000200000"[1]}, and waits until it is done.
     *
     * @return what was said to it
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
