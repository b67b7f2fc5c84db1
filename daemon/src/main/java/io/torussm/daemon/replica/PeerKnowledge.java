package io.torussm.daemon.replica;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What peers said of themselves last: whether they are master, and which versions of files they hold; and which of these are
 * still to come. Without clock and I/O. Owner thread: the loop of the SM.
 */
final class PeerKnowledge {
    /** More than there can be at once; of those that are not there the first that came is forgotten. */
    private static final int MAX_PEERS = 64;

    private final Map<String, Peer> peers = new LinkedHashMap<>();

    /** One SM. */
    private static final class Peer {
        private boolean isThere = true;
        private boolean isHeard;
        private boolean isMaster;

        /** Whether it has told what it holds since it was master last; what it shows from then on may be a copy of this SM's own. */
        private boolean isMet;

        /** Files that it holds newer than this SM, as far as is known, with their versions there. */
        private final Map<String, FileVersion> awaited = new HashMap<>();
    }

    /** Which of the versions that a peer holds this SM has to have. */
    interface Wanted {
        /**
         * Whether it does.
         *
         * @param isMet whether the version may be one that this SM gave to the peer
         */
        boolean test(String file, FileVersion version, boolean isMet);
    }

    /** A peer is there; what it holds it says soon. */
    void joined(String name) {
        Peer peer = peer(name);
        peer.isThere = true;
        peer.isHeard = false;
    }

    /** A peer is gone; nobody waits for it. */
    void left(String name) {
        Peer peer = peers.get(name);
        if (peer != null) {
            peer.isThere = false;
            peer.isMaster = false;
            peer.awaited.clear();
        }
    }

    private Peer peer(String name) {
        Peer known = peers.get(name);
        if (known == null) {
            if (peers.size() == MAX_PEERS) {
                String first = peers.entrySet().stream()
                        .filter(entry -> !entry.getValue().isThere)
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElse(peers.keySet().iterator().next());
                peers.remove(first);
            }
            known = new Peer();
            peers.put(name, known);
        }
        return known;
    }

    /**
     * A peer says what it holds.
     *
     * @param isMaster whether it is; then what it holds counts once it is not any more
     * @param versions by the name of the file
     */
    void says(String name, boolean isMaster, Map<String, FileVersion> versions, Wanted wanted) {
        boolean isMet = isMet(name);
        Peer peer = peer(name);
        peer.isHeard = true;
        peer.isMaster = isMaster;
        peer.isMet = !isMaster;
        peer.awaited.clear();
        versions.forEach((file, version) -> {
            if (wanted.test(file, version, isMet)) {
                peer.awaited.put(file, version);
            }
        });
    }

    /** This SM becomes master: what a master holds counts once it is not any more. */
    void begin() {
        peers.values().stream().filter(peer -> peer.isMaster).forEach(peer -> peer.awaited.clear());
    }

    /** This SM has a version of a file, or one that is newer. */
    void has(String file, FileVersion version) {
        peers.values()
                .forEach(peer -> peer.awaited.computeIfPresent(
                        file, (name, awaited) -> awaited.isNewerThan(version) ? awaited : null));
    }

    /** Whether this SM knows what a peer wrote as master, if it ever was. */
    boolean isMet(String name) {
        Peer peer = peers.get(name);
        return peer != null && peer.isMet;
    }

    /** Whether a peer has said that it is master, and has not said since that it is not. */
    boolean isMaster(String name) {
        Peer peer = peers.get(name);
        return peer != null && peer.isMaster;
    }

    /** Whether a peer holds a version of a file that this SM waits for. */
    boolean isAwaited(String name, String file) {
        Peer peer = peers.get(name);
        return peer != null && peer.awaited.containsKey(file);
    }

    /** Whether a peer that is there has not said yet what it holds. */
    boolean isAnyUnheard() {
        return there().stream().anyMatch(peer -> !peer.isHeard);
    }

    /**
     * Whether this SM knows as much as its peers, before it begins: the one that is master, or all of them.
     *
     * @param configured how many there are
     */
    boolean isWhole(int configured) {
        long heard = there().stream().filter(peer -> peer.isHeard).count();
        boolean hasCopyOfMaster = there().stream().anyMatch(peer -> peer.isMaster && peer.awaited.isEmpty());
        return hasCopyOfMaster || heard >= configured && there().stream().allMatch(peer -> peer.awaited.isEmpty());
    }

    /** Whether every master of before has said its last word, and this SM knows as much as its peers. */
    boolean isSettled() {
        return there().stream().allMatch(peer -> !peer.isMaster && peer.awaited.isEmpty());
    }

    private List<Peer> there() {
        return peers.values().stream().filter(peer -> peer.isThere).toList();
    }
}
