package io.torussm.history;

import io.torussm.routing.RingState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The difference between two states of the subnet.
 *
 * @param nodes nodes that are only in one of them, or have another name or coordinates
 * @param cables cables that are only in one of them
 * @param links links that have another width or speed
 * @param lids LIDs of end ports that are in both
 * @param tables tables of switches that are in both, those with the most changes first
 * @param sls number of changed SLs of paths in both, by switch of the source and LID of the destination
 * @param sl2vl number of nodes whose SL2VL tables changed, between ports that are linked in both; 0 with QoS
 * off
 * @param rings rings of the torus
 * @param begun conditions that are open only after it
 * @param ended conditions that were open only before
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

    /** The type of a difference. */
    public enum ChangeType {
        ADDED,
        REMOVED,
        CHANGED
    }

    /**
     * The difference of a node.
     *
     * @param name name with its coordinates
     * @param was the previous name and coordinates; empty if they are the same
     */
    public record NodeChange(ChangeType kind, String guid, String name, String was) {}

    /** The difference of a cable; its ends as device, coordinates and port. */
    public record CableChange(ChangeType kind, String near, String far) {}

    /**
     * A port whose link has another width or speed, such as {@code 4x 25} before and {@code 4x 10} after.
     */
    public record LinkChange(String port, String before, String after) {}

    /** An end port with another LID; 0 stands for none. */
    public record LidChange(String port, int before, int after) {}

    /**
     * The difference of a forwarding table.
     *
     * @param name name of the switch with its coordinates
     * @param entries number of changed entries
     * @param first some of the changed entries
     */
    public record TableChange(String guid, String name, int entries, List<EntryChange> first) {
        public TableChange {
            first = List.copyOf(first);
        }
    }

    /** The difference of an entry: egress ports for a LID, 255 for none. */
    public record EntryChange(int lid, int before, int after) {}

    /** The difference of a ring; a state is null where the torus did not have the ring. */
    public record RingChange(
            String name,
            @Nullable RingState before,
            @Nullable RingState after,
            List<String> causes) {
        public RingChange {
            causes = List.copyOf(causes);
        }
    }

    /** Returns the number of changed entries of forwarding tables. */
    public int entries() {
        return tables.stream().mapToInt(TableChange::entries).sum();
    }

    /** Checks whether there is no difference. */
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
