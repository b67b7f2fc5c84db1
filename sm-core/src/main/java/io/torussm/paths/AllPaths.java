package io.torussm.paths;

import io.torussm.mad.MadStatus;
import io.torussm.sa.query.QueryReply;
import io.torussm.sa.query.RecordTable;

/**
 * The walk over the paths of all pairs of a source and a destination, either of which may be open: pair by
 * pair, and within a pair path by path.
 */
final class AllPaths implements QueryReply.Walk {
    /** The mark of an end that is one given port. */
    private static final int[] NAMED = {};

    private final PathSearch search;
    private final int source;
    private final int destination;
    private final int[] sources;
    private final int[] destinations;
    private int from;
    private int to;

    /** Number of paths of the pair that earlier parts contain. */
    private int given;

    /** Begins a walk; each end is a port, or {@link PathSearch#ANY}. */
    AllPaths(PathSearch search, int source, int destination) {
        this.search = search;
        this.source = source;
        this.destination = destination;
        this.sources = source == PathSearch.ANY ? search.ends() : NAMED;
        this.destinations = destination == PathSearch.ANY ? search.ends() : NAMED;
    }

    @Override
    public int go(RecordTable records) {
        int fromEnd = source == PathSearch.ANY ? sources.length : 1;
        int toEnd = destination == PathSearch.ANY ? destinations.length : 1;
        for (; from < fromEnd; from++, to = 0) {
            for (; to < toEnd; to++, given = 0) {
                int before = records.count();
                records.skip(given);
                search.pair(
                        source == PathSearch.ANY ? sources[from] : source,
                        destination == PathSearch.ANY ? destinations[to] : destination,
                        records);
                if (search.isGivenUp()) {
                    return MadStatus.SA_NO_RESOURCES;
                }
                if (search.isOver(records)) {
                    given += records.count() - before;
                    return MadStatus.OK;
                }
            }
        }
        return MadStatus.OK;
    }
}
