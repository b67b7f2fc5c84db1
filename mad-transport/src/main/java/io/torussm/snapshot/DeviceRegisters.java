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

/** The registers of one device, as far as the device reported them. Immutable. */
public final class DeviceRegisters {
    /** The value in place of a status if there was no response. */
    public static final int NO_ANSWER = -1;

    /** Bytes of a register: the attribute in an SMP. */
    public static final int REGISTER_BYTES = 64;

    /** The value in place of a port if the entry is unknown. */
    public static final int UNKNOWN = -1;

    private static final int PORTS_PER_POSITION = 16;

    /** Shift of the position, and mask of the block, in a multicast table's AttributeModifier (IBA 14.2.5.11). */
    private static final int POSITION_SHIFT = 28;

    private static final int BLOCK_MASK = 0x1ff;

    private final NodeInfo nodeInfo;
    private final SortedMap<RegisterId, byte[]> values;

    /** Statuses of registers that were not reported, or {@link #NO_ANSWER}. */
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

        /** Values by hash code, so that equal values share an array. */
        private final Map<Integer, byte[]> interned = new HashMap<>();

        /** Creates a builder from NodeInfo of any port of the device. */
        public Builder(NodeInfo nodeInfo) {
            this.nodeInfo = nodeInfo.isSwitch() ? nodeInfo.with(NodeInfo.LOCAL_PORT_NUM, 0) : nodeInfo;
        }

        /**
         * Adds or replaces a register. The parts of a response that depend on the path of the request are removed, so
         * that readings over different paths are equal.
         *
         * @param value up to {@value DeviceRegisters#REGISTER_BYTES} bytes, which are copied and padded with zeros
         */
        public Builder put(RegisterId id, byte[] value) {
            byte[] copy = Arrays.copyOf(value, REGISTER_BYTES);
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
         * Adds a register that the device did not report. A known value is kept.
         *
         * @param status status of the response; {@link #NO_ANSWER} without a response
         */
        public Builder putFailure(RegisterId id, int status) {
            if (!values.containsKey(id)) {
                failures.put(id, status);
            }
            return this;
        }

        /** Returns the number of external ports. */
        int numPorts() {
            return nodeInfo.numPorts();
        }

        /** Returns the collected registers. */
        public DeviceRegisters build() {
            return new DeviceRegisters(this);
        }
    }

    /** Returns a builder with the content of these registers. */
    public Builder toBuilder() {
        Builder builder = new Builder(nodeInfo);
        values.forEach(builder::put);
        failures.forEach(builder::putFailure);
        return builder;
    }

    /** Returns NodeInfo as one port of the device reported it; LocalPortNum of a switch is 0. */
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

    /** Returns the NodeDescription; empty if it is unknown. */
    public String description() {
        NodeDescription description = read(NodeDescription.TYPE, 0, firstPort(NodeDescription.TYPE));
        return description == null ? "" : description.text();
    }

    /** Returns SwitchInfo; null if this is no switch, or if it is unknown. */
    public @Nullable SwitchInfo switchInfo() {
        return read(SwitchInfo.TYPE, 0, 0);
    }

    /**
     * Returns PortInfo of a port.
     *
     * @return null if it is unknown
     */
    public @Nullable PortInfo portInfo(int portNum) {
        return read(PortInfo.TYPE, portNum, isSwitch() ? 0 : portNum);
    }

    /**
     * Returns the numbers of the ports with a LID: port 0 of a switch, or ports of another device with a known
     * PortInfo.
     */
    public IntStream endports() {
        return isSwitch()
                ? IntStream.of(0)
                : IntStream.rangeClosed(1, nodeInfo.numPorts()).filter(port -> portInfo(port) != null);
    }

    /** Returns the GUID of an end port; 0 if it is unknown. */
    public long portGuid(int portNum) {
        if (isSwitch()) {
            return nodeInfo.portGuid();
        }
        NodeInfo info = read(NodeInfo.TYPE, 0, portNum);
        return info == null ? portNum == nodeInfo.localPortNum() ? nodeInfo.portGuid() : 0 : info.portGuid();
    }

    /** Returns the lowest port with a register of an attribute; 0 without such a register. */
    private int firstPort(AttributeType<?> type) {
        return values.keySet().stream()
                .filter(id -> id.attributeId() == type.id())
                .mapToInt(RegisterId::port)
                .findFirst()
                .orElse(0);
    }

    /**
     * Returns a register as an attribute; null if it is unknown.
     *
     * @param modifier AttributeModifier, as in {@link RegisterId}
     * @param port port that receives the Get, as in {@link RegisterId}
     */
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
     * @return {@link LinearForwardingTable#NO_PATH} if the switch discards its packets, {@link #UNKNOWN} if the entry
     *     is unknown
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
    public boolean has(AttributeType<?> type) {
        RegisterId first = new RegisterId(type.id(), 0, 0);
        SortedMap<RegisterId, byte[]> following = values.tailMap(first);
        return !following.isEmpty() && following.firstKey().attributeId() == type.id();
    }

    /** Returns the MLIDs that a switch forwards to at least one port. */
    public SortedSet<Integer> mlids() {
        SortedSet<Integer> mlids = new TreeSet<>();
        values.forEach((id, value) -> {
            if (id.attributeId() == MulticastForwardingTable.TYPE.id()) {
                int first =
                        Lids.MULTICAST_FIRST + (id.modifier() & BLOCK_MASK) * MulticastForwardingTable.MLIDS_PER_BLOCK;
                for (int i = 0; i < MulticastForwardingTable.MLIDS_PER_BLOCK; i++) {
                    if (value[2 * i] != 0 || value[2 * i + 1] != 0) {
                        mlids.add(first + i);
                    }
                }
            }
        });
        return mlids;
    }

    /** Returns the numbers of the ports to which a switch forwards an MLID. An unknown block has no ports. */
    public BitSet groupPorts(int mlid) {
        BitSet ports = new BitSet();
        int index = mlid - Lids.MULTICAST_FIRST;
        int positions = nodeInfo.numPorts() / PORTS_PER_POSITION + 1;
        for (int position = 0; position < positions; position++) {
            int modifier = position << POSITION_SHIFT | index / MulticastForwardingTable.MLIDS_PER_BLOCK;
            byte[] block = values.get(RegisterId.of(MulticastForwardingTable.TYPE, modifier, 0));
            int offset = 2 * (index % MulticastForwardingTable.MLIDS_PER_BLOCK);
            int mask = block == null ? 0 : (block[offset] & 0xff) << Byte.SIZE | block[offset + 1] & 0xff;
            for (int bit = 0; bit < PORTS_PER_POSITION; bit++) {
                if ((mask >> bit & 1) != 0) {
                    ports.set(position * PORTS_PER_POSITION + bit);
                }
            }
        }
        return ports;
    }

    /** Passes copies of all registers to a consumer, in the order of {@link RegisterId}. */
    public void forEach(BiConsumer<RegisterId, byte[]> taker) {
        values.forEach((id, value) -> taker.accept(id, value.clone()));
    }

    /** Returns the registers that were not reported, with the status of the response or {@link #NO_ANSWER}. */
    public SortedMap<RegisterId, Integer> failures() {
        return failures;
    }

    /** Returns the number of known registers. */
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
