package io.torussm.transport.umad;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * The processes that have a device file open, except this process. Processes that /proc hides from this user are
 * missing.
 */
final class DeviceHolders {
    private static final Path PROC = Path.of("/proc");
    private static final int MAX_NAMED = 4;

    private DeviceHolders() {}

    /**
     * Returns each process by name, process ID and start, as in {@code opensm, pid 812, since 2026-01-31T09:30:00Z}.
     *
     * @param device path of the device file
     * @return at most {@link #MAX_NAMED} processes; empty if /proc is absent
     */
    static List<String> of(Path device) {
        List<String> holders = new ArrayList<>();
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            for (Path process : processes) {
                long pid = Long.parseLong(process.getFileName().toString());
                boolean isOther = pid != ProcessHandle.current().pid();
                if (isOther && holders.size() < MAX_NAMED && hasOpen(process, device)) {
                    holders.add(describe(process, pid));
                }
            }
        } catch (IOException | NumberFormatException e) {
            return holders; // without /proc, no process is visible
        }
        return holders;
    }

    private static boolean hasOpen(Path process, Path device) {
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(process.resolve("fd"))) {
            for (Path descriptor : descriptors) {
                if (Files.readSymbolicLink(descriptor).equals(device)) {
                    return true;
                }
            }
        } catch (IOException e) {
            return false; // the process has ended, or belongs to another user
        }
        return false;
    }

    private static String describe(Path process, long pid) {
        String since = ProcessHandle.of(pid)
                .flatMap(handle -> handle.info().startInstant())
                .map(start -> ", since " + start.truncatedTo(ChronoUnit.SECONDS))
                .orElse("");
        return name(process) + ", pid " + pid + since;
    }

    private static String name(Path process) {
        try {
            return Files.readString(process.resolve("comm")).strip().replaceAll("[^!-~]", "?");
        } catch (IOException e) {
            return "a process";
        }
    }
}
