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
 * What there is to say of a fabric that another SM rules: its components are the JSON document, and the lines for people are made of
 * nothing else. Immutable.
 *
 * @param at when the reading was complete that this is about
 * @param readings of the whole fabric so far
 * @param seconds that the last one took
 * @param mads that were sent so far, all of them Gets
 * @param fabric what was read
 * @param managers subnet managers that answered
 * @param proof what the tables prove that switches hold
 * @param takeover what this SM would change if it were master; null if nothing was tried
 * @param paths SLs that the ruling SA grants, beside those of this SM; null if it was not asked
 * @param drift what changed between readings though no cable did
 * @param faults changes of cables and devices that were seen, the newest first
 * @param notes what was odd about the reading
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
    /** Lines that a section of the text has for examples. */
    private static final int SHOWN = 10;

    public ShadowReport {
        managers = List.copyOf(managers);
        faults = List.copyOf(faults);
        notes = List.copyOf(notes);
    }

    /**
     * What was read.
     *
     * @param registers that devices told
     * @param untold registers that they refused or did not answer
     */
    public record Read(int switches, int hosts, int cables, int registers, int untold) {}

    /**
     * A subnet manager.
     *
     * @param name of its host; empty if nobody knows
     * @param state as SMInfo has it, in words
     */
    public record Manager(String portGuid, String name, int lid, int priority, String state) {
        /** For people. */
        public String text() {
            return state + ": port GUID " + portGuid + (name.isEmpty() ? "" : " \"" + name + "\"") + ", LID " + lid
                    + ", priority " + priority;
        }
    }

    /**
     * What tables prove.
     *
     * @param sls with which SLs senders are taken to send, in words
     * @param verdicts for hosts, with ports 0 of switches, with groups, for all of it
     * @param paths pairs of a host's port and a LID of another
     * @param lost those of them whose packets do not arrive
     * @param lostWithSwitches further pairs, from or to ports 0 of switches, whose packets do not arrive
     * @param losses some of the lost, in words
     * @param groupFaults what is wrong with the trees of groups, in words
     * @param contradictions what of the tables could not be taken
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

        /** Whether there is no credit loop, whoever sends. */
        public boolean isFree() {
            return verdicts.stream().allMatch(verdict -> verdict.loop.isEmpty());
        }

        private void add(List<String> lines) {
            lines.add("");
            lines.add("proof of the tables that the switches hold (" + sls + ")");
            for (int i = 0; i < verdicts.size(); i++) {
                verdicts.get(i).add(lines, verdicts.subList(0, i));
            }
            lines.add("  unreachable: " + lost + " of " + paths + " pairs of hosts"
                    + (lostWithSwitches == 0 ? "" : ", and " + lostWithSwitches + " pairs with a switch"));
            some("    ", losses, lines);
            some("  groups: ", groupFaults, lines);
            some("  not judged: ", contradictions, lines);
        }
    }

    /**
     * A verdict.
     *
     * @param about whose packets
     * @param isKnown whether it can be told
     * @param channels VLs of cables in one direction that packets use
     * @param dependencies pairs of channels of which one may be held while the other is waited for
     * @param loop the shortest credit loop, a line a channel; empty if there is none
     */
    public record Verdict(String about, boolean isKnown, int channels, int dependencies, List<String> loop) {
        public Verdict {
            loop = List.copyOf(loop);
        }

        private void add(List<String> lines, List<Verdict> before) {
            String what = !isKnown
                    ? "not known"
                    : (loop.isEmpty() ? "free of credit loops" : "CREDIT LOOP of " + loop.size() + " channels") + ": "
                            + dependencies + " dependencies between " + channels + " channels";
            lines.add("  " + about + ": " + what);
            boolean isTold = !loop.isEmpty() && before.stream().anyMatch(each -> each.loop.equals(loop));
            some("    ", isTold ? List.of("the same loop") : loop, lines);
        }
    }

    /**
     * What this SM would do as master, tried on an embedded fabric that holds the same.
     *
     * @param outcome empty if its subnet came up; else what stood against that
     * @param engine that routed
     * @param milliseconds from its start to the end of its last sweep, in the time of that fabric
     * @param writes Sets that it sent
     * @param changes entries of tables that changed, by table
     * @param settings of ports and switches that changed, by field of PortInfo or SwitchInfo
     * @param unavoidable entries that change whoever takes over: where the SM is, and states of ports
     * @param devices those with most changes in tables
     * @param examples some of these changes
     * @param findings what it would have logged, from warnings on
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

        /** Entries of tables that would change. */
        public long changed() {
            return total(changes);
        }

        /** For people. */
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            add(lines);
            return lines;
        }

        private void add(List<String> lines) {
            lines.add("a takeover would change in tables: "
                    + (!outcome.isEmpty() ? "not known: " + outcome : changed() == 0 ? "nothing" : listed(changes)));
            if (!outcome.isEmpty()) {
                return;
            }
            lines.add(String.format(
                    Locale.ROOT,
                    "  engine %s, up after %d ms of the twin's time with %d Sets; besides, with any takeover: %s",
                    engine,
                    milliseconds,
                    writes,
                    listed(unavoidable)));
            if (!settings.isEmpty()) {
                lines.add("  settings of ports and switches that would change: " + listed(settings));
            }
            some("  ", devices.stream().map(DeviceChanges::text).toList(), lines);
            some("    ", examples.stream().map(Change::text).toList(), lines);
            some("  it would log: ", findings, lines);
        }
    }

    /** How much would change at a device. */
    public record DeviceChanges(String device, Map<String, Long> changes) {
        public DeviceChanges {
            changes = new TreeMap<>(changes);
        }

        private String text() {
            return device + ": " + listed(changes);
        }
    }

    /** One entry that differs. */
    public record Change(String table, String device, int port, String what, String before, String after) {
        private String text() {
            return table + ", " + device + (port == 0 ? "" : " port " + port) + ", " + what + ": " + before + " -> "
                    + after;
        }
    }

    /**
     * SLs that the ruling SA grants.
     *
     * @param asked paths that it was asked for
     * @param answered paths that it granted
     * @param same those with the SL that this SM would grant
     * @param differing some of the others, in words
     */
    public record Paths(int asked, int answered, int same, List<String> differing) {
        public Paths {
            differing = List.copyOf(differing);
        }

        private void add(List<String> lines) {
            lines.add("");
            lines.add("SLs of the ruling SA: of " + asked + " paths " + answered + " granted, " + same
                    + " with the SL that this SM would grant");
            some("  ", differing, lines);
        }
    }

    /**
     * What changed between readings of the same cables and devices.
     *
     * @param since when the first reading was complete
     * @param changed entries that changed, all readings together
     * @param last when something changed last; null if nothing did
     * @param counts what changed then, by table
     * @param examples some of it
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
                    + (last == null ? "nothing" : changed + " entries, last at " + last + ": " + listed(counts)));
            some("    ", examples.stream().map(Change::text).toList(), lines);
        }
    }

    /**
     * A change of cables or devices that the ruling SM had to deal with.
     *
     * @param noticedAt when it was noticed here
     * @param what went and came, in words
     * @param seconds until the tables were whole again, as far as looks and readings can tell; -1 while they are not
     * @param changes entries that the ruling SM changed, by table
     * @param own what this SM would have done, on an embedded fabric; null if that was not tried
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
            lines.add("    the ruling SM: "
                    + (seconds < 0
                            ? "tables are not whole again"
                            : String.format(Locale.ROOT, "whole again within %.1f s", seconds))
                    + ", " + listed(changes));
            if (own != null) {
                lines.add("    this SM: "
                        + (own.outcome.isEmpty()
                                ? String.format(
                                        Locale.ROOT,
                                        "whole again within %.1f s, %s",
                                        own.milliseconds / 1_000.0,
                                        listed(own.changes))
                                : own.outcome));
            }
        }
    }

    /**
     * What this SM would have done about a fault.
     *
     * @param outcome empty if it dealt with it; else why not
     * @param milliseconds that it took, in the time of the embedded fabric
     * @param changes entries that it would have changed, by table
     */
    public record Response(String outcome, long milliseconds, Map<String, Long> changes) {
        public Response {
            changes = new TreeMap<>(changes);
        }
    }

    /** Whether tables are proved, everybody is reached, and a takeover would change no entry of a table. */
    public boolean isGood() {
        Takeover own = takeover;
        return proof.isFree()
                && proof.lost == 0
                && proof.groupFaults.isEmpty()
                && own != null
                && own.outcome.isEmpty()
                && own.changed() == 0;
    }

    /** One line. */
    public String headline() {
        Takeover own = takeover;
        return "shadow: tables " + (proof.isFree() ? "free of credit loops" : "with a CREDIT LOOP") + ", " + proof.lost
                + " pairs unreachable; a takeover would change "
                + (own == null || !own.outcome.isEmpty() ? "an unknown number of entries" : own.changed() + " entries");
    }

    /** For people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(headline());
        lines.add(String.format(
                Locale.ROOT,
                "%d switches, %d hosts, %d cables; %d registers in %.1f s, %d not told; reading %d, at %s; %d MADs so far, Gets all",
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
        some("note: ", notes, lines);
        return lines;
    }

    private static long total(Map<String, Long> counts) {
        return counts.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Amounts by name for people, such as "7 lft, 2 sl2vl". */
    public static String listed(Map<String, Long> counts) {
        return counts.isEmpty()
                ? "no entries"
                : counts.entrySet().stream()
                        .map(each -> each.getValue() + " " + each.getKey())
                        .collect(Collectors.joining(", "));
    }

    private static void some(String before, List<String> all, List<String> lines) {
        all.stream().limit(SHOWN).forEach(each -> lines.add(before + each));
        if (all.size() > SHOWN) {
            lines.add(before + "and " + (all.size() - SHOWN) + " more");
        }
    }
}
