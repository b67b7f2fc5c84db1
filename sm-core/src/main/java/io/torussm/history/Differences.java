package io.torussm.history;

import io.torussm.history.RowKey.RowType;
import io.torussm.history.StateDifference.CableChange;
import io.torussm.history.StateDifference.EntryChange;
import io.torussm.history.StateDifference.LidChange;
import io.torussm.history.StateDifference.LinkChange;
import io.torussm.history.StateDifference.NodeChange;
import io.torussm.history.StateDifference.RingChange;
import io.torussm.history.StateDifference.TableChange;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Ring;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Compares the rows of two states. */
final class Differences {
    private static final int MAX_ENTRIES = 10;
    private static final int ATTRIBUTE_BYTES = 64;
    private final NavigableMap<RowKey, byte[]> oldRows;
    private final NavigableMap<RowKey, byte[]> newRows;
    private final List<NodeChange> nodes = new ArrayList<>();
    private final List<CableChange> cables = new ArrayList<>();
    private final List<LinkChange> links = new ArrayList<>();
    private final List<LidChange> lids = new ArrayList<>();
    private final List<TableChange> tables = new ArrayList<>();
    private final List<RingChange> rings = new ArrayList<>();
    private int sls;
    private int sl2vl;
    private boolean isQosOff;

    private Differences(NavigableMap<RowKey, byte[]> oldRows, NavigableMap<RowKey, byte[]> newRows) {
        this.oldRows = oldRows;
        this.newRows = newRows;
    }

    static StateDifference of(
            Change previous, NavigableMap<RowKey, byte[]> oldRows, Change after, NavigableMap<RowKey, byte[]> newRows)
            throws IOException {
        try {
            return new Differences(oldRows, newRows).between(previous, after);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            throw new IOException("its parts do not fit: " + e.getMessage(), e);
        }
    }

    private StateDifference between(Change previous, Change after) throws IOException {
        isQosOff = isQosOff(oldRows) && isQosOff(newRows);
        Set<RowKey> keys = new TreeSet<>(oldRows.keySet());
        keys.addAll(newRows.keySet());
        for (RowKey key : keys) {
            byte[] old = oldRows.get(key);
            byte[] row = newRows.get(key);
            if (!Arrays.equals(old, row)) {
                compare(key, old, row);
            }
        }
        tables.sort(Comparator.comparingInt(TableChange::entries).reversed());
        return new StateDifference(
                previous,
                after,
                nodes,
                cables,
                links,
                lids,
                tables,
                sls,
                sl2vl,
                rings,
                conditionsOnlyIn(newRows, oldRows),
                conditionsOnlyIn(oldRows, newRows));
    }

    private void compare(RowKey key, byte @Nullable [] old, byte @Nullable [] row) throws IOException {
        switch (key.kind()) {
            case NODE -> compareNode(key.a(), old, row);
            case CABLE -> {
                addCable(StateDifference.ChangeType.REMOVED, key, old, oldRows);
                addCable(StateDifference.ChangeType.ADDED, key, row, newRows);
            }
            case RING -> compareRing(key, old, row);
            default -> {
                if (old != null && row != null) {
                    compareRowsInBoth(key, old, row);
                }
            }
        }
    }

    /** Compares rows that count only if their node is in both states. */
    private void compareRowsInBoth(RowKey key, byte[] old, byte[] row) throws IOException {
        switch (key.kind()) {
            case PORTS -> comparePorts(key.a(), old, row);
            case LFT -> compareTable(key.a(), old, row);
            case SL -> sls += PastSls.countChanged(old, row, Math.min(old.length, row.length));
            case SL2VL -> sl2vl += isQosOff ? 0 : sl2vl(key.a(), old, row);
            default -> {
                // All other rows are described by the later state.
            }
        }
    }

    private static DataInputStream input(byte[] row) {
        return new DataInputStream(new ByteArrayInputStream(row));
    }

    /** Returns the name of a node with its coordinates; its GUID if it is in neither state. */
    private static String name(long guid, NavigableMap<RowKey, byte[]> rows) throws IOException {
        byte[] row = rows.get(new RowKey(RowType.NODE, guid, 0));
        return row == null ? Guid.format(guid) : name(row);
    }

    private static String name(byte[] row) throws IOException {
        DataInputStream in = input(row);
        in.skipBytes(ATTRIBUTE_BYTES);
        String name = in.readUTF();
        return (in.readUTF() + " \"" + name + "\"").strip();
    }

    private void compareNode(long guid, byte @Nullable [] old, byte @Nullable [] row) throws IOException {
        String oldName = old == null ? "" : name(old);
        String newName = row == null ? oldName : name(row);
        StateDifference.ChangeType kind = old == null
                ? StateDifference.ChangeType.ADDED
                : row == null ? StateDifference.ChangeType.REMOVED : StateDifference.ChangeType.CHANGED;
        boolean isRenamed = kind == StateDifference.ChangeType.CHANGED && !oldName.equals(newName);
        if (kind != StateDifference.ChangeType.CHANGED || isRenamed || !isSameDevice(old, row)) {
            nodes.add(new NodeChange(kind, Guid.format(guid), newName, isRenamed ? oldName : ""));
        }
    }

    /** Compares NodeInfo only; changes in the rest of the row are not reported. */
    private static boolean isSameDevice(byte @Nullable [] old, byte @Nullable [] row) {
        return old != null && row != null && Arrays.equals(old, 0, ATTRIBUTE_BYTES, row, 0, ATTRIBUTE_BYTES);
    }

    private void addCable(
            StateDifference.ChangeType kind, RowKey key, byte @Nullable [] row, NavigableMap<RowKey, byte[]> rows)
            throws IOException {
        if (row != null) {
            DataInputStream in = input(row);
            String near = name(key.a(), rows) + " port " + key.b();
            cables.add(new CableChange(kind, near, name(in.readLong(), rows) + " port " + in.readUnsignedByte()));
        }
    }

    private void comparePorts(long guid, byte[] old, byte[] row) throws IOException {
        String name = name(guid, newRows);
        Map<Integer, Integer> lidsThen = StateReader.lids(old);
        Map<Integer, Integer> lidsNow = StateReader.lids(row);
        Set<Integer> ports = new TreeSet<>(lidsThen.keySet());
        ports.addAll(lidsNow.keySet());
        for (int port : ports) {
            int before = lidsThen.getOrDefault(port, 0);
            int after = lidsNow.getOrDefault(port, 0);
            if (before != after) {
                lids.add(new LidChange(name + " port " + port, before, after));
            }
        }
        Map<Integer, PortInfo> linksThen = StateReader.infos(old);
        for (Map.Entry<Integer, PortInfo> link : StateReader.infos(row).entrySet()) {
            PortInfo previous = linksThen.get(link.getKey());
            if (previous != null && link.getKey() > 0 && !rate(previous).equals(rate(link.getValue()))) {
                links.add(new LinkChange(name + " port " + link.getKey(), rate(previous), rate(link.getValue())));
            }
        }
    }

    private static String rate(PortInfo info) {
        return info.widthText("?") + " " + info.speedText("?");
    }

    private void compareTable(long guid, byte[] old, byte[] row) throws IOException {
        List<Integer> differing = differingIndexes(old, row);
        List<EntryChange> first = differing.stream()
                .limit(MAX_ENTRIES)
                .map(lid -> new EntryChange(lid, entry(old, lid), entry(row, lid)))
                .toList();
        if (!differing.isEmpty()) {
            tables.add(new TableChange(Guid.format(guid), name(guid, newRows), differing.size(), first));
        }
    }

    private static int entry(byte[] table, int lid) {
        return lid < table.length ? table[lid] & 0xff : LinearForwardingTable.NO_PATH;
    }

    /** Returns the indexes at which two tables differ. Beyond the end of a table there is no path. */
    private static List<Integer> differingIndexes(byte[] old, byte[] row) {
        List<Integer> differing = new ArrayList<>();
        int at = Arrays.mismatch(old, row);
        for (int i = Math.max(0, at); at >= 0 && i < Math.max(old.length, row.length); i++) {
            if (entry(old, i) != entry(row, i)) {
                differing.add(i);
            }
        }
        return differing;
    }

    /** Returns 1 if a table differs between ports that are linked in both states, else 0. */
    private int sl2vl(long guid, byte[] old, byte[] row) throws IOException {
        boolean isSwitch = newRows.containsKey(new RowKey(RowType.LFT, guid, 0));
        Map<Integer, Long> previous = PastSl2Vl.tables(old, isSwitch);
        Map<Integer, Long> after = PastSl2Vl.tables(row, isSwitch);
        previous.keySet().retainAll(after.keySet());
        after.keySet().retainAll(previous.keySet());
        return previous.equals(after) ? 0 : 1;
    }

    /** Checks whether a state has no programmed SL2VL tables. */
    private static boolean isQosOff(NavigableMap<RowKey, byte[]> rows) throws IOException {
        byte[] row = rows.get(new RowKey(RowType.SUBNET, 0, 0));
        return row != null && !SubnetRow.read(input(row)).qos();
    }

    private void compareRing(RowKey key, byte @Nullable [] old, byte @Nullable [] row) throws IOException {
        Ring previous = old == null ? null : StateReader.ring(key, old);
        Ring after = row == null ? null : StateReader.ring(key, row);
        Ring named = after == null ? previous : after;
        if (named != null) {
            rings.add(new RingChange(
                    named.name(),
                    previous == null ? null : previous.state(),
                    after == null ? null : after.state(),
                    named.causes()));
        }
    }

    private List<String> conditionsOnlyIn(NavigableMap<RowKey, byte[]> one, NavigableMap<RowKey, byte[]> other)
            throws IOException {
        List<String> only = new ArrayList<>(StateReader.conditions(one));
        only.removeAll(new HashSet<>(StateReader.conditions(other)));
        return only;
    }
}
