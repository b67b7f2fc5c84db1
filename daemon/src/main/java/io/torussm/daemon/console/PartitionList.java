package io.torussm.daemon.console;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.partition.PKeys;
import io.torussm.partition.PartitionConf.Partition;
import io.torussm.partition.PortKeys;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The partitions of a published subnet, for people. */
final class PartitionList {
    private static final int MAX_NAME = 64;

    private final PublishedView view;
    private final Fabric fabric;

    PartitionList(PublishedView view) {
        this.view = view;
        this.fabric = view.subnet().fabric();
    }

    /** A line for each partition: P_Key, members, name. */
    List<String> all() {
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
        List<String> lines = new ArrayList<>();
        lines.add("from " + Printable.text(view.partitions().settings().conf().file(), 200) + ", enforcement "
                + view.partitions().settings().enforcement().name().toLowerCase(Locale.ROOT));
        lines.add("P_Key   full   limited  name");
        for (Partition partition : partitions()) {
            int pKey = partition.pKey();
            lines.add(String.format(
                    "%s  %-6d %-8d %s",
                    PKeys.format(pKey), full[pKey], limited[pKey], Printable.text(partition.name(), MAX_NAME)));
        }
        return lines;
    }

    /** The members of a partition, named by its name or its P_Key. */
    Answer members(String which) {
        Partition partition = find(which);
        if (partition == null) {
            return Answer.bad("there is no partition \"" + Printable.text(which, MAX_NAME) + "\"; see partitions");
        }
        List<String> lines = new ArrayList<>();
        lines.add("P_Key   index  LID    port GUID           name");
        for (int port = 0; port < fabric.portCount(); port++) {
            PortKeys keys = view.partitions().keys(port);
            for (int index = 0; index < keys.length(); index++) {
                if (PKeys.base(keys.at(index)) == partition.pKey()) {
                    lines.add(String.format(
                            "%s  %-6d %-6d %s  %s",
                            PKeys.format(keys.at(index)),
                            index,
                            view.subnet().lid(port),
                            Guid.format(fabric.portGuid(port)),
                            Printable.text(fabric.node(fabric.nodeOf(port)).description(), MAX_NAME)));
                }
            }
        }
        return new Answer(lines, true);
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
