package io.torussm.daemon.replica;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last reports of the peers, with the versions of files that this SM still expects from each peer. Without clock
 * and I/O. Owner thread: {@code sm}.
 */
final class PeerStates {
    /** Max number of stored peers, above the possible number. A further peer replaces the oldest disconnected one. */
    private static final int MAX_PEERS = 64;

    /** Peers by name. */
    private final Map<String, Peer> peers = new LinkedHashMap<>();

    /** The state of a peer. */
    private static final class Peer {
        /** True if the peer is connected. */
        private boolean isConnected = true;

        /** True if the peer has reported its versions since it is connected. */
        private boolean hasReported;

        private boolean isMaster;

        /**
         * True if the peer has reported its versions since it was last master. Its newer versions may be copies from
         * this SM.
         */
        private boolean hasReportedAsStandby;

        /** Expected versions by name of the file: those that the peer has reported and that this SM lacks. */
        private final Map<String, FileVersion> expectedVersions = new HashMap<>();
    }

    /** The condition for the versions of a peer that this SM needs. */
    interface VersionFilter {
        /**
         * Checks whether this SM needs a version of a file.
         *
         * @param isMet true if the version may be a copy from this SM
         */
        boolean test(String file, FileVersion version, boolean isMet);
    }

    /** Notes that a peer is connected. It has not reported its versions yet. */
    void joined(String name) {
        Peer peer = peer(name);
        peer.isConnected = true;
        peer.hasReported = false;
    }

    /** Notes that a peer is disconnected. No operation waits for it any more. */
    void left(String name) {
        Peer peer = peers.get(name);
        if (peer != null) {
            peer.isConnected = false;
            peer.isMaster = false;
            peer.expectedVersions.clear();
        }
    }

    private Peer peer(String name) {
        Peer known = peers.get(name);
        if (known == null) {
            if (peers.size() == MAX_PEERS) {
                String dropped = peers.entrySet().stream()
                        .filter(entry -> !entry.getValue().isConnected)
                        .map(Map.Entry::getKey)
                        .findFirst()
                        .orElse(peers.keySet().iterator().next());
                peers.remove(dropped);
            }
            known = new Peer();
            peers.put(name, known);
        }
        return known;
    }

    /**
     * Stores the report of a peer.
     *
     * @param isMaster true if the peer is master
     * @param versions versions of the peer by name of the file
     * @param wanted condition for the versions that this SM expects from the peer
     */
    void storeReport(String name, boolean isMaster, Map<String, FileVersion> versions, VersionFilter wanted) {
        boolean isMet = hasReportedAsStandby(name);
        Peer peer = peer(name);
        peer.hasReported = true;
        peer.isMaster = isMaster;
        peer.hasReportedAsStandby = !isMaster;
        peer.expectedVersions.clear();
        versions.forEach((file, version) -> {
            if (wanted.test(file, version, isMet)) {
                peer.expectedVersions.put(file, version);
            }
        });
    }

    /**
     * Notes that this SM becomes master. It expects no versions from another master until that SM is not master any
     * more.
     */
    void begin() {
        peers.values().stream().filter(peer -> peer.isMaster).forEach(peer -> peer.expectedVersions.clear());
    }

    /** Notes the version of a file that this SM has. The SM does not expect this or an older version any more. */
    void markStored(String file, FileVersion version) {
        peers.values()
                .forEach(peer -> peer.expectedVersions.computeIfPresent(
                        file, (name, awaited) -> awaited.isNewerThan(version) ? awaited : null));
    }

    /** Checks whether a peer has reported its versions since it was last master. */
    boolean hasReportedAsStandby(String name) {
        Peer peer = peers.get(name);
        return peer != null && peer.hasReportedAsStandby;
    }

    /** Checks whether the last report of a peer says that it is master. */
    boolean isMaster(String name) {
        Peer peer = peers.get(name);
        return peer != null && peer.isMaster;
    }

    /** Checks whether this SM expects a version of a file from a peer. */
    boolean isExpected(String name, String file) {
        Peer peer = peers.get(name);
        return peer != null && peer.expectedVersions.containsKey(file);
    }

    /** Checks whether a connected peer has not reported its versions yet. */
    boolean isAnyReportMissing() {
        return connected().stream().anyMatch(peer -> !peer.hasReported);
    }

    /**
     * Checks whether this SM has the newest files before its start: the files of the master, or the newest files of
     * all peers if no peer is master.
     *
     * @param configured number of configured peers
     */
    boolean hasNewestFiles(int configured) {
        long heard = connected().stream().filter(peer -> peer.hasReported).count();
        boolean hasCopyOfMaster =
                connected().stream().anyMatch(peer -> peer.isMaster && peer.expectedVersions.isEmpty());
        return hasCopyOfMaster
                || (heard >= configured && connected().stream().allMatch(peer -> peer.expectedVersions.isEmpty()));
    }

    /** Checks whether no connected peer is master, and this SM expects no version from any of them. */
    boolean isSettled() {
        return connected().stream().allMatch(peer -> !peer.isMaster && peer.expectedVersions.isEmpty());
    }

    private List<Peer> connected() {
        return peers.values().stream().filter(peer -> peer.isConnected).toList();
    }
}
