package io.torussm.paths;

import io.torussm.mad.MadStatus;
import io.torussm.sa.query.QueryReply;
import io.torussm.sa.query.RecordTable;

/**
 * The enumeration of the paths of all pairs of a source and a destination, pair by pair. Source, destination or both
 * may be open, so that all ports are tried.
 */
final class AllPaths implements QueryReply.Walk {
    /** The list of ports of an end that is not open. */
    private static final int[] FIXED_END = {};

    private final PathSearch search;
    private final int source;
    private final int destination;
    private final int[] sources;
    private final int[] destinations;

    /** Index in {@link #sources} of the present pair. */
    private int from;

    /** Index in {@link #destinations} of the present pair. */
    private int to;

    /** Number of paths of the present pair that earlier parts of the table contain. */
    private int earlierPaths;

    /** Creates an enumeration; each end is a port index, or {@link PathSearch#ANY}. */
    AllPaths(PathSearch search, int source, int destination) {
        this.search = search;
        this.source = source;
        this.destination = destination;
        this.sources = source == PathSearch.ANY ? search.ends() : FIXED_END;
        this.destinations = destination == PathSearch.ANY ? search.ends() : FIXED_END;
    }

    @Override
    public int appendNext(RecordTable records) {
        int fromEnd = source == PathSearch.ANY ? sources.length : 1;
        int toEnd = destination == PathSearch.ANY ? destinations.length : 1;
        for (; from < fromEnd; from++, to = 0) {
            for (; to < toEnd; to++, earlierPaths = 0) {
                int before = records.count();
                records.skip(earlierPaths);
                search.addPair(
                        source == PathSearch.ANY ? sources[from] : source,
                        destination == PathSearch.ANY ? destinations[to] : destination,
                        records);
                if (search.isGivenUp()) {
                    return MadStatus.SA_NO_RESOURCES;
                }
                if (search.isOver(records)) {
                    earlierPaths += records.count() - before;
                    return MadStatus.OK;
                }
            }
        }
        return MadStatus.OK;
    }
}
