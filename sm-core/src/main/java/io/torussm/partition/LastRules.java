package io.torussm.partition;

import io.torussm.mad.smp.NodeInfo;
import io.torussm.partition.PartitionConf.Partition;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntConsumer;
import java.util.function.LongToIntFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The effective rules of a partition: the last for each class of ports and for each port. */
final class LastRules {
    private static final int NONE = -1;

    private final Partition partition;
    private final Map<Long, Integer> byGuid = new HashMap<>();
    private final int[] byNodeType = {NONE, NONE, NONE, NONE};
    private int self = NONE;

    LastRules(Partition partition) {
        this.partition = partition;
        partition.runTimeMembers().keySet().forEach(guid -> byGuid.put(guid, NONE));
        for (int i = 0; i < partition.rules().size(); i++) {
            PartitionConf.Rule rule = partition.rules().get(i);
            switch (rule.memberClass()) {
                case ALL -> Arrays.fill(byNodeType, i);
                case ALL_CAS -> byNodeType[NodeInfo.CHANNEL_ADAPTER] = i;
                case ALL_SWITCHES -> byNodeType[NodeInfo.SWITCH] = i;
                case ALL_ROUTERS -> byNodeType[NodeInfo.ROUTER] = i;
                case SELF -> self = i;
                case PORT -> byGuid.put(rule.portGuid(), i);
            }
        }
    }

    Partition partition() {
        return partition;
    }

    /** Checks whether it has rules for classes of ports. */
    boolean hasClasses() {
        return Arrays.stream(byNodeType).anyMatch(i -> i != NONE);
    }

    /** Returns the GUIDs that it names. */
    Set<Long> guids() {
        return byGuid.keySet();
    }

    /**
     * Checks whether the rules give full membership to two ports. Ports count whether they are present or not. So a
     * class of ports counts as two.
     *
     * @param smPortGuid GUID of the port of the SM
     * @param nodeTypeOf type of the node of a port GUID; 0 for an absent port, to which rules for all ports apply
     */
    boolean hasTwoFullMembers(long smPortGuid, LongToIntFunction nodeTypeOf) {
        boolean isFullClass = IntStream.of(NodeInfo.CHANNEL_ADAPTER, NodeInfo.SWITCH, NodeInfo.ROUTER)
                .map(nodeType -> byNodeType[nodeType])
                .anyMatch(i -> i != NONE && partition.rules().get(i).membership() != Membership.LIMITED);
        Set<Long> guids = new HashSet<>(byGuid.keySet());
        guids.add(smPortGuid);
        return isFullClass
                || guids.stream()
                                .filter(guid -> isFull(nodeTypeOf.applyAsInt(guid), guid, guid == smPortGuid))
                                .limit(2)
                                .count()
                        == 2;
    }

    private boolean isFull(int nodeType, long portGuid, boolean isSelf) {
        IntStream.Builder pKeys = IntStream.builder();
        addTo(pKeys, nodeType, portGuid, isSelf, false);
        return pKeys.build().anyMatch(PKeys::isFull);
    }

    private int decisive(int nodeType, long portGuid, boolean isSelf) {
        int decisive = nodeType < byNodeType.length ? byNodeType[nodeType] : NONE;
        decisive = Math.max(decisive, byGuid.getOrDefault(portGuid, NONE));
        return isSelf ? Math.max(decisive, self) : decisive;
    }

    /**
     * Adds the P_Keys of a port: none, one, or two, the first with full membership.
     *
     * @param isSelf whether it is the port of the SM
     * @param allowsBoth whether a port may have two
     * @return true if the partition wants index 0 of the port
     */
    boolean addTo(IntConsumer pKeys, int nodeType, long portGuid, boolean isSelf, boolean allowsBoth) {
        int decisive = decisive(nodeType, portGuid, isSelf);
        PartitionConf.Rule rule = decisive < 0 ? null : partition.rules().get(decisive);
        boolean isNamed = rule != null && rule.memberClass() == PartitionConf.MemberClass.PORT;
        RunTimePartition.Member added =
                isNamed ? null : partition.runTimeMembers().get(portGuid);
        Membership membership = membership(rule, added);
        if (isSelf && partition.pKey() == PKeys.DEFAULT && membership != Membership.BOTH) {
            membership = Membership.FULL;
        }
        if (membership == null) {
            return false;
        }
        if (membership != Membership.LIMITED) {
            pKeys.accept(partition.pKey() | PKeys.FULL);
        }
        if (membership == Membership.LIMITED || (membership == Membership.BOTH && allowsBoth)) {
            pKeys.accept(partition.pKey());
        }
        return (rule != null && rule.isAtIndex0()) || (added != null && added.isAtIndex0());
    }

    private static @Nullable Membership membership(
            PartitionConf.@Nullable Rule rule, RunTimePartition.@Nullable Member added) {
        Membership membership = rule == null ? null : rule.membership();
        return added == null ? membership : membership == null ? added.membership() : membership.or(added.membership());
    }
}
