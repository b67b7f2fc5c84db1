package io.torussm.program.smp;

import io.torussm.transport.SmpRequest;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Requests in stripes: entry {@code i} of every device before entry {@code i + 1} of any. */
public final class RequestStripes extends LookaheadIterator<SmpRequest<?>> {
    private final int[] nodes;
    private final int entries;
    private final Entry source;
    private int entry;
    private int at;

    /** One entry of one device. */
    public interface Entry {
        /** Returns the request; null if there is none. */
        @Nullable
        SmpRequest<?> request(int node, int entry);
    }

    /** Creates stripes of the first nodes, by index. */
    public RequestStripes(int nodes, int entries, Entry source) {
        this(IntStream.range(0, nodes), entries, source);
    }

    /** Creates stripes of some devices only; entries of the others would cost time even without requests. */
    public RequestStripes(IntStream nodes, int entries, Entry source) {
        this.nodes = nodes.toArray();
        this.entries = entries;
        this.source = source;
    }

    @Override
    protected @Nullable SmpRequest<?> findNext() {
        for (; entry < entries; entry++) {
            while (at < nodes.length) {
                SmpRequest<?> request = source.request(nodes[at++], entry);
                if (request != null) {
                    return request;
                }
            }
            at = 0;
        }
        return null;
    }
}
