package io.torussm.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How tests start other JVMs: with options that cost a process of a few seconds least, and {@link SharedClasses}. */
final class StartedJvm {
    private static final Path HUGE_PAGES = Path.of("/sys/kernel/mm/transparent_hugepage/enabled");

    private StartedJvm() {}

    /** Returns Java and its options up to the class path, the last of them. */
    static List<String> command() {
        return LazyCommand.COMMAND;
    }

    private static final class LazyCommand {
        private static final List<String> COMMAND;

        static {
            try {
                List<String> java = java();
                COMMAND = new ArrayList<>(java);
                COMMAND.addAll(new SharedClasses(java).options());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private static List<String> java() throws IOException {
        List<String> java = new ArrayList<>();
        java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // The first is an option of the launcher of torus-sm, too; newer JVMs warn without it.
        java.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"));
        if (Files.isReadable(HUGE_PAGES)
                && !Files.readString(HUGE_PAGES).contains("[never]")) { // one page fault for 2 MiB of the heap
            java.add("-XX:+UseTransparentHugePages");
        }
        return java;
    }
}
