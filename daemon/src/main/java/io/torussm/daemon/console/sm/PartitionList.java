package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.PortFacts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.TextTable;
import io.torussm.daemon.console.answer.VPortText;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.sa.Rates;
import io.torussm.mad.smp.PortInfo;
import io.torussm.partition.Membership;
import io.torussm.partition.PKeys;
import io.torussm.partition.PartitionConf.Partition;
import io.torussm.partition.PortKeys;
import io.torussm.partition.RunTimePartition;
import io.torussm.partition.WellKnownGroup;
import io.torussm.view.PublishedView;
import io.torussm.vport.VPortTable;
import io.torussm.vport.VirtualPort;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The partitions of a published subnet. */
final class PartitionList {
    private static final int MAX_NAME = 64;

    private final PublishedView view;
    private final Fabric fabric;
    private final VPortTable vports;

    /** The parameters of a broadcast group. */
    private record Ipoib(int mtu, double gbps) {
        private static Ipoib of(WellKnownGroup group) {
            return new Ipoib(PortInfo.mtuBytes(group.mtu()), Rates.gigabits(group.rate()));
        }

        @Override
        public String toString() {
            return mtu + " bytes, "
                    + BigDecimal.valueOf(gbps).stripTrailingZeros().toPlainString() + " Gb/s";
        }
    }

    /**
     * @param added number of run-time members, including those outside the fabric
     * @param ipoib broadcast groups, one for each scope
     */
    private record Line(String pKey, int full, int limited, int added, List<Ipoib> ipoib, String name) {}

    private record All(String file, String enforcement, List<Line> partitions) implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add("from " + file + ", enforcement " + enforcement);
            TextTable table = new TextTable("P_Key", "full", "limited", "added", "IPoIB", "name");
            partitions.forEach(each ->
                    table.row(each.pKey(), each.full(), each.limited(), each.added(), text(each.ipoib()), each.name()));
            lines.addAll(table.lines());
            return lines;
        }
    }

    /**
     * @param pKey P_Key as it was added, if the port is not in the fabric
     * @param index index in the P_Key table; null if the port is not in the fabric, or is a virtual port whose P_Keys
     *     are not managed
     * @param lid LID of the port, or of the physical port of a virtual port; null if the port is not in the fabric
     * @param description VNodeDescription of a virtual port; null for others, or if it is unknown
     */
    private record Member(
            String pKey,
            @Nullable Integer index,
            @Nullable Integer lid,
            String portGuid,
            String source,
            String name,
            @Nullable String description) {}

    private record Members(String partition, List<Member> members) implements Facts {
        @Override
        public List<String> lines() {
            TextTable table = new TextTable("P_Key", "index", "LID", "port GUID", "source", "name");
            members.forEach(each -> table.row(
                    each.pKey(),
                    each.index() == null ? "-" : each.index(),
                    each.lid() == null ? "-" : each.lid(),
                    each.portGuid(),
                    each.source(),
                    each.name() + (each.description() == null ? "" : VPortText.quoted(each.description()))));
            return table.lines();
        }
    }

    /** @param vports virtual ports, which are members of their own beside their physical ports */
    PartitionList(PublishedView view, VPortTable vports) {
        this.view = view;
        this.fabric = view.subnet().fabric();
        this.vports = vports;
    }

    /** Returns the MTU and rate of the broadcast groups of a partition. */
    private List<Ipoib> ipoib(int pKey) {
        return view.partitions().settings().conf().groups().stream()
                .filter(group -> group.isBroadcast() && PKeys.base(group.pKey()) == pKey)
                .map(Ipoib::of)
                .distinct()
                .toList();
    }

    private static String text(List<Ipoib> groups) {
        return groups.isEmpty() ? "-" : groups.stream().map(Ipoib::toString).collect(Collectors.joining("; "));
    }

    /** Returns P_Key, members, IPoIB and name of each partition. */
    Facts all() {
        int[] full = new int[PKeys.BASE + 1];
        int[] limited = new int[PKeys.BASE + 1];
        for (int port = 0; port < fabric.portCount(); port++) {
            view.partitions().keys(port).stream().forEach(pKey -> {
                if (PKeys.isFull(pKey)) {
                    full[PKeys.base(pKey)]++;
                } else {
                    limited[PKeys.base(pKey)]++;
                }
            });
        }
        return new All(
                Printable.text(view.partitions().settings().conf().file(), 200),
                view.partitions().settings().enforcement().name().toLowerCase(Locale.ROOT),
                partitions().stream()
                        .map(each -> new Line(
                                PKeys.format(each.pKey()),
                                full[each.pKey()],
                                limited[each.pKey()],
                                each.runTimeMembers().size(),
                                ipoib(each.pKey()),
                                Printable.text(each.name(), MAX_NAME)))
                        .toList());
    }

    /** Returns the members of a partition, named by its name or its P_Key. */
    Answer members(String name) {
        Partition partition = find(name);
        if (partition == null) {
            return Answer.refusal("there is no partition \"" + Printable.text(name, MAX_NAME) + "\"; see partitions");
        }
        List<Member> members = new ArrayList<>();
        Set<Long> absent = new TreeSet<>(partition.runTimeMembers().keySet());
        for (int port = 0; port < fabric.portCount(); port++) {
            absent.remove(fabric.isEndport(port) ? fabric.portGuid(port) : 0);
            addMembers(
                    members,
                    partition,
                    view.partitions().keys(port),
                    port,
                    fabric.portGuid(port),
                    PortFacts.name(fabric, fabric.nodeOf(port)),
                    null);
            if (fabric.isEndport(port)) {
                addVPorts(members, partition, port, absent);
            }
        }
        absent.forEach(guid -> members.add(absentMember(partition, guid)));
        return Answer.of(new Members(Printable.text(partition.name(), MAX_NAME), members));
    }

    private void addMembers(
            List<Member> members,
            Partition partition,
            PortKeys keys,
            int port,
            long guid,
            String name,
            @Nullable String description) {
        for (int index = 0; index < keys.length(); index++) {
            if (PKeys.base(keys.at(index)) == partition.pKey()) {
                members.add(new Member(
                        PKeys.format(keys.at(index)),
                        index,
                        view.subnet().lid(port),
                        Guid.format(guid),
                        source(partition, guid),
                        name,
                        description));
            }
        }
    }

    /**
     * Adds the virtual ports of an end port. A virtual port whose P_Keys are not managed is listed if it was added at
     * run time.
     */
    private void addVPorts(List<Member> members, Partition partition, int port, Set<Long> absent) {
        for (VirtualPort vport : vports.of(fabric.portGuid(port))) {
            if (vport.index() == 0 || vport.guid() == fabric.portGuid(port)) {
                continue;
            }
            String name = PortFacts.name(fabric, fabric.nodeOf(port)) + " vport " + vport.index();
            boolean isAdded = absent.remove(vport.guid());
            PortKeys keys = vport.keys();
            if (keys != null) {
                addMembers(members, partition, keys, port, vport.guid(), name, description(vport));
            } else if (isAdded) {
                members.add(unmanagedMember(partition, vport, port, name));
            }
        }
    }

    private Member unmanagedMember(Partition partition, VirtualPort vport, int port, String name) {
        return new Member(
                absentMember(partition, vport.guid()).pKey(),
                null,
                view.subnet().lid(port),
                Guid.format(vport.guid()),
                source(partition, vport.guid()),
                name + ", P_Keys not managed",
                description(vport));
    }

    private static @Nullable String description(VirtualPort vport) {
        return vport.name().isEmpty() ? null : vport.name();
    }

    /** Returns the source of a membership: the file, even if the port was also added at run time. */
    private static String source(Partition partition, long guid) {
        return partition.runTimeMembers().containsKey(guid) && partition.ruleFor(guid) == null ? "run time" : "file";
    }

    private static Member absentMember(Partition partition, long guid) {
        RunTimePartition.Member added = partition.runTimeMembers().get(guid);
        boolean isLimited = added != null && added.membership() == Membership.LIMITED;
        return new Member(
                PKeys.format(isLimited ? partition.pKey() : partition.pKey() | PKeys.FULL),
                null,
                null,
                Guid.format(guid),
                source(partition, guid),
                "not in the fabric",
                null);
    }

    private @Nullable Partition find(String name) {
        return view.partitions().settings().conf().find(pKey(view, name));
    }

    /**
     * Parses a P_Key: the name of an existing partition, or a number such as {@code 0x10}. Returns its 15 bits without
     * the membership bit; 0 if the text is invalid.
     */
    static int pKey(PublishedView view, String text) {
        for (Partition each : view.partitions().settings().conf().partitions()) {
            if (!each.name().isEmpty() && each.name().equals(text)) {
                return each.pKey();
            }
        }
        return text.matches("0x[0-9a-fA-F]{1,4}") ? PKeys.base(Integer.parseInt(text.substring(2), 16)) : 0;
    }

    private List<Partition> partitions() {
        return view.partitions().settings().conf().partitions();
    }
}
