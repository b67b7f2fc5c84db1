package io.torussm.daemon.control;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The report on a fabric with another master SM. Its components are the JSON document, and the lines for
 * display are derived from them only. Immutable.
 *
 * @param at time of the complete reading
 * @param readings complete readings of the fabric so far
 * @param seconds duration of the last reading
 * @param mads number of MADs sent so far, all of them Gets
 * @param fabric extent of the reading
 * @param managers subnet managers that responded
 * @param proof proof of the tables of the switches
 * @param takeover changes that this SM would make as master; null without a trial
 * @param paths SLs of the master's SA, compared with SLs of this SM; null without queries
 * @param drift changes between readings without a change of cables
 * @param faults observed changes of cables and devices, the newest first
 * @param notes irregularities of the reading
 */
public record ShadowReport(
        Instant at,
        long readings,
        double seconds,
        long mads,
        Read fabric,
        List<Manager> managers,
        Proof proof,
        @Nullable Takeover takeover,
        @Nullable Paths paths,
        Drift drift,
        List<Fault> faults,
        List<String> notes) {
    /** Maximum number of examples in a section of the text. */
    private static final int MAX_EXAMPLES = 10;

    public ShadowReport {
        managers = List.copyOf(managers);
        faults = List.copyOf(faults);
        notes = List.copyOf(notes);
    }

    /**
     * The extent of a reading.
     *
     * @param switches number of switches
     * @param hosts number of hosts
     * @param cables number of cables
     * @param registers attributes that devices returned
     * @param untold attributes that devices rejected or did not return
     */
    public record Read(int switches, int hosts, int cables, int registers, int untold) {}

    /**
     * A subnet manager.
     *
     * @param portGuid GUID of its port, as text
     * @param name name of its host; empty if unknown
     * @param lid LID of its port
     * @param priority priority, 0 to 15
     * @param state state in SMInfo, in words
     */
    public record Manager(String portGuid, String name, int lid, int priority, String state) {
        /** Returns the text for people. */
        public String text() {
            return state + ": port GUID " + portGuid + (name.isEmpty() ? "" : " \"" + name + "\"") + ", LID " + lid
                    + ", priority " + priority;
        }
    }

    /**
     * The proof of tables.
     *
     * @param sls assumed SLs of senders, in words
     * @param verdicts verdicts for hosts, with ports 0 of switches, with groups, and for all packets
     * @param paths pairs of a host's port and a LID of another host
     * @param lost pairs whose packets do not arrive
     * @param lostWithSwitches pairs with a port 0 of a switch whose packets do not arrive; not part of {@code lost}
     * @param losses examples of lost pairs, in words
     * @param groupFaults faults of the trees of groups, in words
     * @param contradictions unusable parts of the tables
     */
    public record Proof(
            String sls,
            List<Verdict> verdicts,
            long paths,
            long lost,
            long lostWithSwitches,
            List<String> losses,
            List<String> groupFaults,
            List<String> contradictions) {
        public Proof {
            verdicts = List.copyOf(verdicts);
            losses = List.copyOf(losses);
            groupFaults = List.copyOf(groupFaults);
            contradictions = List.copyOf(contradictions);
        }

        /** Checks whether the tables are free of credit loops for all senders. */
        public boolean isFree() {
            return verdicts.stream().allMatch(verdict -> verdict.loop.isEmpty());
        }

        private void add(List<String> lines) {
            lines.add("");
            lines.add("proof of the tables that the switches hold (" + sls + ")");
            for (int i = 0; i < verdicts.size(); i++) {
                verdicts.get(i).add(lines, verdicts.subList(0, i));
            }
            lines.add("  unreachable: " + lost + " of " + paths + " paths of hosts"
                    + (lostWithSwitches == 0 ? "" : ", and " + lostWithSwitches + " paths with a switch"));
            addExamples("    ", losses, lines);
            addExamples("  groups: ", groupFaults, lines);
            addExamples("  not verified: ", contradictions, lines);
        }
    }

    /**
     * A verdict.
     *
     * @param about packets that the verdict covers
     * @param isKnown true if the verdict could be determined
     * @param channels VLs of cables in one direction that packets use
     * @param dependencies pairs of channels: a packet may occupy the first while it waits for the second
     * @param loop the shortest credit loop, a line per channel; empty if the tables have no credit loop
     */
    public record Verdict(String about, boolean isKnown, int channels, int dependencies, List<String> loop) {
        public Verdict {
            loop = List.copyOf(loop);
        }

        private void add(List<String> lines, List<Verdict> previous) {
            String what = !isKnown
                    ? "not known"
                    : (loop.isEmpty() ? "free of credit loops" : "CREDIT LOOP of " + loop.size() + " channels") + ": "
                            + dependencies + " dependencies between " + channels + " channels";
            lines.add("  " + about + ": " + what);
            boolean isTold = !loop.isEmpty() && previous.stream().anyMatch(each -> each.loop.equals(loop));
            addExamples("    ", isTold ? List.of("the same loop") : loop, lines);
        }
    }

    /**
     * The actions of this SM as master, in a trial on an embedded fabric with the same tables.
     *
     * @param outcome reason why the subnet did not come up in the trial; empty if it came up
     * @param engine engine of the routes
     * @param milliseconds time from the start of the SM to the end of its last sweep, in virtual time of the trial
     * @param writes number of Sets sent
     * @param changes changed entries of tables, by table
     * @param settings changed settings of ports and switches, by field of PortInfo or SwitchInfo
     * @param unavoidable entries that change with any new master: location of the SM, and states of ports
     * @param devices devices with most changes in tables
     * @param examples examples of changed entries
     * @param findings log entries of level warn or error
     */
    public record Takeover(
            String outcome,
            String engine,
            long milliseconds,
            long writes,
            Map<String, Long> changes,
            Map<String, Long> settings,
            Map<String, Long> unavoidable,
            List<DeviceChanges> devices,
            List<Change> examples,
            List<String> findings) {
        public Takeover {
            changes = new TreeMap<>(changes);
            settings = new TreeMap<>(settings);
            unavoidable = new TreeMap<>(unavoidable);
            devices = List.copyOf(devices);
            examples = List.copyOf(examples);
            findings = List.copyOf(findings);
        }

        /** Returns the number of entries of tables that would change. */
        public long changed() {
            return total(changes);
        }

        /** Returns the lines for people. */
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            add(lines);
            return lines;
        }

        private void add(List<String> lines) {
            lines.add("a takeover would change in tables: "
                    + (!outcome.isEmpty()
                            ? "not known: " + outcome
                            : changed() == 0 ? "nothing" : countsText(changes)));
            if (!outcome.isEmpty()) {
                return;
            }
            lines.add(String.format(
                    Locale.ROOT,
                    "  engine %s, %d Sets; besides, with any takeover: %s",
                    engine,
                    writes,
                    countsText(unavoidable)));
            if (!settings.isEmpty()) {
                lines.add("  settings of ports and switches that would change: " + countsText(settings));
            }
            addExamples("  ", devices.stream().map(DeviceChanges::text).toList(), lines);
            addExamples("    ", examples.stream().map(Change::text).toList(), lines);
            addExamples("  it would log: ", findings, lines);
        }
    }

    /**
     * The number of changes at a device.
     *
     * @param device name of the device
     * @param changes number of changed entries, by table
     */
    public record DeviceChanges(String device, Map<String, Long> changes) {
        public DeviceChanges {
            changes = new TreeMap<>(changes);
        }

        private String text() {
            return device + ": " + countsText(changes);
        }
    }

    /**
     * An entry that differs.
     *
     * @param table name of the table
     * @param device device of the table
     * @param port port number, 0 if the table belongs to the device
     * @param what index of the entry in the table, in words
     * @param before value that the other SM wrote
     * @param after value that this SM would write
     */
    public record Change(String table, String device, int port, String what, String before, String after) {
        private String text() {
            return table + ", " + device + (port == 0 ? "" : " port " + port) + ", " + what + ": " + before + " -> "
                    + after;
        }
    }

    /**
     * The SLs of the master's SA.
     *
     * @param asked number of requested paths
     * @param answered number of granted paths
     * @param same number of granted paths with the SL that this SM would grant
     * @param differing some of the others, in words
     */
    public record Paths(int asked, int answered, int same, List<String> differing) {
        public Paths {
            differing = List.copyOf(differing);
        }

        private void add(List<String> lines) {
            lines.add("");
            lines.add("SLs of the master's SA: of " + asked + " paths " + answered + " granted, " + same
                    + " with the SL that this SM would grant");
            addExamples("  ", differing, lines);
        }
    }

    /**
     * The changes of tables between readings while cables and devices stayed the same.
     *
     * @param since time of the first complete reading
     * @param changed number of changed entries in all readings
     * @param last time of the last reading with a change; null if no entry changed
     * @param counts number of entries that changed in that reading, by table
     * @param examples examples of these entries
     */
    public record Drift(
            Instant since, long changed, @Nullable Instant last, Map<String, Long> counts, List<Change> examples) {
        public Drift {
            counts = new TreeMap<>(counts);
            examples = List.copyOf(examples);
        }

        private void add(List<String> lines) {
            lines.add("");
            lines.add("changed without a change of cables since " + since + ": "
                    + (last == null ? "nothing" : changed + " entries, last at " + last + ": " + countsText(counts)));
            addExamples("    ", examples.stream().map(Change::text).toList(), lines);
        }
    }

    /**
     * A change of cables or devices, and the response of the master SM.
     *
     * @param noticedAt time of its detection
     * @param what removed and added parts, in words
     * @param seconds time until the tables were complete again, as observed; -1 while they are incomplete
     * @param changes number of entries that the master changed, by table
     * @param own response of this SM on an embedded fabric; null without a trial
     */
    public record Fault(
            Instant noticedAt,
            List<String> what,
            double seconds,
            Map<String, Long> changes,
            @Nullable Response own) {
        public Fault {
            what = List.copyOf(what);
            changes = new TreeMap<>(changes);
        }

        private void add(List<String> lines) {
            lines.add("  " + noticedAt + ": " + String.join("; ", what));
            lines.add("    the master SM: "
                    + (seconds < 0
                            ? "tables are not whole again"
                            : String.format(Locale.ROOT, "whole again within %.1f s", seconds))
                    + ", " + countsText(changes));
            if (own != null) {
                lines.add("    this SM: "
                        + (own.outcome.isEmpty()
                                ? String.format(
                                        Locale.ROOT,
                                        "whole again within %.1f s, %s",
                                        own.milliseconds / 1_000.0,
                                        countsText(own.changes))
                                : own.outcome));
            }
        }
    }

    /**
     * The response of this SM to a fault.
     *
     * @param outcome reason of the failure; empty if the response succeeded
     * @param milliseconds duration, in virtual time of the embedded fabric
     * @param changes number of changed entries, by table
     */
    public record Response(String outcome, long milliseconds, Map<String, Long> changes) {
        public Response {
            changes = new TreeMap<>(changes);
        }
    }

    /**
     * Checks whether the tables are free of credit loops, all hosts are reachable, and a takeover would change no entry
     * of a table.
     */
    public boolean isGood() {
        Takeover own = takeover;
        return proof.isFree()
                && proof.lost == 0
                && proof.groupFaults.isEmpty()
                && own != null
                && own.outcome.isEmpty()
                && own.changed() == 0;
    }

    /** Returns the headline. */
    public String headline() {
        Takeover own = takeover;
        return "shadow: tables " + (proof.isFree() ? "free of credit loops" : "with a CREDIT LOOP") + ", " + proof.lost
                + " pairs unreachable; a takeover would change "
                + (own == null || !own.outcome.isEmpty() ? "an unknown number of entries" : own.changed() + " entries");
    }

    /** Returns the lines for people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(headline());
        lines.add(String.format(
                Locale.ROOT,
                "%d switches, %d hosts, %d cables; %d attributes read in %.1f s, %d unreadable; reading %d, at %s; %d"
                        + " MADs so far, all Gets",
                fabric.switches,
                fabric.hosts,
                fabric.cables,
                fabric.registers,
                seconds,
                fabric.untold,
                readings,
                at,
                mads));
        if (managers.isEmpty()) {
            lines.add("no subnet manager answers");
        }
        managers.forEach(manager -> lines.add(manager.text()));
        proof.add(lines);
        if (takeover != null) {
            lines.add("");
            takeover.add(lines);
        }
        if (paths != null) {
            paths.add(lines);
        }
        drift.add(lines);
        if (!faults.isEmpty()) {
            lines.add("");
            lines.add("faults seen:");
            faults.forEach(fault -> fault.add(lines));
        }
        if (!notes.isEmpty()) {
            lines.add("");
        }
        addExamples("note: ", notes, lines);
        return lines;
    }

    private static long total(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Returns counts with their names for people, such as "7 lft, 2 sl2vl". */
    public static String countsText(Map<String, Long> counts) {
        return counts.isEmpty()
                ? "no entries"
                : counts.entrySet().stream()
                        .map(each -> each.getValue() + " " + each.getKey())
                        .collect(Collectors.joining(", "));
    }

    private static void addExamples(String previous, List<String> all, List<String> lines) {
        all.stream().limit(MAX_EXAMPLES).forEach(each -> lines.add(previous + each));
        if (all.size() > MAX_EXAMPLES) {
            lines.add(previous + "and " + (all.size() - MAX_EXAMPLES) + " more");
        }
    }
}
