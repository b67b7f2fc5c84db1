package io.torussm.subnet;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.Lids;
import io.torussm.mad.smp.PortInfo;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.state.StateSuccessor;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The LIDs of all ports that were ever discovered, in the file {@code guid2lid} of the state directory: one line {@code
 * 0x<port GUID> 0x<first LID> 0x<last LID>} for each port, as in OpenSM.
 *
 * <p>Owner thread: the loop of the SM.
 */
public final class LidStore {
    /** The file of the state directory. */
    public static final StateFile FILE = StateFile.of("guid2lid", 1, 16L << 20, "LIDs are taken from the fabric")
            .sharedWithOpenSm();

    private static final int LID_DIGITS = 4;

    private final StateDirectory directory;

    /** LIDs by port GUID. */
    private Map<Long, Range> ranges;

    /** Base LIDs by port GUID under another master. Not written to the file, because that master owns them. */
    private final Map<Long, Integer> otherMasterLids = new HashMap<>();

    /** MasterSMLIDs of ports before this SM was master. */
    private final Set<Integer> masterLids = new HashSet<>();

    /** The last version that was read or submitted; null without one. The loop that writes also replaces it. */
    private final AtomicReference<@Nullable Version> lastVersion;

    /** The wanted contents of the file, and whether they are known to be on the disk. */
    private record Version(Map<Long, Range> ranges, boolean isOnDisk) {}

    /** The LIDs of a port, {@code first} and {@code last} included. */
    private record Range(int first, int last) {
        /**
         * Compares the components in plain code, as {@link #hashCode} does, because the code that the JVM generates for
         * a record at its first use costs milliseconds at start-up.
         */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Range range && range.first == first && range.last == last;
        }

        @Override
        public int hashCode() {
            return 31 * first + last;
        }

        IntStream lids() {
            return IntStream.rangeClosed(first, last);
        }
    }

    /** Creates the store of a state directory. */
    public LidStore(StateDirectory directory) {
        this.directory = directory;
        Optional<Map<Long, Range>> read = directory.read(FILE, new RangeLines());
        this.ranges = read.orElse(Map.of());
        this.lastVersion =
                new AtomicReference<>(read.map(held -> new Version(held, true)).orElse(null));
        directory.register(FILE, RangeLines::new, new LidSuccessor());
    }

    /**
     * Returns the number of ports in a file {@code guid2lid} of this program or of OpenSM.
     *
     * @throws StateFile.DamagedFileException if the content is not acceptable
     */
    public static int count(byte[] content) throws StateFile.DamagedFileException {
        return FILE.parse(content, new RangeLines()).size();
    }

    /** A receiver of the LIDs of another SM. */
    private final class LidSuccessor implements StateSuccessor<Map<Long, Range>> {
        @Override
        public void replace(Map<Long, Range> adopted) {
            ranges = adopted;
            lastVersion.set(null);
        }

        /** Adopts the LIDs of ports that this SM does not have, unless it has assigned these LIDs to other ports. */
        @Override
        public void complete(Map<Long, Range> adopted) {
            Set<Integer> used = new HashSet<>();
            ranges.values().forEach(range -> range.lids().forEach(used::add));
            Map<Long, Range> both = new HashMap<>(ranges);
            adopted.forEach((guid, range) -> {
                if (range.lids().noneMatch(used::contains)) {
                    both.putIfAbsent(guid, range);
                }
            });
            ranges = both;
        }
    }

    /**
     * Records the LIDs of a fabric of another master. They are necessary if this SM later becomes master of a part of
     * the ports.
     */
    public void setOtherMasterLids(Fabric fabric) {
        otherMasterLids.clear();
        for (int port = 0; port < fabric.portCount(); port++) {
            PortInfo info = fabric.isEndport(port) ? fabric.portInfo(port) : null;
            if (info != null && Lids.isUnicast(info.lid())) {
                otherMasterLids.put(fabric.portGuid(port), info.lid());
            }
        }
        addMasterLids(fabric);
    }

    /** Records the MasterSMLIDs of ports, before this SM writes its own LID there. */
    public void addMasterLids(Fabric fabric) {
        for (int port = 0; port < fabric.portCount(); port++) {
            PortInfo info = fabric.isEndport(port) ? fabric.portInfo(port) : null;
            if (info != null && Lids.isUnicast(info.masterSmLid())) {
                masterLids.add(info.masterSmLid());
            }
        }
    }

    /** Returns LIDs that may be in use outside of this fabric: of ports under another master, and of masters. */
    public Set<Integer> lidsOutsideOf(Fabric currentFabric) {
        Set<Integer> elsewhere = new HashSet<>(masterLids);
        Set<Long> presentGuids = new HashSet<>();
        for (int port = 0; port < currentFabric.portCount() && !otherMasterLids.isEmpty(); port++) {
            presentGuids.add(currentFabric.portGuid(port));
        }
        otherMasterLids.forEach((guid, lid) -> {
            if (!presentGuids.contains(guid)) {
                elsewhere.add(lid);
            }
        });
        return elsewhere;
    }

    /** Returns the base LIDs of all ports by port GUID. */
    public Map<Long, Integer> lids() {
        Map<Long, Integer> lids = new HashMap<>();
        ranges.forEach((guid, range) -> lids.put(guid, range.first()));
        return lids;
    }

    /** Returns the base LID that a port has or had; 0 if it never had one. */
    public int lid(long portGuid) {
        Range range = ranges.get(portGuid);
        return range == null ? 0 : range.first();
    }

    /** Returns the LIDs that ports have or had, all of each range. */
    public BitSet allLids() {
        BitSet all = new BitSet();
        ranges.values().forEach(range -> all.set(range.first(), range.last() + 1));
        return all;
    }

    /** Checks whether a port has or had a LID. */
    public boolean knows(long portGuid) {
        return ranges.containsKey(portGuid);
    }

    /** Returns the highest LID that any port has or had; 0 if no port ever had a LID. */
    public int topLid() {
        return ranges.values().stream().mapToInt(Range::last).max().orElse(0);
    }

    /** Returns the GUID of the port that has or had a LID; 0 if unknown. */
    public long portGuid(int lid) {
        for (Map.Entry<Long, Range> entry : ranges.entrySet()) {
            if (lid >= entry.getValue().first() && lid <= entry.getValue().last()) {
                return entry.getKey();
            }
        }
        return 0;
    }

    /**
     * Stores the LIDs of a subnet. LIDs of absent ports stay stored, unless another port now has them. If the content
     * differs, the file is written soon.
     *
     * @param then callback, called once; its argument is whether the LIDs are on the disk. Called within this call if
     *     they already are, else on the loop that writes
     */
    public void remember(Subnet subnet, Consumer<Boolean> then) {
        Version previous = lastVersion.get();
        if (previous != null && previous.isOnDisk() && previous.ranges() == ranges && isStored(subnet)) {
            then.accept(true);
            return;
        }
        Fabric fabric = subnet.fabric();
        Map<Long, Range> current = new TreeMap<>(Long::compareUnsigned);
        for (int port = 0; port < fabric.portCount(); port++) {
            int base = subnet.lid(port);
            if (base != 0) {
                current.put(fabric.portGuid(port), range(subnet, port));
            }
        }
        ranges.forEach((guid, range) -> {
            if (isFree(subnet, range)) {
                current.putIfAbsent(guid, range);
            }
        });
        if (previous != null && previous.isOnDisk() && previous.ranges().equals(current)) {
            ranges = previous.ranges();
            then.accept(true);
        } else {
            ranges = current;
            save(new Version(current, false), then);
        }
    }

    private static Range range(Subnet subnet, int port) {
        int base = subnet.lid(port);
        return new Range(base, base + (1 << subnet.lmc(port)) - 1);
    }

    /**
     * Checks whether every port has its stored LIDs. Stored ranges do not overlap, so no other entry must be removed
     * then.
     */
    private boolean isStored(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        boolean isKnown = true;
        for (int port = 0; isKnown && port < fabric.portCount(); port++) {
            isKnown = subnet.lid(port) == 0 || range(subnet, port).equals(ranges.get(fabric.portGuid(port)));
        }
        return isKnown;
    }

    private void save(Version next, Consumer<Boolean> then) {
        lastVersion.set(next);
        Supplier<Stream<String>> lines =
                () -> next.ranges().entrySet().stream().map(entry -> line(entry.getKey(), entry.getValue()));
        directory.write(FILE, lines, isWritten -> {
            if (isWritten) {
                lastVersion.compareAndSet(next, new Version(next.ranges(), true));
            }
            then.accept(isWritten);
        });
    }

    /** Checks whether no port of a subnet has a LID of a range. */
    private static boolean isFree(Subnet subnet, Range range) {
        for (int lid = range.first(); lid <= range.last(); lid++) {
            if (subnet.portOfLid(lid) != Fabric.NONE) {
                return false;
            }
        }
        return true;
    }

    private static String line(long guid, Range range) {
        return Guid.format(guid) + " 0x" + digits(range.first()) + " 0x" + digits(range.last());
    }

    private static String digits(int lid) {
        return HexFormat.of().toHexDigits(lid, LID_DIGITS);
    }

    /** The reader of the file. */
    private static final class RangeLines implements StateFile.Parser<Map<Long, Range>> {
        private final Map<Long, Range> ranges = new HashMap<>();
        private final Set<Integer> seen = new HashSet<>();

        @Override
        public String parseLine(String line) {
            String[] words = line.split("\\s+", -1);
            if (words.length != 3) {
                return "expected a port GUID, its first and its last LID";
            }
            try {
                return take(Guid.parse(words[0]), Integer.decode(words[1]), Integer.decode(words[2]));
            } catch (NumberFormatException e) {
                return "not a number: " + e.getMessage();
            }
        }

        private String take(long guid, int first, int last) {
            int size = last - first + 1;
            if (guid == 0 || !Lids.isUnicast(first) || !Lids.isUnicast(last)) {
                return "GUID or LID out of range";
            }
            if (size < 1 || size > 128 || Integer.bitCount(size) != 1 || first % size != 0) {
                return "not an aligned range of 1 to 128 LIDs";
            }
            for (int lid = first; lid <= last; lid++) {
                if (!seen.add(lid)) {
                    return "LID " + lid + " appears twice";
                }
            }
            return ranges.putIfAbsent(guid, new Range(first, last)) == null ? "" : "the GUID appears twice";
        }

        @Override
        public Map<Long, Range> value() {
            return ranges;
        }
    }
}
