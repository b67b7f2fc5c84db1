package io.torussm.program.smp;

import io.torussm.transport.SmpRequest;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An iterator of requests in stripes: entry {@code i} of every device before entry {@code i + 1} of any device. So the
 * window of the client is full although each device receives only a few requests simultaneously.
 */
public final class RequestStripes extends LookaheadIterator<SmpRequest<?>> {
    private final int[] nodes;
    private final int entries;
    private final Entry source;
    private int entry;
    private int position;

    /** A source of the requests for entries of devices. */
    public interface Entry {
        /** Returns the request for an entry (0 to entries - 1) of a node; null to skip the entry. */
        @Nullable
        SmpRequest<?> request(int node, int entry);
    }

    /** Creates stripes of the nodes with indexes 0 to {@code nodes - 1}. */
    public RequestStripes(int nodes, int entries, Entry source) {
        this(IntStream.range(0, nodes), entries, source);
    }

    /**
     * Creates stripes of some devices only, because entries of other devices would cost time even without requests.
     *
     * @param nodes node indexes
     * @param entries number of entries of each node
     */
    public RequestStripes(IntStream nodes, int entries, Entry source) {
        this.nodes = nodes.toArray();
        this.entries = entries;
        this.source = source;
    }

    @Override
    protected @Nullable SmpRequest<?> findNext() {
        for (; entry < entries; entry++) {
            while (position < nodes.length) {
                SmpRequest<?> request = source.request(nodes[position++], entry);
                if (request != null) {
                    return request;
                }
            }
            position = 0;
        }
        return null;
    }
}
