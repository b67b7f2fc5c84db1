package io.torussm.daemon.proof;

import io.torussm.proof.FabricProof;
import io.torussm.proof.FabricProof.Verdict;
import io.torussm.proof.FabricProof.Wait;
import io.torussm.proof.FabricTables;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The verdicts on the files of a fabric, for people and as JSON.
 *
 * @param switches number of switches in the fabric
 * @param hostPorts number of ports of hosts
 * @param groups number of multicast groups
 * @param paths number of pairs of a port of a host and a LID of another port to which it sends
 * @param verdicts verdicts of hosts, with ports 0 of switches, with groups, and of all together
 * @param lost number of paths whose packets do not arrive
 * @param lostWithSwitches number of lost paths from or to ports 0 of switches; not part of {@code lost}
 * @param unlisted number of such pairs between two hosts without a path, since the file of SLs does not list them
 * @param losses examples of lost paths
 * @param groupFaults faults of the trees of groups
 * @param notes assumptions of the proof, in words
 */
public record ProofReport(
        int switches,
        int hostPorts,
        int groups,
        long paths,
        List<Line> verdicts,
        long lost,
        long lostWithSwitches,
        long unlisted,
        List<FabricProof.LostPath> losses,
        List<String> groupFaults,
        List<String> notes) {
    private static final int MAX_EXAMPLES = 10;

    public ProofReport {
        verdicts = List.copyOf(verdicts);
        losses = List.copyOf(losses);
        groupFaults = List.copyOf(groupFaults);
        notes = List.copyOf(notes);
    }

    /**
     * A verdict.
     *
     * @param about traffic that the verdict covers
     * @param verdict {@code free}, {@code loop} or {@code unknown}
     * @param channels number of channels in use
     * @param dependencies number of dependencies between these channels
     * @param circle channels of the shortest credit loop; empty if the verdict is not {@code loop}
     */
    public record Line(String about, String verdict, int channels, int dependencies, List<Wait> circle) {
        public Line {
            circle = List.copyOf(circle);
        }

        private static Line of(String about, @Nullable Verdict verdict) {
            return verdict == null
                    ? new Line(about, "unknown", 0, 0, List.of())
                    : new Line(
                            about,
                            verdict.isFree() ? "free" : "loop",
                            verdict.channels(),
                            verdict.dependencies(),
                            verdict.circle());
        }
    }

    /** Returns the report of a proof. */
    public static ProofReport of(FabricFiles.Content content, FabricProof proof) {
        FabricTables tables = content.tables();
        List<String> notes = new ArrayList<>();
        if (tables.assumedRows() > 0) {
            notes.add(tables.assumedRows()
                    + " rows of SL2VL are not given; taken is that each SL has the VL of its number");
        }
        if (content.digests().stream().noneMatch(digest -> digest.role() == FabricFiles.Role.SLS)) {
            notes.add("SLs of paths are not given; taken is one SL for all, see --sl");
        }
        if (!tables.hasSwitchSls()) {
            notes.add(
                    "SLs of ports 0 of switches are not given, so their packets are not in the proof; see --switch-sl");
        }
        return new ProofReport(
                tables.switchCount(),
                tables.hostPortCount(),
                tables.groupCount(),
                proof.paths(),
                proof.verdicts().stream()
                        .map(each -> Line.of(each.packets(), each.verdict()))
                        .toList(),
                proof.lost(),
                proof.lostWithSwitches(),
                proof.unlisted(),
                proof.losses(),
                proof.groupFaults(),
                notes);
    }

    /** Returns the lines for people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(switches + " switches, " + hostPorts + " ports of hosts, " + groups + " groups, " + paths
                + " paths of hosts");
        for (Line line : verdicts) {
            lines.add(String.format(Locale.ROOT, "%-31s %s", line.about + ":", text(line)));
        }
        List<Wait> shown = List.of();
        for (Line line : verdicts) {
            if (!line.circle.isEmpty() && !line.circle.equals(shown)) {
                lines.add("credit loop of " + line.about + ": " + line.circle.size()
                        + " channels; each waits for the next, the last for the first:");
                line.circle.forEach(wait -> lines.add("  " + wait.channel() + ", held by packets from " + wait.source()
                        + " to " + wait.destination() + " with SL " + wait.sl()));
                shown = line.circle;
            }
        }
        if (unlisted > 0) {
            lines.add(unlisted + " pairs of a port of a host and a LID have no path, since the SLs do not list them");
        }
        if (lost + lostWithSwitches > 0) {
            lines.add("LOST: packets of " + lost + " paths of hosts"
                    + (lostWithSwitches > 0 ? ", of " + lostWithSwitches + " from or to switches" : ""));
            losses.stream()
                    .limit(MAX_EXAMPLES)
                    .forEach(loss -> lines.add("  " + loss.source() + " to " + loss.destination() + " (LID "
                            + loss.dlid() + ", SL " + loss.sl() + ") " + loss.reason()));
            if (lost + lostWithSwitches > MAX_EXAMPLES) {
                lines.add("  and " + (lost + lostWithSwitches - MAX_EXAMPLES) + " more");
            }
        }
        groupFaults.stream().limit(MAX_EXAMPLES).forEach(lines::add);
        if (groupFaults.size() > MAX_EXAMPLES) {
            lines.add("and " + (groupFaults.size() - MAX_EXAMPLES) + " more faults of groups");
        }
        notes.forEach(note -> lines.add("note: " + note));
        return lines;
    }

    private static String text(Line line) {
        return switch (line.verdict) {
            case "free" ->
                "free of credit loops, " + line.dependencies + " dependencies between " + line.channels + " channels";
            case "loop" -> "CREDIT LOOP of " + line.circle.size() + " channels";
            default -> "unknown";
        };
    }
}
