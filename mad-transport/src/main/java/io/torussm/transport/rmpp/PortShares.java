package io.torussm.transport.rmpp;

import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Places and bytes that are shared by ports. A port may have as many as remain free for others, so that one port cannot
 * take all. A port with LMC has several LIDs and is identified by its base LID. Not thread-safe.
 *
 * @param <T> items that take a place and bytes, compared by identity
 */
final class PortShares<T> {
    private final int maxPlaces;
    private final long maxBytes;

    /** The share of each base LID with items. */
    private final Map<Integer, Share<T>> shares = new HashMap<>();

    /** The share of each item. It is stored because the base LID of a port may change while the item has a place. */
    private final Map<T, Share<T>> holders = new HashMap<>();

    /** The bytes of all items. */
    private long bytes;

    /** The items of one port with their bytes, the oldest first. */
    private static final class Share<T> {
        final int port;
        final Map<T, Long> items = new LinkedHashMap<>();
        long bytes;

        Share(int port) {
            this.port = port;
        }
    }

    /**
     * Creates empty shares.
     *
     * @param maxPlaces number of items of all ports
     * @param maxBytes bytes of all items
     */
    PortShares(int maxPlaces, long maxBytes) {
        this.maxPlaces = maxPlaces;
        this.maxBytes = maxBytes;
    }

    /** Returns the bytes of all items. */
    long bytes() {
        return bytes;
    }

    /** Checks whether all places are taken. */
    boolean isFull() {
        return holders.size() >= maxPlaces;
    }

    /** Checks whether a port may add an item: the free places must exceed the places of the port. */
    boolean hasPlace(int port) {
        return maxPlaces - holders.size() > items(port).size();
    }

    /**
     * Checks whether a port may add bytes: the bytes left free must be no fewer than the bytes of the port would be.
     *
     * @param port base LID
     * @param more additional bytes
     */
    boolean hasBytes(int port, long more) {
        Share<T> share = shares.get(port);
        return maxBytes - bytes - more >= (share == null ? 0 : share.bytes) + more;
    }

    /** Returns the items of a port, the oldest first; a view that changes with the shares. */
    Set<T> items(int port) {
        Share<T> share = shares.get(port);
        return share == null ? Set.of() : Collections.unmodifiableSet(share.items.keySet());
    }

    /**
     * Returns the oldest item of the port with the largest number of items; null if no port has items. The time is
     * linear in the number of ports.
     */
    @Nullable
    T oldestOfLargest() {
        Share<T> largest = null;
        for (Share<T> share : shares.values()) {
            largest = largest == null || share.items.size() > largest.items.size() ? share : largest;
        }
        return largest == null ? null : largest.items.keySet().iterator().next();
    }

    /** Adds an item to the share of a port. */
    void add(int port, T item, long size) {
        Share<T> share = shares.computeIfAbsent(port, Share::new);
        share.items.put(item, 0L);
        holders.put(item, share);
        grow(item, size);
    }

    /** Adds bytes to an item. An item without a place is ignored. */
    void grow(T item, long more) {
        Share<T> share = holders.get(item);
        if (share != null) {
            share.items.merge(item, more, Long::sum);
            share.bytes += more;
            bytes += more;
        }
    }

    /** Removes an item with its bytes. Returns false if the item has no place. */
    boolean remove(T item) {
        Share<T> share = holders.remove(item);
        if (share == null) {
            return false;
        }
        long size = share.items.remove(item);
        share.bytes -= size;
        bytes -= size;
        if (share.items.isEmpty()) {
            shares.remove(share.port);
        }
        return true;
    }
}
