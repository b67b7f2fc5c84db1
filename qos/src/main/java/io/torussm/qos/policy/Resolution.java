package io.torussm.qos.policy;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.partition.PKeys;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionPlan;
import io.torussm.qos.policy.PolicyOnSubnet.PortRule;
import io.torussm.qos.policy.PolicyPortGroup.NamedPartition;
import io.torussm.qos.policy.PolicyPortGroup.NamedPort;
import io.torussm.qos.policy.PolicyPortGroup.NodeKind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The search for the ports of a policy in one fabric, whose result is a {@link PolicyOnSubnet}. An instance is used
 * once.
 */
final class Resolution {
    private static final int MAX_FINDINGS = 20;

    private final QosPolicy policy;
    private final Fabric fabric;
    private final PartitionPlan partitions;
    private final int[] endports;

    /** Port index by PortGUID. */
    private final NavigableMap<Long, Integer> portByGuid = new TreeMap<>(Long::compareUnsigned);

    /** Node indexes by displayed name: the name of the operator, else the NodeDescription, as in OpenSM. */
    private final Map<String, List<Integer>> nodesByName = new HashMap<>();

    private final Map<String, Integer> pKeyByPartition = new HashMap<>();

    /** The P_Keys of partitions, without the membership bit. */
    private final BitSet definedPKeys = new BitSet(PKeys.BASE + 1);

    /** The ports of searched groups. Rules that name one group share one object, so identity is enough. */
    private final IdentityHashMap<PolicyPortGroup, BitSet> portsByGroup = new IdentityHashMap<>();

    /** The findings, each once, because several lines may cause the same finding. */
    private final Set<Finding> findings = new LinkedHashSet<>();

    Resolution(QosPolicy policy, Fabric fabric, PartitionPlan partitions) {
        this.policy = policy;
        this.fabric = fabric;
        this.partitions = partitions;
        this.endports =
                IntStream.range(0, fabric.portCount()).filter(fabric::isEndport).toArray();
    }

    /**
     * Returns the policy with its ports.
     *
     * @param defaultLevel level of paths without a matching rule
     */
    PolicyOnSubnet resolve(QosLevel defaultLevel) {
        for (int port : endports) {
            portByGuid.put(fabric.portGuid(port), port);
        }
        for (int node = 0; node < fabric.nodeCount(); node++) {
            nodesByName
                    .computeIfAbsent(fabric.nodeName(node), name -> new ArrayList<>(1))
                    .add(node);
        }
        for (PartitionConf.Partition partition : partitions.settings().conf().partitions()) {
            definedPKeys.set(partition.pKey());
            pKeyByPartition.putIfAbsent(partition.name(), partition.pKey());
        }
        List<PortRule> rules = new ArrayList<>(policy.rules().size());
        for (MatchRule rule : policy.rules()) {
            checkPKeys(rule);
            rules.add(new PortRule(rule, union(rule.sources()), union(rule.destinations())));
        }
        return new PolicyOnSubnet(rules, defaultLevel, limitedFindings());
    }

    /**
     * Returns the findings, at most {@value #MAX_FINDINGS} and one more with the number of the others; errors come
     * first if some are omitted.
     */
    private List<Finding> limitedFindings() {
        List<Finding> shown = new ArrayList<>(findings);
        if (shown.size() > MAX_FINDINGS) {
            shown.sort((a, b) -> a.severity().compareTo(b.severity()));
            int omitted = shown.size() - MAX_FINDINGS;
            shown.subList(MAX_FINDINGS, shown.size()).clear();
            shown.add(SmEvent.QOS_POLICY_WARNING.finding(policy.file() + ": " + omitted + " more errors and warnings"));
        }
        return shown;
    }

    private void checkPKeys(MatchRule rule) {
        NumberRanges pKeys = rule.pKeys();
        for (int i = 0; i < pKeys.count(); i++) {
            int first = (int) pKeys.first(i);
            int last = (int) pKeys.last(i);
            int firstDefined = definedPKeys.nextSetBit(first);
            boolean isIpoib = rule.kind() == MatchRule.CriterionType.IPOIB;
            if (firstDefined < 0 || firstDefined > last) {
                String text =
                        "no partition has " + pKeyText(first, last) + "; define it in partitions.conf, or correct it";
                findings.add(
                        isIpoib
                                ? SmEvent.QOS_POLICY_ERROR.finding(linePrefix(rule.line(), "ipoib: " + text))
                                : SmEvent.QOS_POLICY_WARNING.finding(linePrefix(rule.line(), text)));
            } else if (isIpoib) {
                checkIpoib(rule, firstDefined, last);
            }
        }
    }

    /**
     * Checks whether the partitions of an IPoIB rule have two full members. Absent hosts count, because an absent host
     * is no error of a file.
     *
     * @param first lowest P_Key without the membership bit
     * @param last highest P_Key without the membership bit
     */
    private void checkIpoib(MatchRule rule, int first, int last) {
        long smPortGuid = fabric.portGuid(fabric.localPort());
        for (PartitionConf.Partition partition : partitions.settings().conf().partitions()) {
            if (partition.pKey() >= first
                    && partition.pKey() <= last
                    && !partition.hasTwoFullMembers(smPortGuid, this::nodeTypeOfGuid)) {
                findings.add(SmEvent.QOS_POLICY_ERROR.finding(linePrefix(
                        rule.line(),
                        "ipoib: partition " + partition.title()
                                + " has fewer than two full members, which IPoIB needs; give "
                                + "it more in partitions.conf, or remove this line")));
            }
        }
    }

    /** Returns the node type of a PortGUID as in NodeInfo; 0 for a PortGUID that the fabric lacks. */
    private int nodeTypeOfGuid(long portGuid) {
        Integer port = portByGuid.get(portGuid);
        return port == null ? 0 : nodeType(port);
    }

    private int nodeType(int port) {
        return fabric.node(fabric.nodeOf(port)).info().nodeType();
    }

    private static String pKeyText(int first, int last) {
        return "P_Key " + PKeys.format(first) + (first == last ? "" : " to " + PKeys.format(last));
    }

    /** Returns the ports of all groups; null, which is all ports, without groups. */
    private @Nullable BitSet union(List<PolicyPortGroup> groups) {
        if (groups.isEmpty()) {
            return null;
        }
        if (groups.size() == 1) {
            return ports(groups.get(0));
        }
        BitSet ports = new BitSet(fabric.portCount());
        groups.forEach(group -> ports.or(ports(group)));
        return ports;
    }

    private BitSet ports(PolicyPortGroup group) {
        BitSet previous = portsByGroup.get(group);
        if (previous != null) {
            return previous;
        }
        BitSet ports = new BitSet(fabric.portCount());
        for (int i = 0; i < group.guids().count(); i++) {
            portByGuid
                    .subMap(group.guids().first(i), true, group.guids().last(i), true)
                    .values()
                    .forEach(ports::set);
        }
        group.ports().forEach(port -> addPort(port, ports));
        addPartitions(group, ports);
        group.kinds().forEach(kind -> addKind(kind, ports));
        portsByGroup.put(group, ports);
        return ports;
    }

    /**
     * Adds a named port. Each port of a switch stands for port 0, because a switch has one port GUID. A node that the
     * fabric lacks is no finding, because it may be off; a port that a node lacks is a mistake.
     */
    private void addPort(NamedPort wanted, BitSet ports) {
        for (int node : nodesByName.getOrDefault(wanted.node(), List.of())) {
            int first = fabric.isSwitch(node) ? 0 : 1;
            if (wanted.portNum() < first || wanted.portNum() > fabric.numPorts(node)) {
                findings.add(SmEvent.QOS_POLICY_ERROR.finding(
                        linePrefix(wanted.line(), ""),
                        fabric.device(node),
                        " has no port " + wanted.portNum() + "; it has " + first + " to " + fabric.numPorts(node)));
            } else {
                int port = fabric.port(node, fabric.isSwitch(node) ? 0 : wanted.portNum());
                if (fabric.isEndport(port)) {
                    ports.set(port);
                }
            }
        }
    }

    private void addPartitions(PolicyPortGroup group, BitSet ports) {
        List<NumberRanges> wanted = new ArrayList<>();
        wanted.add(group.pKeys());
        for (NamedPartition named : group.partitions()) {
            Integer pKey = pKeyByPartition.get(named.name());
            if (pKey == null) {
                findings.add(SmEvent.QOS_POLICY_WARNING.finding(linePrefix(
                        named.line(),
                        "no partition is called \"" + named.name() + "\"; it adds no port to port-group \""
                                + group.name() + "\". Correct it, or define it in partitions.conf")));
            } else {
                wanted.add(NumberRanges.of(pKey, pKey));
            }
        }
        NumberRanges pKeys = NumberRanges.union(wanted);
        if (!pKeys.isEmpty()) {
            for (int port : endports) {
                if (partitions.keys(port).stream().anyMatch(pKey -> pKeys.contains(PKeys.base(pKey)))) {
                    ports.set(port);
                }
            }
        }
    }

    private void addKind(NodeKind kind, BitSet ports) {
        for (int port : endports) {
            int type = nodeType(port);
            boolean isMeant =
                    switch (kind) {
                        case CA -> type == NodeInfo.CHANNEL_ADAPTER;
                        case SWITCH -> type == NodeInfo.SWITCH;
                        case ROUTER -> type == NodeInfo.ROUTER;
                        case ALL -> true;
                        case SELF -> port == fabric.localPort();
                    };
            if (isMeant) {
                ports.set(port);
            }
        }
    }

    private String linePrefix(int line, String label) {
        return policy.file() + ":" + line + ": " + label;
    }
}
