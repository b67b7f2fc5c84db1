package io.torussm.daemon.replica;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last reports of peers: whether each is master, its versions of files, and the versions that are still
 * expected. Without clock and I/O. Owner thread: the loop of the SM.
 */
final class PeerKnowledge {
    /** More than the possible number of peers; beyond it the oldest absent peer is dropped. */
    private static final int MAX_PEERS = 64;

    private final Map<String, Peer> peers = new LinkedHashMap<>();

    /** One SM. */
    private static final class Peer {
        private boolean isThere = true;
        private boolean isHeard;
        private boolean isMaster;

        /**
         * True if it has reported its versions since it was master last; later versions may be copies of this
         * SM's own.
         */
        private boolean isMet;

        /** Its files that are newer than this SM's, as far as is known, with their versions there. */
        private final Map<String, FileVersion> awaited = new HashMap<>();
    }

    /** The selection of a peer's versions that this SM must get. */
    interface Wanted {
        /**
         * Checks whether this SM must get a version.
         *
         * @param isMet true if the peer may have the version from this SM
         */
        boolean test(String file, FileVersion version, boolean isMet);
    }

    /** Takes note of a peer, which soon reports its versions. */
    void joined(String name) {
        Peer peer = peer(name);
        peer.isThere = true;
        peer.isHeard = false;
    }

    /** Removes an absent peer; no operation waits for it. */
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
     * Records the report of a peer.
     *
     * @param isMaster true if it is master; then its versions count only when it is master no more
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

    /**
     * Takes note that this SM becomes master: the versions of another master count only when it is master no
     * more.
     */
    void begin() {
        peers.values().stream().filter(peer -> peer.isMaster).forEach(peer -> peer.awaited.clear());
    }

    /** Notes that this SM has a version of a file, or a newer one. */
    void has(String file, FileVersion version) {
        peers.values()
                .forEach(peer -> peer.awaited.computeIfPresent(
                        file, (name, awaited) -> awaited.isNewerThan(version) ? awaited : null));
    }

    /** Checks whether this SM has the data that a peer wrote as master, if it ever was. */
    boolean isMet(String name) {
        Peer peer = peers.get(name);
        return peer != null && peer.isMet;
    }

    /** Checks whether a peer has reported that it is master, and has not withdrawn it since. */
    boolean isMaster(String name) {
        Peer peer = peers.get(name);
        return peer != null && peer.isMaster;
    }

    /** Checks whether this SM waits for a peer's version of a file. */
    boolean isAwaited(String name, String file) {
        Peer peer = peers.get(name);
        return peer != null && peer.awaited.containsKey(file);
    }

    /** Checks whether a connected peer has not yet reported its versions. */
    boolean isAnyUnheard() {
        return there().stream().anyMatch(peer -> !peer.isHeard);
    }

    /**
     * Checks before the start whether this SM has the newest files: the files of the master, or of all peers
     * if none of them is master.
     *
     * @param configured number of configured peers
     */
    boolean isWhole(int configured) {
        long heard = there().stream().filter(peer -> peer.isHeard).count();
        boolean hasCopyOfMaster = there().stream().anyMatch(peer -> peer.isMaster && peer.awaited.isEmpty());
        return hasCopyOfMaster || (heard >= configured && there().stream().allMatch(peer -> peer.awaited.isEmpty()));
    }

    /** Checks whether every former master has sent its last report, and this SM is as up to date as its peers. */
    boolean isSettled() {
        return there().stream().allMatch(peer -> !peer.isMaster && peer.awaited.isEmpty());
    }

    private List<Peer> there() {
        return peers.values().stream().filter(peer -> peer.isThere).toList();
    }
}
