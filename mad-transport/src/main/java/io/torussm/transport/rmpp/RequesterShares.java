package io.torussm.transport.rmpp;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The open tables of each requester, which is a port: with LMC it has several LIDs. It has at most as many tables and
 * bytes as remain free for others. Not thread-safe.
 */
final class RequesterShares {
    private final int maxOpen;
    private final long maxBytes;

    /** By base LID; only requesters with open tables. */
    private final Map<Integer, Share> shares = new HashMap<>();

    /** By open table: the LID of a port may change meanwhile. */
    private final Map<RmppTransfer, Share> holders = new HashMap<>();

    private long bytes;

    /** The tables of one requester, the oldest first. */
    private static final class Share {
        final int owner;
        final Set<RmppTransfer> transfers = new LinkedHashSet<>();
        long bytes;

        Share(int owner) {
            this.owner = owner;
        }
    }

    /** Creates empty shares of this number of tables, and of bytes. */
    RequesterShares(int maxOpen, long maxBytes) {
        this.maxOpen = maxOpen;
        this.maxBytes = maxBytes;
    }

    /** Returns the bytes of all open tables. */
    long bytes() {
        return bytes;
    }

    /** Checks whether a requester may have one more table, of this number of bytes. */
    boolean hasRoom(int owner, long more) {
        Share share = shares.get(owner);
        long freeBytes = maxBytes - bytes - more;
        return share == null
                ? holders.size() < maxOpen && freeBytes >= more
                : maxOpen - holders.size() > share.transfers.size() && freeBytes >= share.bytes + more;
    }

    /** Returns the oldest table of a requester that was never acknowledged; null if there is none. */
    @Nullable
    RmppTransfer oldestUnacknowledged(int owner) {
        Share share = shares.get(owner);
        return share == null
                ? null
                : share.transfers.stream()
                        .filter(transfer -> !transfer.heard)
                        .findFirst()
                        .orElse(null);
    }

    /** Adds a table to the share of its owner. */
    void add(int owner, RmppTransfer transfer) {
        Share share = shares.computeIfAbsent(owner, Share::new);
        share.transfers.add(transfer);
        share.bytes += transfer.bytes;
        bytes += transfer.bytes;
        holders.put(transfer, share);
    }

    /** Removes a table; returns false if it was removed before. */
    boolean remove(RmppTransfer transfer) {
        Share share = holders.remove(transfer);
        if (share == null) {
            return false;
        }
        share.transfers.remove(transfer);
        share.bytes -= transfer.bytes;
        bytes -= transfer.bytes;
        if (share.transfers.isEmpty()) {
            shares.remove(share.owner);
        }
        return true;
    }
}
