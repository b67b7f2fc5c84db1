package io.torussm.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Assumptions;

/** How programs that use libibumad are started on a simulated fabric. */
final class UmadClients {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private UmadClients() {}

    /** Returns a name of sockets that no other test uses. */
    static String newSocketName() {
        return "torussm-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet();
    }

    /** Returns the library between libibumad and the fabric. The test is skipped if it is not installed. */
    static Path preloadLibrary() {
        List<Path> found = preloads();
        Assumptions.assumeTrue(
                !found.isEmpty(), "libumad2sim is not installed; apt-get install libumad2sim0 brings it");
        return found.get(0);
    }

    /** Returns a program at a host: see {@link Simulation#client}. */
    static ProcessBuilder client(String socketName, String simHost, List<String> command, Path cwd) {
        List<String> found = new ArrayList<>(command);
        if (Path.of(found.get(0)).getNameCount() == 1) {
            found.set(0, Programs.requireProgram(found.get(0)));
        }
        ProcessBuilder builder = new ProcessBuilder(found).directory(cwd.toFile());
        builder.environment()
                .putAll(Map.of(
                        "LD_PRELOAD", preloadLibrary().toString(), "SIM_HOST", simHost, "IBSIM_SOCKNAME", socketName));
        return builder;
    }

    private static List<Path> preloads() {
        List<Path> homes = new ArrayList<>(List.of(Path.of("/usr/lib64"), Path.of("/usr/lib")));
        // Debian has a directory per architecture below /usr/lib.
        homes.addAll(matching(Path.of("/usr/lib"), "*-linux-gnu*"));
        return homes.stream()
                .flatMap(home -> matching(home.resolve("umad2sim"), "libumad2sim.so*").stream())
                .toList();
    }

    private static List<Path> matching(Path directory, String glob) {
        List<Path> found = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory, glob)) {
                entries.forEach(found::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return found;
    }
}
