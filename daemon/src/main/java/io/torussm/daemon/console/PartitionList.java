package io.torussm.daemon.console;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.sa.Rates;
import io.torussm.mad.smp.PortInfo;
import io.torussm.partition.PKeys;
import io.torussm.partition.PartitionConf.Partition;
import io.torussm.partition.PortKeys;
import io.torussm.partition.WellKnownGroup;
import io.torussm.view.PublishedView;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The partitions of a published subnet. */
final class PartitionList {
    private static final int MAX_NAME = 64;

    private final PublishedView view;
    private final Fabric fabric;

    /** Of a broadcast group. */
    private record Ipoib(int mtu, double gbps) {
        private static Ipoib of(WellKnownGroup group) {
            return new Ipoib(PortInfo.mtuBytes(group.mtu()), Rates.gigabits(group.rate()));
        }

        @Override
        public String toString() {
            return mtu + " bytes, " + BigDecimal.valueOf(gbps).stripTrailingZeros().toPlainString() + " Gb/s";
        }
    }

    /** Of broadcast groups there is one for each scope. */
    private record Line(String pKey, int full, int limited, List<Ipoib> ipoib, String name) {}

    private record All(String file, String enforcement, List<Line> partitions) implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add("from " + file + ", enforcement " + enforcement);
            TextTable table = new TextTable("P_Key", "full", "limited", "IPoIB", "name");
            partitions.forEach(each -> table.row(each.pKey(), each.full(), each.limited(), text(each.ipoib()), each.name()));
            lines.addAll(table.lines());
            return lines;
        }
    }

    private record Member(String pKey, int index, int lid, String portGuid, String name) {}

    private record Members(String partition, List<Member> members) implements Facts {
        @Override
        public List<String> lines() {
            TextTable table = new TextTable("P_Key", "index", "LID", "port GUID", "name");
            members.forEach(each -> table.row(each.pKey(), each.index(), each.lid(), each.portGuid(), each.name()));
            return table.lines();
        }
    }

    PartitionList(PublishedView view) {
        this.view = view;
        this.fabric = view.subnet().fabric();
    }

    /** MTU and rate of the broadcast groups of a partition. */
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

    /** P_Key, members, IPoIB and name of each partition. */
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
                                ipoib(each.pKey()),
                                Printable.text(each.name(), MAX_NAME)))
                        .toList());
    }

    /** The members of a partition, named by its name or its P_Key. */
    Answer members(String which) {
        Partition partition = find(which);
        if (partition == null) {
            return Answer.bad("there is no partition \"" + Printable.text(which, MAX_NAME) + "\"; see partitions");
        }
        List<Member> members = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            PortKeys keys = view.partitions().keys(port);
            for (int index = 0; index < keys.length(); index++) {
                if (PKeys.base(keys.at(index)) == partition.pKey()) {
                    members.add(new Member(
                            PKeys.format(keys.at(index)),
                            index,
                            view.subnet().lid(port),
                            Guid.format(fabric.portGuid(port)),
                            PortFacts.name(fabric, fabric.nodeOf(port))));
                }
            }
        }
        return Answer.of(new Members(Printable.text(partition.name(), MAX_NAME), members));
    }

    private @Nullable Partition find(String which) {
        for (Partition partition : partitions()) {
            boolean isMeant = partition.name().equals(which)
                    || PKeys.format(partition.pKey()).equals(which)
                    || PKeys.format(partition.pKey() | PKeys.FULL).equals(which);
            if (isMeant) {
                return partition;
            }
        }
        return null;
    }

    private List<Partition> partitions() {
        return view.partitions().settings().conf().partitions();
    }
}
