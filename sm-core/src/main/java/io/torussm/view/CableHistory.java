package io.torussm.view;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.state.StateSuccessor;
import io.torussm.subnet.Neighbors;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The times at which cables went down and returned, in the file {@code cable-history} of the state directory.
 * A line is {@code <time> <kind> <end> <end> <near>TAB<far>}, with an {@link EntryType} in lower case. An end is
 * {@code 0x<port GUID>/<port>}; near and far are device, coordinates and port. If a host vanishes, its cable
 * goes down. If a switch vanishes, its cables are off: that is no failure of them. A change that is reverted
 * between two sweeps is not seen; traps make that interval short.
 *
 * <p>Owner thread: the loop of the SM; any thread may read.
 */
public final class CableHistory {
    /** The file of the history. */
    public static final StateFile FILE =
            StateFile.of("cable-history", 1, 4L << 20, "it is forgotten when cables went down before");

    /** The limit of entries; the oldest is dropped first. */
    static final int CAPACITY = 4000;

    /** A switch may restart more than once in this time, and some links train late. */
    private static final Duration RESTART = Duration.ofMinutes(1);

    /** Limit of the characters of a device with its coordinates and port. */
    private static final int MAX_TEXT = 120;

    private final StateDirectory directory;
    private volatile List<Entry> entries;

    /** The types of entries. */
    public enum EntryType {
        DOWN,
        /** It was lost together with a switch at one of its ends, or within a minute of a restart of that switch. */
        OFF,
        UP,
        /** One of its ends has another cable. */
        REPLACED,
        /** A switch at one of its ends restarted, and the cable was up again before it was missed. */
        RESTARTED,
        /** It was excluded, because it went down repeatedly or lost packets. */
        ISOLATED,
        /** Its exclusion ended. */
        RELEASED;

        /** Checks whether the entry describes the state of the cable, not its exclusion. */
        public boolean isOfCable() {
            return isLoss() || this == UP || this == REPLACED;
        }

        private boolean isLoss() {
            return this == DOWN || this == OFF;
        }

        private String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** An end of a cable, with its text at that time. */
    public record NamedEnd(Neighbors.CableEnd port, String text) {
        /** Returns an end with its present text. */
        public static NamedEnd of(LostCable.LostEnd end) {
            String text = end.text().replaceAll("\\p{Cntrl}", " ").strip();
            return new NamedEnd(end.port(), text.substring(0, Math.min(MAX_TEXT, text.length())));
        }

        private String key() {
            return Guid.format(port.portGuid()) + "/" + port.portNum();
        }
    }

    /** An entry: a change of a cable. */
    public record Entry(Instant at, EntryType kind, NamedEnd near, NamedEnd far) {
        /** Checks whether a text is part of the name, coordinates or port GUID of one of its ends. */
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
     * The history of one cable.
     *
     * @param downs how often it went down, without the losses of a switch at one of its ends
     * @param last last entry
     */
    public record Cable(NamedEnd near, NamedEnd far, int downs, Entry last) {}

    /** The two ends of a cable, in no order. */
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

    /** Reads the history of a directory. */
    public CableHistory(StateDirectory directory) {
        this.directory = directory;
        entries = directory.read(FILE, new EntryLines()).orElse(List.of());
        directory.follow(FILE, EntryLines::new, new EntrySuccessor());
    }

    /** The successor to the entries of another SM. */
    private final class EntrySuccessor implements StateSuccessor<List<Entry>> {
        @Override
        public void replace(List<Entry> adopted) {
            entries = adopted;
        }

        /** Adds the entries of the other SM; both recorded some, one after the other. */
        @Override
        public void complete(List<Entry> adopted) {
            Set<Entry> both = new LinkedHashSet<>(adopted);
            both.addAll(entries);
            if (both.size() > entries.size()) {
                keep(both.stream().sorted(Comparator.comparing(Entry::at)).toList());
            }
        }
    }

    /**
     * Records the changes between two states. A cable of a loss that is missing in the first state, but up in this
     * history, went down while no SM was running: it is recorded now. So are the cables of hosts at a lost switch.
     */
    public void look(FabricState previousState, FabricState after, Instant at) {
        PlacedSubnet found = after.found();
        if (found == null || previousState.absences() == after.absences()) {
            return;
        }
        List<Entry> next = new ArrayList<>(entries);
        Set<LostCable> lostBefore = down(previousState.absences());
        Set<LostCable> current = previousState.found() == null ? ofLosses(after.absences()) : down(after.absences());
        Map<Ends, EntryType> last = last();
        Set<Long> switches = after.absences().losses().stream()
                .flatMap(loss -> switches(loss).stream())
                .collect(Collectors.toSet());
        Set<Ends> restarted = restartedSince(at.minus(RESTART));
        lostBefore.stream()
                .filter(cable -> !current.contains(cable))
                .map(cable -> entry(at, isThere(found, cable) ? EntryType.UP : EntryType.REPLACED, cable))
                .filter(entry -> entry.kind() != EntryType.UP
                        || last.get(entry.ends()) != EntryType.UP) // recorded while it was isolated
                .forEach(next::add);
        current.stream()
                .filter(cable -> previousState.found() == null
                        ? !isLost(cable, last)
                        : !lostBefore.contains(cable)
                                && !(previousState.absences().isLeftOut(cable)
                                        && isLost(cable, last))) // recorded while it was isolated
                .forEach(cable -> {
                    boolean isOff = isOfSwitch(cable, switches) || restarted.contains(Ends.of(cable));
                    next.add(entry(at, isOff ? EntryType.OFF : EntryType.DOWN, cable));
                });
        if (next.size() > entries.size()) {
            keep(next);
        }
    }

    /** Returns the absent cables without those of silent switches, whose cables may be intact. */
    private static Set<LostCable> down(Absences absences) {
        Set<LostCable> down = new LinkedHashSet<>();
        absences.cables().stream().filter(cable -> !cable.isBetweenSwitches()).forEach(down::add);
        absences.losses().forEach(loss -> down.addAll(loss.cables()));
        return down;
    }

    /** Returns the cables between switches that are lost, and those of hosts at lost switches. */
    private static Set<LostCable> ofLosses(Absences absences) {
        Set<LostCable> down = down(absences);
        return absences.losses().stream()
                .flatMap(loss -> cables(loss, down))
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** Returns the cables of a loss, and all others of its switches: some were lost earlier, or lead to hosts. */
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

    /** Returns the last entry of each cable. */
    private Map<Ends, EntryType> last() {
        Map<Ends, EntryType> last = new HashMap<>();
        entries.stream()
                .filter(entry -> entry.kind().isOfCable())
                .forEach(entry -> last.put(entry.ends(), entry.kind()));
        return last;
    }

    /** Returns the cables at switches that restarted after a time. */
    private Set<Ends> restartedSince(Instant time) {
        return entries.stream()
                .filter(entry ->
                        entry.kind() == EntryType.RESTARTED && entry.at().isAfter(time))
                .map(Entry::ends)
                .collect(Collectors.toSet());
    }

    /** Returns the losses of which this history lacks a cable that went down. */
    public List<Loss> unknown(Absences absences) {
        Map<Ends, EntryType> last = last();
        Set<LostCable> down = down(absences);
        return absences.losses().stream()
                .filter(loss -> cables(loss, down).anyMatch(cable -> !isLost(cable, last)))
                .toList();
    }

    /** Records an entry for a cable that is absent, or is excluded or released. */
    public void note(Instant at, EntryType kind, NamedEnd near, NamedEnd far) {
        List<Entry> next = new ArrayList<>(entries);
        next.add(new Entry(at, kind, near, far));
        keep(next);
    }

    /**
     * Records a restart of a switch for each of its cables.
     *
     * @param subnet the subnet before the restart
     * @param node index of the switch
     */
    public void restarted(Instant at, PlacedSubnet subnet, int node) {
        Fabric fabric = subnet.fabric();
        List<Entry> next = new ArrayList<>(entries);
        for (int portNum = 1; portNum <= fabric.numPorts(node); portNum++) {
            int port = fabric.port(node, portNum);
            if (fabric.peer(port) != Fabric.NONE) {
                next.add(new Entry(
                        at,
                        EntryType.RESTARTED,
                        NamedEnd.of(LostCable.LostEnd.of(subnet, port)),
                        NamedEnd.of(LostCable.LostEnd.of(subnet, fabric.peer(port)))));
            }
        }
        keep(next);
    }

    private void keep(List<Entry> next) {
        List<Entry> kept = List.copyOf(next.subList(Math.max(0, next.size() - CAPACITY), next.size()));
        entries = kept;
        directory.write(FILE, () -> kept.stream().map(Entry::line));
    }

    private static Entry entry(Instant at, EntryType kind, LostCable cable) {
        return new Entry(at, kind, NamedEnd.of(cable.near()), NamedEnd.of(cable.far()));
    }

    /** Checks whether a cable connects its two ends. */
    private static boolean isThere(PlacedSubnet placed, LostCable cable) {
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

    /** Returns the histories of all cables, those that went down most often first. */
    public List<Cable> cables() {
        return cables(Instant.MIN);
    }

    /** Returns the histories of cables from entries since a time. */
    public List<Cable> cables(Instant since) {
        Map<Ends, Cable> cables = new LinkedHashMap<>();
        for (Entry entry : entries) {
            if (!entry.at().isBefore(since)) {
                cables.merge(
                        entry.ends(),
                        new Cable(entry.near(), entry.far(), entry.kind() == EntryType.DOWN ? 1 : 0, entry),
                        (old, one) -> new Cable(one.near(), one.far(), old.downs() + one.downs(), one.last()));
            }
        }
        return cables.values().stream()
                .sorted(Comparator.comparingInt(Cable::downs).reversed())
                .toList();
    }

    /** The parser of the file. */
    private static final class EntryLines implements StateFile.Parser<List<Entry>> {
        private static final int WORDS = 5;
        private final List<Entry> entries = new ArrayList<>();

        @Override
        public String take(String line) {
            String[] words = line.split(" ", WORDS);
            String[] names = words.length < WORDS ? new String[0] : words[WORDS - 1].split("\t", -1);
            Optional<EntryType> kind = words.length < 2
                    ? Optional.empty()
                    : Arrays.stream(EntryType.values())
                            .filter(each -> each.word().equals(words[1]))
                            .findFirst();
            if (names.length != 2 || kind.isEmpty() || Stream.of(names).anyMatch(name -> name.length() > MAX_TEXT)) {
                return "expected a time, a kind such as down, two ends and their names";
            }
            if (entries.size() == CAPACITY) {
                return "there are more than " + CAPACITY + " lines";
            }
            try {
                entries.add(new Entry(
                        Instant.parse(words[0]), kind.get(), end(words[2], names[0]), end(words[3], names[1])));
                return "";
            } catch (DateTimeException | IllegalArgumentException e) {
                return String.valueOf(e.getMessage());
            }
        }

        private static NamedEnd end(String key, String name) {
            String[] parts = key.split("/", -1);
            int portNum = parts.length == 2 ? Integer.parseInt(parts[1]) : -1;
            if (portNum < 1 || portNum > NodeInfo.MAX_PORT_NUM) {
                throw new IllegalArgumentException("\"" + key + "\" is no GUID/PORT");
            }
            return new NamedEnd(new Neighbors.CableEnd(Guid.parse(parts[0]), portNum), name);
        }

        @Override
        public List<Entry> value() {
            return List.copyOf(entries);
        }
    }
}
