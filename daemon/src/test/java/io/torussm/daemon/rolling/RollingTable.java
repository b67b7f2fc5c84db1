package io.torussm.daemon.rolling;

import io.torussm.snapshot.RegisterKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** A report of changes of the master, a line each with details, in a file that grows during the run. */
final class RollingTable {
    /** The kinds of registers with a column of their own. */
    private static final List<RegisterKind> SHOWN = List.of(
            RegisterKind.LID,
            RegisterKind.LFT,
            RegisterKind.MFT,
            RegisterKind.SL2VL,
            RegisterKind.VL_ARBITRATION,
            RegisterKind.P_KEY,
            RegisterKind.PORT_INFO,
            RegisterKind.SWITCH_INFO,
            RegisterKind.GUID);

    private final Path file;
    private int changes;

    /** Changes of the master without a changed register, SL or lost packet. */
    private int changesWithoutEffect;

    private long sentPackets;
    private long lostPackets;
    private final Map<RegisterKind, Long> changedRegisters = new EnumMap<>(RegisterKind.class);

    RollingTable(Path file) throws IOException {
        this.file = file;
        Files.createDirectories(file.toAbsolutePath().getParent());
        Files.writeString(file, "");
        line("fabric | change | "
                + String.join(" | ", SHOWN.stream().map(RegisterKind::word).toList())
                + " | SL of pairs | sent | lost | s");
    }

    private void line(String text) throws IOException {
        System.out.println(text);
        Files.writeString(file, text + "\n", StandardOpenOption.APPEND);
    }

    /**
     * Returns the number of entries that differ afterwards, and after a slash the number of written ones, for
     * each change.
     */
    private static String cell(MasterChange change, RegisterKind table) {
        long differ = change.changed().getOrDefault(table, 0L);
        long written = change.written().getOrDefault(table, 0L);
        return written == differ ? Long.toString(differ) : differ + "/" + written;
    }

    /** Adds the changes of a fabric, with examples of what differs. */
    void add(String name, List<MasterChange> all) throws IOException {
        for (MasterChange each : all) {
            changes++;
            changesWithoutEffect += each.isSmooth() ? 1 : 0;
            sentPackets += each.packets().sent();
            lostPackets += each.packets().losses();
            each.changed().forEach((table, count) -> changedRegisters.merge(table, count, Long::sum));
            line(String.format(
                    "%s | %s | %s | %d of %d | %d | %s | %.1f",
                    name,
                    each.name(),
                    String.join(
                            " | ",
                            SHOWN.stream().map(table -> cell(each, table)).toList()),
                    each.slsChanged(),
                    each.slsAsked(),
                    each.packets().sent(),
                    each.packets().losses() == 0 ? "0" : each.packets().lost().toString(),
                    each.seconds()));
            for (String example : each.examples()) {
                line("    " + example);
            }
        }
    }

    /** Adds a line for a fabric whose changes ended with an exception. */
    void addFailure(String name, Exception failure) throws IOException {
        line(name + " | FAILED: " + failure);
    }

    /** Adds the sums. */
    void end() throws IOException {
        line(String.format(
                "%d changes of the master, %d without any change or loss; entries changed %s; %d packets sent, %d lost",
                changes, changesWithoutEffect, changedRegisters, sentPackets, lostPackets));
    }
}
