package io.torussm.view;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.state.StateSuccessor;
import io.torussm.subnet.Neighbors;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The times at which cables went down and returned, in the file {@code cable-history} of the state directory. A
 * line is {@code <time> <kind> <end> <end> <near>TAB<far>}, with an {@link EntryType} in lower case. An end is
 * {@code 0x<port GUID>/<port>}; near and far are device, coordinates and port. If a host vanishes, its cable
 * goes down. If a switch vanishes, its cables are off, which is no failure of the cables. A change that is
 * reverted between two sweeps is not recorded; traps make this interval short.
 *
 * <p>Owner thread: the loop of the SM; any thread may read.
 */
public final class CableHistory {
    /** The file of the history. */
    public static final StateFile FILE =
            StateFile.of("cable-history", 1, 4L << 20, "it is forgotten when cables went down before");

    /** The maximum number of entries; the oldest are dropped first. */
    static final int CAPACITY = 4000;

    /**
     * The time after a restart of a switch in which a lost cable of the switch counts as off. The switch may restart
     * again in this time, and some links train late.
     */
    private static final Duration RESTART_PERIOD = Duration.ofMinutes(1);

    /** The maximum number of entries about restarts at one time, so that a power failure leaves most of the others. */
    static final int MAX_RESTARTED = 1000;

    /** The maximum number of characters of a device with its coordinates and port. */
    static final int MAX_TEXT = 120;

    private final StateDirectory directory;
    /** All entries, the oldest first; immutable, replaced by the owner thread. */
    private volatile List<Entry> entries;

    /** The switches, by port GUID, that restarted or returned within {@link #RESTART_PERIOD}, and when. */
    private final Map<Long, Instant> started = new HashMap<>();

    /** The types of entries. */
    public enum EntryType {
        DOWN,
        /**
         * The cable was lost together with a switch at one of its ends, or within a minute of a restart or return of
         * that switch. If the cable stays lost for longer, {@link #DOWN} follows.
         */
        OFF,
        /** The cable is present again. */
        UP,
        /** One of the ends has another cable. */
        REPLACED,
        /** A switch at one of the ends restarted, and the cable was present again before a sweep detected its loss. */
        RESTARTED,
        /** The cable was excluded, because it went down repeatedly or lost packets. */
        ISOLATED,
        /** The exclusion of the cable ended. */
        RELEASED;

        /** Checks whether the entry describes the state of the cable, and not its exclusion or a restart. */
        public boolean isOfCable() {
            return isLoss() || this == UP || this == REPLACED;
        }

        /** Checks whether the cable was present before and is absent afterwards. */
        public boolean isLoss() {
            return this == DOWN || this == OFF;
        }

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * An end of a cable.
     *
     * @param port port GUID (of port 0 for a switch) and port number
     * @param text device, coordinates and port at the time of the entry
     */
    public record NamedEnd(Neighbors.CableEnd port, String text) {
        /** Returns an end with its text, without control characters and truncated. */
        public static NamedEnd of(LostCable.LostEnd end) {
            String text = end.text().replaceAll("\\p{Cntrl}", " ").strip();
            return new NamedEnd(end.port(), text.substring(0, Math.min(MAX_TEXT, text.length())));
        }

        private String key() {
            return Guid.format(port.portGuid()) + "/" + port.portNum();
        }
    }

    /**
     * An entry: a change of a cable.
     *
     * @param at time of the change
     */
    public record Entry(Instant at, EntryType kind, NamedEnd near, NamedEnd far) {
        /** Checks whether a text is part of the name, the coordinates or the port GUID of an end. */
        public boolean isAbout(String text) {
            return Stream.of(near, far)
                    .anyMatch(end -> end.text().contains(text) || end.key().contains(text));
        }

        /** Returns the ends of the cable. */
        public Ends ends() {
            return new Ends(near.port(), far.port());
        }

        private String line() {
            return String.join(" ", at.toString(), kind.word(), near.key(), far.key(), near.text()) + "\t" + far.text();
        }
    }

    /**
     * The summary of the history of one cable.
     *
     * @param failures number of times that it went down, without losses of a switch at one of its ends
     * @param last last entry
     */
    public record Cable(NamedEnd near, NamedEnd far, int failures, Entry last) {}

    /** The two ends of a cable. Values with exchanged ends are equal. */
    public record Ends(Neighbors.CableEnd one, Neighbors.CableEnd other) {
        public Ends {
            if (ORDER.compare(one, other) > 0) {
                Neighbors.CableEnd first = other;
                other = one;
                one = first;
            }
        }

        private static final Comparator<Neighbors.CableEnd> ORDER = Comparator.comparing(
                        Neighbors.CableEnd::portGuid, Long::compareUnsigned)
                .thenComparing(Neighbors.CableEnd::portNum);

        /** Returns the ends of a cable that is lost. */
        public static Ends of(LostCable cable) {
            return new Ends(cable.near().port(), cable.far().port());
        }

        /** Checks whether a port is one of the ends. */
        public boolean has(Neighbors.CableEnd end) {
            return one.equals(end) || other.equals(end);
        }
    }

    /** Reads the history from a state directory, and follows the history of another SM that this SM replaces. */
    public CableHistory(StateDirectory directory) {
        this.directory = directory;
        entries = directory.read(FILE, new CableEntryLines()).orElse(List.of());
        directory.register(FILE, CableEntryLines::new, new EntrySuccessor());
    }

    /** The reaction to entries of another SM, from which this SM takes over. */
    private final class EntrySuccessor implements StateSuccessor<List<Entry>> {
        @Override
        public void replace(List<Entry> adopted) {
            entries = adopted;
        }

        /** Merges the entries of both SMs by time, because both recorded entries while they were master. */
        @Override
        public void complete(List<Entry> adopted) {
            Set<Entry> merged = new LinkedHashSet<>(adopted);
            merged.addAll(entries);
            if (merged.size() > entries.size()) {
                keep(merged.stream().sorted(Comparator.comparing(Entry::at)).toList());
            }
        }
    }

    /**
     * Records the changes between two states. At the first state after the start, a lost cable that is up in this
     * history went down while no SM was running. Such a cable is recorded now, and so are the cables of hosts at a
     * lost switch.
     *
     * @param at time of the second state
     */
    public void record(FabricState previousState, FabricState after, Instant at) {
        PlacedSubnet found = after.found();
        if (found == null) {
            return;
        }
        Set<LostCable> current = previousState.found() == null ? ofLosses(after.absences()) : down(after.absences());
        if (previousState.absences() == after.absences() && current.isEmpty()) {
            return;
        }
        List<Entry> next = new ArrayList<>(entries);
        Set<LostCable> lostBefore = down(previousState.absences());
        Map<Ends, EntryType> last = last();
        Set<Long> absent = switches(after.absences());
        switches(previousState.absences()).stream()
                .filter(guid -> !absent.contains(guid))
                .forEach(guid -> started.put(guid, at));
        if (previousState.found() == null) {
            noteStarted(current, last, absent, at);
        }
        lostBefore.stream()
                .filter(cable -> !current.contains(cable))
                .map(cable -> entry(at, isPresent(found, cable) ? EntryType.UP : EntryType.REPLACED, cable))
                .filter(entry -> entry.kind() != EntryType.UP
                        || last.get(entry.ends()) != EntryType.UP) // recorded while it was isolated
                .forEach(next::add);
        started.values().removeIf(time -> !time.isAfter(at.minus(RESTART_PERIOD)));
        Predicate<LostCable> isOff = offCheck(absent, at);
        current.stream()
                .filter(cable -> isUnrecorded(cable, previousState, lostBefore, last) || isOverdue(cable, last, isOff))
                .forEach(cable -> next.add(entry(at, isOff.test(cable) ? EntryType.OFF : EntryType.DOWN, cable)));
        if (next.size() > entries.size()) {
            keep(next);
        }
    }

    /** Counts switches whose cables are off as started now, because this SM does not know when they returned. */
    private void noteStarted(Set<LostCable> lost, Map<Ends, EntryType> last, Set<Long> absent, Instant at) {
        lost.stream()
                .filter(cable -> last.get(Ends.of(cable)) == EntryType.OFF)
                .flatMap(cable -> Stream.of(cable.near(), cable.far()))
                .filter(end -> end.isSwitch() && !absent.contains(end.port().portGuid()))
                .forEach(end -> started.put(end.port().portGuid(), at));
    }

    /** Checks whether a cable stays lost although its switches are present. A host may boot for longer. */
    private static boolean isOverdue(LostCable cable, Map<Ends, EntryType> last, Predicate<LostCable> isOff) {
        return cable.isBetweenSwitches() && last.get(Ends.of(cable)) == EntryType.OFF && !isOff.test(cable);
    }

    /** Checks whether this history lacks the loss of a cable. */
    private static boolean isUnrecorded(
            LostCable cable, FabricState previousState, Set<LostCable> lostBefore, Map<Ends, EntryType> last) {
        if (previousState.found() == null) {
            return !isLost(cable, last);
        }
        boolean isRecorded = previousState.absences().isLeftOut(cable) && isLost(cable, last); // while it was isolated
        return !lostBefore.contains(cable) && !isRecorded;
    }

    /** Returns the check whether a cable is lost because a switch at an end is absent, or has just started. */
    private Predicate<LostCable> offCheck(Set<Long> absent, Instant at) {
        Set<Long> switches = new HashSet<>(absent);
        switches.addAll(started.keySet());
        Set<Ends> restarted = restartedSince(at.minus(RESTART_PERIOD));
        return cable -> isOfSwitch(cable, switches) || restarted.contains(Ends.of(cable));
    }

    /** Returns the port GUIDs of the absent switches of all losses. */
    private static Set<Long> switches(Absences absences) {
        return absences.losses().stream()
                .flatMap(loss -> switches(loss).stream())
                .collect(Collectors.toSet());
    }

    /** Returns the absent cables without those of silent switches, whose cables may be intact. */
    private static Set<LostCable> down(Absences absences) {
        Set<LostCable> down = new LinkedHashSet<>();
        absences.cables().stream().filter(cable -> !cable.isBetweenSwitches()).forEach(down::add);
        absences.losses().forEach(loss -> down.addAll(loss.cables()));
        return down;
    }

    /** Returns the lost cables between switches, and the cables of hosts at lost switches. */
    private static Set<LostCable> ofLosses(Absences absences) {
        Set<LostCable> down = down(absences);
        return absences.losses().stream()
                .flatMap(loss -> cables(loss, down))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /**
     * Returns the cables of a loss, and all other lost cables of its switches, which were lost earlier or lead to
     * hosts.
     */
    private static Stream<LostCable> cables(Loss loss, Set<LostCable> down) {
        Set<Long> switches = switches(loss);
        return Stream.concat(loss.cables().stream(), down.stream().filter(cable -> isOfSwitch(cable, switches)));
    }

    /** Returns the port GUIDs of the absent switches of a loss. */
    private static Set<Long> switches(Loss loss) {
        return loss.switches().stream().map(end -> end.port().portGuid()).collect(Collectors.toSet());
    }

    private static boolean isOfSwitch(LostCable cable, Set<Long> switches) {
        return Stream.of(cable.near(), cable.far())
                .anyMatch(end -> switches.contains(end.port().portGuid()));
    }

    private static boolean isLost(LostCable cable, Map<Ends, EntryType> last) {
        EntryType kind = last.get(Ends.of(cable));
        return kind != null && kind.isLoss();
    }

    /** Returns the type of the last entry about the state of each cable. */
    private Map<Ends, EntryType> last() {
        Map<Ends, EntryType> last = new HashMap<>();
        entries.stream()
                .filter(entry -> entry.kind().isOfCable())
                .forEach(entry -> last.put(entry.ends(), entry.kind()));
        return last;
    }

    /** Returns the cables of switches that restarted after a time. */
    private Set<Ends> restartedSince(Instant time) {
        return entries.stream()
                .filter(entry ->
                        entry.kind() == EntryType.RESTARTED && entry.at().isAfter(time))
                .map(Entry::ends)
                .collect(Collectors.toSet());
    }

    /** Returns the losses with a cable that is not down in this history. */
    public List<Loss> unknown(Absences absences) {
        Map<Ends, EntryType> last = last();
        Set<LostCable> down = down(absences);
        return absences.losses().stream()
                .filter(loss -> cables(loss, down).anyMatch(cable -> !isLost(cable, last)))
                .toList();
    }

    /** Records an entry about one cable, such as an exclusion. */
    public void note(Instant at, EntryType kind, NamedEnd near, NamedEnd far) {
        List<Entry> next = new ArrayList<>(entries);
        next.add(new Entry(at, kind, near, far));
        keep(next);
    }

    /** Checks whether the last loss of a cable counts as off. */
    public boolean isOff(Ends cable) {
        return last().get(cable) == EntryType.OFF;
    }

    /**
     * Records the loss of a cable that is excluded, unless its last entry is the same loss.
     *
     * @param isSwitchAbsent whether a switch at one of its ends is absent
     */
    public void noteLoss(Instant at, NamedEnd near, NamedEnd far, boolean isSwitchAbsent) {
        Instant from = at.minus(RESTART_PERIOD);
        Ends cable = new Ends(near.port(), far.port());
        boolean isStarting = restartedSince(from).contains(cable)
                || Stream.of(near, far)
                        .map(end -> started.get(end.port().portGuid()))
                        .anyMatch(time -> time != null && time.isAfter(from));
        EntryType loss = isSwitchAbsent || isStarting ? EntryType.OFF : EntryType.DOWN;
        if (last().get(cable) != loss) {
            note(at, loss, near, far);
        }
    }

    /**
     * Records restarts of switches, once for each of their cables, and for {@link #MAX_RESTARTED} cables at most.
     *
     * @param subnet the subnet before the restarts
     * @param nodes indices of the switches
     */
    public void noteRestarts(Instant at, PlacedSubnet subnet, List<Integer> nodes) {
        Fabric fabric = subnet.fabric();
        Map<Ends, Entry> restarted = new LinkedHashMap<>();
        nodes.forEach(node -> started.put(fabric.portGuid(fabric.port(node, 0)), at));
        for (int node : nodes) {
            for (int portNum = 1; portNum <= fabric.numPorts(node) && restarted.size() < MAX_RESTARTED; portNum++) {
                int port = fabric.port(node, portNum);
                if (fabric.peer(port) != Fabric.NONE) {
                    Entry entry = new Entry(
                            at,
                            EntryType.RESTARTED,
                            NamedEnd.of(LostCable.LostEnd.of(subnet, port)),
                            NamedEnd.of(LostCable.LostEnd.of(subnet, fabric.peer(port))));
                    restarted.putIfAbsent(entry.ends(), entry);
                }
            }
        }
        List<Entry> next = new ArrayList<>(entries);
        next.addAll(restarted.values());
        keep(next);
    }

    private void keep(List<Entry> next) {
        List<Entry> newest = List.copyOf(next.subList(Math.max(0, next.size() - CAPACITY), next.size()));
        entries = newest;
        directory.write(FILE, () -> newest.stream().map(Entry::line));
    }

    private static Entry entry(Instant at, EntryType kind, LostCable cable) {
        return new Entry(at, kind, NamedEnd.of(cable.near()), NamedEnd.of(cable.far()));
    }

    /** Checks whether a cable is present between its two ends. */
    private static boolean isPresent(PlacedSubnet placed, LostCable cable) {
        Fabric fabric = placed.fabric();
        int node = fabric.nodeByGuid(cable.near().nodeGuid());
        int portNum = cable.near().port().portNum();
        int peer = node == Fabric.NONE || portNum > fabric.numPorts(node)
                ? Fabric.NONE
                : fabric.peer(fabric.port(node, portNum));
        return peer != Fabric.NONE
                && LostCable.LostEnd.of(placed, peer).port().equals(cable.far().port());
    }

    /** Returns all entries, the oldest first. */
    public List<Entry> entries() {
        return entries;
    }

    /** Returns the summaries of all cables. Cables that went down most often come first. */
    public List<Cable> cables() {
        return cables(Instant.MIN);
    }

    /** Returns the summaries of cables from entries since a time. Cables that went down most often come first. */
    public List<Cable> cables(Instant since) {
        Map<Ends, Cable> cables = new LinkedHashMap<>();
        for (Entry entry : entries) {
            if (!entry.at().isBefore(since)) {
                cables.merge(
                        entry.ends(),
                        new Cable(entry.near(), entry.far(), entry.kind() == EntryType.DOWN ? 1 : 0, entry),
                        (old, one) -> new Cable(one.near(), one.far(), old.failures() + one.failures(), one.last()));
            }
        }
        return cables.values().stream()
                .sorted(Comparator.comparingInt(Cable::failures).reversed())
                .toList();
    }
}
