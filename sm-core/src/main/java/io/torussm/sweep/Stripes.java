package io.torussm.sweep;

import io.torussm.transport.SmpRequest;
import org.jspecify.annotations.Nullable;

/** Requests in stripes: entry {@code i} of every device before entry {@code i + 1} of any. */
final class Stripes extends Lookahead<SmpRequest<?>> {
    private final int nodes;
    private final int entries;
    private final Entry source;
    private int entry;
    private int node;

    /** One entry of one device. */
    interface Entry {
        /** The request; null if there is nothing to ask or to write. */
        @Nullable
        SmpRequest<?> request(int node, int entry);
    }

    Stripes(int nodes, int entries, Entry source) {
        this.nodes = nodes;
        this.entries = entries;
        this.source = source;
    }

    @Override
    protected @Nullable SmpRequest<?> findNext() {
        for (; entry < entries; entry++) {
            while (node < nodes) {
                SmpRequest<?> request = source.request(node++, entry);
                if (request != null) {
                    return request;
                }
            }
            node = 0;
        }
        return null;
    }
}
