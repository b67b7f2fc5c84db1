package io.torussm.history;

import io.torussm.routing.RingState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How two states of the subnet differ.
 *
 * @param nodes that are only in one of them, or are called or placed otherwise
 * @param cables that are only in one of them
 * @param links that have another width or speed
 * @param lids of end ports that are in both
 * @param tables of switches that are in both, those with the most changes first
 * @param sls of paths that changed, by switch of the source and LID of the destination; of paths that are in both
 * @param sl2vl nodes whose SL2VL tables changed, between ports that are linked in both; 0 with QoS off
 * @param rings of the torus
 * @param begun conditions that only hold after it
 * @param ended conditions that only held before
 */
public record StateDifference(
        Change before,
        Change after,
        List<NodeChange> nodes,
        List<CableChange> cables,
        List<LinkChange> links,
        List<LidChange> lids,
        List<TableChange> tables,
        int sls,
        int sl2vl,
        List<RingChange> rings,
        List<String> begun,
        List<String> ended) {
    public StateDifference {
        nodes = List.copyOf(nodes);
        cables = List.copyOf(cables);
        links = List.copyOf(links);
        lids = List.copyOf(lids);
        tables = List.copyOf(tables);
        rings = List.copyOf(rings);
        begun = List.copyOf(begun);
        ended = List.copyOf(ended);
    }

    /** What became of something. */
    public enum Kind {
        ADDED,
        REMOVED,
        CHANGED
    }

    /**
     * A node.
     *
     * @param name with its place
     * @param was the name and place before; empty if they are the same
     */
    public record NodeChange(Kind kind, String guid, String name, String was) {}

    /** A cable; its ends as device, place and port. */
    public record CableChange(Kind kind, String near, String far) {}

    /** A port whose link trained otherwise, such as {@code 4x 25} before and {@code 4x 10} after. */
    public record LinkChange(String port, String before, String after) {}

    /** An end port with another LID; 0 stands for none. */
    public record LidChange(String port, int before, int after) {}

    /**
     * A forwarding table.
     *
     * @param name of the switch with its place
     * @param entries that changed
     * @param first some of those
     */
    public record TableChange(String guid, String name, int entries, List<EntryChange> first) {
        public TableChange {
            first = List.copyOf(first);
        }
    }

    /** The port for a LID, 255 for none. */
    public record EntryChange(int lid, int before, int after) {}

    /** A ring; null where the torus did not have it. */
    public record RingChange(
            String name,
            @Nullable RingState before,
            @Nullable RingState after,
            List<String> causes) {
        public RingChange {
            causes = List.copyOf(causes);
        }
    }

    /** Entries of forwarding tables that changed. */
    public int entries() {
        return tables.stream().mapToInt(TableChange::entries).sum();
    }

    /** Whether nothing differs. */
    public boolean isNone() {
        return nodes.isEmpty()
                && cables.isEmpty()
                && links.isEmpty()
                && lids.isEmpty()
                && tables.isEmpty()
                && sls == 0
                && sl2vl == 0
                && rings.isEmpty()
                && begun.isEmpty()
                && ended.isEmpty()
                && before.routing() == after.routing()
                && before.engine().equals(after.engine());
    }
}
