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
    private int smooth;
    private long sent;
    private long lost;
    private final Map<RegisterKind, Long> changed = new EnumMap<>(RegisterKind.class);

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

    void add(String name, List<MasterChange> all) throws IOException {
        for (MasterChange each : all) {
            changes++;
            smooth += each.isSmooth() ? 1 : 0;
            sent += each.packets().sent();
            lost += each.packets().losses();
            each.changed().forEach((table, count) -> changed.merge(table, count, Long::sum));
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

    void failed(String name, Exception why) throws IOException {
        line(name + " | FAILED: " + why);
    }

    void end() throws IOException {
        line(String.format(
                "%d changes of rulers, %d without any change or loss; entries changed %s; %d packets sent, %d lost",
                changes, smooth, changed, sent, lost));
    }
}
