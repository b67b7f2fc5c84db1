package io.torussm.subnet;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.state.StateSuccessor;
import io.torussm.transport.MKeySource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The known M_Keys of ports (IBA 14.2.4), in the file {@code guid2mkey} of the state directory: one line {@code 0x<port
 * GUID> 0x<M_Key>} for each key, as in OpenSM. As {@link MKeySource} it selects the M_Key of each SMP.
 *
 * <p>If the response to a change of the key is lost, the port may have either key. So during a change a port has two
 * lines, and attempts of a request carry the keys in turn until the port responds. A key is on the disk before it is
 * sent.
 *
 * <p>Owner thread: the loop of the SM.
 */
public final class MKeyStore implements MKeySource {
    /** The file of the state directory. */
    public static final StateFile FILE = StateFile.of(
                    "guid2mkey",
                    1,
                    16L << 20,
                    "ports with another M_Key than the configured one are not reached until their lease ends")
            .sharedWithOpenSm()
            .secret();

    /** Max number of keys that a port may have. After more changes without a response, old keys are removed. */
    private static final int MAX_KEYS = 4;

    /** Max number of {@link #unlocatedKeys} keys for an unknown device, because a request has only a few attempts. */
    private static final int MAX_UNLOCATED_KEYS = 3;

    /** Size of {@link #respondedPorts} above which it is cleared. */
    private static final int MAX_RESPONDED = 1 << 17;

    private static final long[] NONE = {};

    private final StateDirectory directory;
    private final Neighbors neighbors;
    private final long localPortGuid;
    private final LongSupplier configuredKey;
    private final BooleanSupplier looksUp;

    /** Keys by port GUID, the most likely key first. Arrays are never written. A port without an M_Key has no entry. */
    private final Map<Long, long[]> keys;

    /**
     * Keys of ports with an unknown location: an operator entered them, or the file of neighbours is lost.
     */
    private long[] unlocatedKeys;

    /** Port GUIDs at the ends of directed routes: of the current discovery, or else of the last fabric. */
    private Map<DrPath, Long> currentRoutes = new HashMap<>();

    /** Port GUIDs at the ends of directed routes before the current discovery; empty between discoveries. */
    private Map<DrPath, Long> previousRoutes = Map.of();

    /** Port GUIDs that responded to this SM in this run. */
    private final Set<Long> respondedPorts = new HashSet<>();

    /** Supplier of the previously configured key; 0 for none. */
    private LongSupplier previousKey = () -> 0;

    /** Predicate of port GUIDs: whether a request to the SM at the port may carry the key of the port. */
    private LongPredicate isShownToSm = portGuid -> false;

    /** True if keys changed after the last write of the file. */
    private boolean isDirty;

    /**
     * Reads the keys of a state directory.
     *
     * @param localPortGuid GUID of the local port
     * @param neighbors last known far ends of cables, to predict the device at the end of a route
     * @param configured supplier of the wanted key of ports, 0 for none; the value may change at any time
     * @param looksUp whether requests to a new device may carry the key of the device that was there before
     */
    public MKeyStore(
            StateDirectory directory,
            Neighbors neighbors,
            long localPortGuid,
            LongSupplier configured,
            BooleanSupplier looksUp) {
        this.directory = directory;
        this.neighbors = neighbors;
        this.localPortGuid = localPortGuid;
        this.configuredKey = configured;
        this.looksUp = looksUp;
        this.keys = directory.read(FILE, new KeyLines()).orElseGet(HashMap::new);
        this.unlocatedKeys = unlocatedKeys(keys, neighbors);
        directory.register(FILE, KeyLines::new, new KeySuccessor());
    }

    /**
     * Sets the supplier of the previously configured key, 0 for none. Ports that missed the change may still have it.
     */
    public void setPreviousKey(LongSupplier newFormer) {
        previousKey = newFormer;
    }

    /**
     * Sets the predicate of port GUIDs that decides whether a request to the SM at the port may carry the key of the
     * port. Before this call no request may.
     */
    public void setShownToSm(LongPredicate mayShow) {
        isShownToSm = mayShow;
    }

    /** Checks whether a request to the SM at a port may carry the key of the port. */
    public boolean isShownToSmAt(long portGuid) {
        return isShownToSm.test(portGuid);
    }

    /** Checks whether ports have a wanted key. */
    public boolean isInUse() {
        return configuredKey.getAsLong() != 0;
    }

    /** Returns keys of ports that are no known neighbours, at most {@link #MAX_UNLOCATED_KEYS}. */
    private static long[] unlocatedKeys(Map<Long, long[]> keys, Neighbors neighbors) {
        return keys.entrySet().stream()
                .filter(entry -> !neighbors.knows(entry.getKey()))
                .flatMapToLong(entry -> LongStream.of(entry.getValue()))
                .distinct()
                .limit(MAX_UNLOCATED_KEYS)
                .toArray();
    }

    /** A receiver of the keys of another SM, which may have changed them. */
    private final class KeySuccessor implements StateSuccessor<Map<Long, long[]>> {
        @Override
        public void replace(Map<Long, long[]> adopted) {
            keys.clear();
            keys.putAll(adopted);
            unlocatedKeys = unlocatedKeys(keys, neighbors);
            isDirty = false;
        }

        /** Adds the other keys, so that attempts carry them, too, and a port responds to its key. */
        @Override
        public void complete(Map<Long, long[]> adopted) {
            adopted.forEach((guid, others) -> LongStream.of(others).forEach(key -> expect(guid, key)));
            unlocatedKeys = unlocatedKeys(keys, neighbors);
            save();
        }
    }

    /**
     * Returns the key of an attempt: the known keys of the device in turn, then the configured key. If no key of the
     * device is known: the configured key, then (for an unknown device) keys of ports with unknown location, then the
     * previously configured key.
     */
    @Override
    public long key(DrPath path, int attempt) {
        long wanted = configuredKey.getAsLong();
        if (attempt == 0 && keys.isEmpty()) {
            return wanted;
        }
        long guid = guidAt(path);
        long[] known = keys.getOrDefault(guid, NONE);
        if (known.length == 0) {
            long[] others = guid == 0 && looksUp.getAsBoolean() ? unlocatedKeys : NONE;
            long formerKey = previousKey.getAsLong();
            boolean isFormerTried = formerKey != 0 && formerKey != wanted && !contains(others, formerKey);
            int turn = attempt % (1 + (isFormerTried ? 1 : 0) + others.length);
            return turn == 0 ? wanted : turn <= others.length ? others[turn - 1] : formerKey;
        }
        int turn = attempt % (known.length + (contains(known, wanted) ? 0 : 1));
        return turn < known.length ? known[turn] : wanted;
    }

    /** Records the key of the attempt that the device answered, as its most likely key. */
    @Override
    public void answered(DrPath path, int attempt) {
        if (attempt == 0) {
            return;
        }
        long guid = guidAt(path);
        long[] known = keys.getOrDefault(guid, NONE);
        long shown = key(path, attempt);
        if (known.length > 0 && known[0] != shown) {
            long[] others = LongStream.of(known).filter(key -> key != shown).toArray();
            keys.put(
                    guid,
                    LongStream.concat(LongStream.of(shown), LongStream.of(others))
                            .limit(MAX_KEYS)
                            .toArray());
        }
    }

    private static boolean contains(long[] keys, long key) {
        for (long each : keys) {
            if (each == key) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the GUID of the port at the end of a route; 0 if unknown. If the route was not yet followed in this
     * discovery, the last known far end of its last cable is likely.
     */
    private long guidAt(DrPath path) {
        if (path.hops() == 0) {
            return localPortGuid;
        }
        Long portGuid = currentRoutes.get(path);
        if (portGuid != null) {
            return portGuid;
        }
        long parentGuid = guidAt(path.parent());
        Neighbors.CableEnd far = parentGuid == 0 ? null : neighbors.far(parentGuid, path.port(path.hops() - 1));
        boolean isLikely = far != null && (looksUp.getAsBoolean() || respondedPorts.contains(far.portGuid()));
        return far != null && isLikely ? far.portGuid() : previousRoutes.getOrDefault(path, 0L);
    }

    /** Begins a discovery of the whole fabric. */
    public void beginDiscovery() {
        previousRoutes = currentRoutes;
        currentRoutes = new HashMap<>();
        if (respondedPorts.size() > MAX_RESPONDED) {
            respondedPorts.clear();
        }
    }

    /** Records the port that responded at the end of a route. */
    public void recordRoute(DrPath path, long portGuid) {
        currentRoutes.put(path, portGuid);
        respondedPorts.add(portGuid);
    }

    /** Ends a discovery that found this fabric. */
    public void endDiscovery(Fabric fabric) {
        Map<DrPath, Long> routes = new HashMap<>();
        for (int node = 0; node < fabric.nodeCount(); node++) {
            routes.put(fabric.node(node).path(), fabric.node(node).info().portGuid());
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port)) {
                routes.put(fabric.pathTo(port), fabric.portGuid(port));
            }
        }
        previousRoutes = Map.of();
        currentRoutes = routes;
    }

    /**
     * Records the key that an end port reports in PortInfo. A port reports its key to a requester with the right key,
     * and, without protection, to any requester.
     */
    public void learn(long portGuid, PortInfo info) {
        long shown = info.get(PortInfo.M_KEY);
        if (shown != 0) {
            put(portGuid, new long[] {shown});
        } else if (info.get(PortInfo.M_KEY_PROTECT_BITS) == 0) {
            put(portGuid, null);
        }
    }

    /**
     * Returns the most likely key of a port, for a Set(PortInfo) that does not change the key.
     *
     * @return the configured key if no key of the port is known
     */
    public long currentKey(long portGuid) {
        long[] known = keys.get(portGuid);
        return known == null ? configuredKey.getAsLong() : known[0];
    }

    /**
     * Checks whether a port should accept an SMP with a key: the port has the key, or may have it during a change of
     * keys. The result is always true for the configured key, because another SM may have written it.
     */
    public boolean isAcceptedBy(long portGuid, long key) {
        long[] known = keys.getOrDefault(portGuid, NONE);
        long wanted = configuredKey.getAsLong();
        boolean isOpen = known.length == 0 && wanted == 0;
        return isOpen || key == wanted || contains(known, key);
    }

    /**
     * Records that a port without a known key will receive the configured key. It may have the previously configured
     * key.
     */
    public void expectFirst(long portGuid) {
        if (!keys.containsKey(portGuid)) {
            expect(portGuid, configuredKey.getAsLong());
            expect(portGuid, previousKey.getAsLong());
        }
    }

    /** Records that a port may have a key from now on, because a Set with this key will be sent. */
    public void expect(long portGuid, long key) {
        long[] known = keys.getOrDefault(portGuid, NONE);
        if (key == 0 || contains(known, key)) {
            return;
        }
        List<Long> more = new ArrayList<>(LongStream.of(known).boxed().toList());
        if (more.size() == MAX_KEYS) {
            more.remove(1);
        }
        more.add(key);
        put(portGuid, more.stream().mapToLong(Long::longValue).toArray());
    }

    private void put(long portGuid, long @Nullable [] current) {
        long[] previous = current == null ? keys.remove(portGuid) : keys.put(portGuid, current);
        isDirty |= !Arrays.equals(previous, current);
    }

    /** Writes the file soon, if keys changed. */
    public void save() {
        if (isDirty) {
            save(isWritten -> {});
        }
    }

    /**
     * Writes the file soon.
     *
     * @param then callback, called on the loop that writes; its argument is whether all current keys are on the disk
     */
    public void save(Consumer<Boolean> then) {
        isDirty = false;
        Map<Long, long[]> current = new TreeMap<>(Long::compareUnsigned);
        current.putAll(keys);
        directory.write(
                FILE,
                () -> current.entrySet().stream().flatMap(entry -> lines(entry.getKey(), entry.getValue())),
                then);
    }

    private static Stream<String> lines(long portGuid, long[] keys) {
        return LongStream.of(keys).mapToObj(key -> Guid.format(portGuid) + " " + Guid.format(key));
    }

    /** The reader of the file. */
    private static final class KeyLines implements StateFile.Parser<Map<Long, long[]>> {
        private final Map<Long, long[]> keys = new HashMap<>();

        @Override
        public String parseLine(String line) {
            String[] words = line.split("\\s+", -1);
            if (words.length != 2) {
                return "expected a port GUID and its M_Key";
            }
            long guid;
            long key;
            try {
                guid = Guid.parse(words[0]);
                key = Guid.parse(words[1]);
            } catch (NumberFormatException e) {
                return "not two numbers";
            }
            long[] known = keys.getOrDefault(guid, NONE);
            if (known.length == MAX_KEYS || contains(known, key)) {
                return "the GUID appears too often";
            }
            if (guid != 0 && key != 0) {
                long[] more = Arrays.copyOf(known, known.length + 1);
                more[known.length] = key;
                keys.put(guid, more);
            }
            return "";
        }

        @Override
        public Map<Long, long[]> value() {
            return keys;
        }
    }
}
