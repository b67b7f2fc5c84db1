package io.torussm.snapshot;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Lids;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The registers of one device, as far as it reported them. Immutable. */
public final class DeviceRegisters {
    /** In place of a status: there was no answer. */
    public static final int NO_ANSWER = -1;

    /** Bytes of a register: the attribute in an SMP. */
    public static final int BYTES = 64;

    /** Instead of a port: the entry is unknown. */
    public static final int UNKNOWN = -1;

    private static final int PORTS_PER_POSITION = 16;

    /**
     * The shift of the position in a multicast table's AttributeModifier (IBA 14.2.5.11), and the mask of the block.
     */
    private static final int POSITION_SHIFT = 28;

    private static final int BLOCK = 0x1ff;

    private final NodeInfo nodeInfo;
    private final SortedMap<RegisterId, byte[]> values;
    private final SortedMap<RegisterId, Integer> failures;

    private DeviceRegisters(Builder builder) {
        nodeInfo = builder.nodeInfo;
        values = Collections.unmodifiableSortedMap(new TreeMap<>(builder.values));
        failures = Collections.unmodifiableSortedMap(new TreeMap<>(builder.failures));
    }

    /** A builder of the registers of a device. Not thread-safe. */
    public static final class Builder {
        private final NodeInfo nodeInfo;
        private final Map<RegisterId, byte[]> values = new HashMap<>();
        private final Map<RegisterId, Integer> failures = new HashMap<>();
        private final Map<Integer, byte[]> interned = new HashMap<>();

        /** Creates a builder from the NodeInfo of any port of the device. */
        public Builder(NodeInfo nodeInfo) {
            this.nodeInfo = nodeInfo.isSwitch() ? nodeInfo.with(NodeInfo.LOCAL_PORT_NUM, 0) : nodeInfo;
        }

        /**
         * Adds or replaces a register. The parts of a response that depend on the path of the request are removed, so
         * that readings over different paths are equal.
         *
         * @param value value of at most {@value DeviceRegisters#BYTES} bytes; copied
         */
        public Builder put(RegisterId id, byte[] value) {
            byte[] copy = Arrays.copyOf(value, BYTES);
            if (nodeInfo.isSwitch() && id.attributeId() == PortInfo.TYPE.id()) {
                PortInfo.LOCAL_PORT_NUM.set(copy, 0, 0);
            } else if (nodeInfo.isSwitch() && id.attributeId() == NodeInfo.TYPE.id()) {
                NodeInfo.LOCAL_PORT_NUM.set(copy, 0, 0);
            }
            byte[] known = interned.putIfAbsent(Arrays.hashCode(copy), copy);
            values.put(id, known != null && Arrays.equals(known, copy) ? known : copy);
            failures.remove(id);
            return this;
        }

        /**
         * Adds a register that the device did not report.
         *
         * @param status status of the response; {@link #NO_ANSWER} if there was none
         */
        public Builder missed(RegisterId id, int status) {
            if (!values.containsKey(id)) {
                failures.put(id, status);
            }
            return this;
        }

        /** Returns its ports, port 0 not counted. */
        int numPorts() {
            return nodeInfo.numPorts();
        }

        /** Returns the collected registers. */
        public DeviceRegisters build() {
            return new DeviceRegisters(this);
        }
    }

    /** Returns a builder with all these registers. */
    public Builder toBuilder() {
        Builder builder = new Builder(nodeInfo);
        values.forEach(builder::put);
        failures.forEach(builder::missed);
        return builder;
    }

    /** Returns the NodeInfo as one port of the device answered it; LocalPortNum of a switch is 0. */
    public NodeInfo nodeInfo() {
        return nodeInfo;
    }

    /** Returns the NodeGUID. */
    public long guid() {
        return nodeInfo.nodeGuid();
    }

    /** Checks whether the device is a switch. */
    public boolean isSwitch() {
        return nodeInfo.isSwitch();
    }

    /** Returns the NodeDescription; empty if it was not answered. */
    public String description() {
        NodeDescription description = read(NodeDescription.TYPE, 0, firstPort(NodeDescription.TYPE));
        return description == null ? "" : description.text();
    }

    /** Returns the SwitchInfo; null if this is no switch, or did not answer. */
    public @Nullable SwitchInfo switchInfo() {
        return read(SwitchInfo.TYPE, 0, 0);
    }

    /**
     * Returns the PortInfo of a port.
     *
     * @return null if it is not known
     */
    public @Nullable PortInfo portInfo(int portNum) {
        return read(PortInfo.TYPE, portNum, isSwitch() ? 0 : portNum);
    }

    /** Returns the numbers of the ports that have a LID, and of which anything is known: 0 of a switch. */
    public IntStream endports() {
        return isSwitch()
                ? IntStream.of(0)
                : IntStream.rangeClosed(1, nodeInfo.numPorts()).filter(port -> portInfo(port) != null);
    }

    /** Returns the GUID of an end port; 0 if it is not known. */
    public long portGuid(int portNum) {
        if (isSwitch()) {
            return nodeInfo.portGuid();
        }
        NodeInfo info = read(NodeInfo.TYPE, 0, portNum);
        return info == null ? portNum == nodeInfo.localPortNum() ? nodeInfo.portGuid() : 0 : info.portGuid();
    }

    private int firstPort(AttributeType<?> type) {
        return values.keySet().stream()
                .filter(id -> id.attributeId() == type.id())
                .mapToInt(RegisterId::port)
                .findFirst()
                .orElse(0);
    }

    /** Returns a register as an attribute; null if it is not known. */
    public <A extends Attribute<A>> @Nullable A read(AttributeType<A> type, int modifier, int port) {
        byte[] value = values.get(RegisterId.of(type, modifier, port));
        return value == null ? null : type.read(value, 0);
    }

    /** Returns a copy of a register; null if it is unknown. */
    public byte @Nullable [] copy(RegisterId id) {
        byte[] value = values.get(id);
        return value == null ? null : value.clone();
    }

    /**
     * Returns the port to which a switch forwards a LID.
     *
     * @return {@link LinearForwardingTable#NO_PATH} if to none, {@link #UNKNOWN} if the entry is unknown
     */
    public int egress(int lid) {
        SwitchInfo info = switchInfo();
        if (info == null || lid > info.linearFdbTop()) {
            return info == null ? UNKNOWN : LinearForwardingTable.NO_PATH;
        }
        byte[] block =
                values.get(RegisterId.of(LinearForwardingTable.TYPE, lid / LinearForwardingTable.LIDS_PER_BLOCK, 0));
        return block == null ? UNKNOWN : block[lid % LinearForwardingTable.LIDS_PER_BLOCK] & 0xff;
    }

    /** Checks whether any register of an attribute is known. */
    public boolean knows(AttributeType<?> type) {
        RegisterId least = new RegisterId(type.id(), 0, 0);
        SortedMap<RegisterId, byte[]> from = values.tailMap(least);
        return !from.isEmpty() && from.firstKey().attributeId() == type.id();
    }

    /** Returns the MLIDs that a switch forwards to some port. */
    public SortedSet<Integer> mlids() {
        SortedSet<Integer> mlids = new TreeSet<>();
        values.forEach((id, value) -> {
            if (id.attributeId() == MulticastForwardingTable.TYPE.id()) {
                int first = Lids.MULTICAST_FIRST + (id.modifier() & BLOCK) * MulticastForwardingTable.MLIDS_PER_BLOCK;
                for (int i = 0; i < MulticastForwardingTable.MLIDS_PER_BLOCK; i++) {
                    if (value[2 * i] != 0 || value[2 * i + 1] != 0) {
                        mlids.add(first + i);
                    }
                }
            }
        });
        return mlids;
    }

    /** Returns the ports to which a switch forwards a multicast LID. Unknown entries count as none. */
    public BitSet groupPorts(int mlid) {
        BitSet ports = new BitSet();
        int index = mlid - Lids.MULTICAST_FIRST;
        int positions = nodeInfo.numPorts() / PORTS_PER_POSITION + 1;
        for (int position = 0; position < positions; position++) {
            int modifier = position << POSITION_SHIFT | index / MulticastForwardingTable.MLIDS_PER_BLOCK;
            byte[] block = values.get(RegisterId.of(MulticastForwardingTable.TYPE, modifier, 0));
            int at = 2 * (index % MulticastForwardingTable.MLIDS_PER_BLOCK);
            int mask = block == null ? 0 : (block[at] & 0xff) << Byte.SIZE | block[at + 1] & 0xff;
            for (int bit = 0; bit < PORTS_PER_POSITION; bit++) {
                if ((mask >> bit & 1) != 0) {
                    ports.set(position * PORTS_PER_POSITION + bit);
                }
            }
        }
        return ports;
    }

    /** Returns copies of all registers in order. */
    public void forEach(BiConsumer<RegisterId, byte[]> taker) {
        values.forEach((id, value) -> taker.accept(id, value.clone()));
    }

    /** Returns the registers that were not reported, with the status of the response or {@link #NO_ANSWER}. */
    public SortedMap<RegisterId, Integer> failures() {
        return failures;
    }

    /** Returns how many registers are known. */
    public int size() {
        return values.size();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DeviceRegisters that
                && nodeInfo.equals(that.nodeInfo)
                && failures.equals(that.failures)
                && values.keySet().equals(that.values.keySet())
                && values.entrySet().stream()
                        .allMatch(each -> Arrays.equals(each.getValue(), that.values.get(each.getKey())));
    }

    @Override
    public int hashCode() {
        return 31 * nodeInfo.hashCode() + values.keySet().hashCode();
    }

    @Override
    public String toString() {
        return nodeInfo + " with " + values.size() + " registers";
    }
}
