package io.torussm.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Field;
import io.torussm.mad.smp.GuidInfo;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.snapshot.FabricSnapshot.Cable;
import io.torussm.snapshot.FabricSnapshot.PortRef;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SnapshotDifferenceTest {
    private static final long SWITCH = 0xa0;
    private static final long HOST = 0xb0;
    private static final int LAST_LID_OF_TABLE = 70;

    private final FabricSnapshot before = smallSnapshot();

    /** Returns a host at a switch. */
    static FabricSnapshot smallSnapshot() {
        return snapshot(switchDevice(), hostDevice());
    }

    private static FabricSnapshot snapshot(DeviceRegisters... devices) {
        return new FabricSnapshot(
                Instant.EPOCH,
                new PortRef(HOST, 1),
                List.of(devices),
                List.of(Cable.between(new PortRef(HOST, 1), new PortRef(SWITCH, 3))),
                List.of(),
                List.of());
    }

    private static DeviceRegisters switchDevice() {
        DeviceRegisters.Builder device = new DeviceRegisters.Builder(NodeInfo.TYPE
                .zero()
                .with(NodeInfo.NODE_TYPE, NodeInfo.SWITCH)
                .with(NodeInfo.NUM_PORTS, 20)
                .with(NodeInfo.NODE_GUID, SWITCH)
                .with(NodeInfo.PORT_GUID, SWITCH));
        device.put(
                RegisterId.of(SwitchInfo.TYPE, 0, 0),
                SwitchInfo.TYPE
                        .zero()
                        .with(SwitchInfo.LINEAR_FDB_CAP, 1024)
                        .with(SwitchInfo.LINEAR_FDB_TOP, LAST_LID_OF_TABLE)
                        .toBytes());
        for (int block = 0; block < 2; block++) {
            device.put(RegisterId.of(LinearForwardingTable.TYPE, block, 0), new byte[64]);
        }
        for (int position = 0; position < 2; position++) {
            device.put(RegisterId.of(MulticastForwardingTable.TYPE, position << 28, 0), new byte[64]);
        }
        device.put(RegisterId.of(SlToVlMappingTable.TYPE, 3 << 8 | 4, 0), new byte[64]);
        device.put(RegisterId.of(VlArbitrationTable.TYPE, 1 << 16 | 4, 0), new byte[64]);
        device.put(RegisterId.of(PKeyTable.TYPE, 4 << 16, 0), new byte[64]);
        device.put(RegisterId.of(PortInfo.TYPE, 0, 0), new byte[64]);
        return device.put(RegisterId.of(PortInfo.TYPE, 4, 0), new byte[64]).build();
    }

    private static DeviceRegisters hostDevice() {
        return new DeviceRegisters.Builder(NodeInfo.TYPE
                        .zero()
                        .with(NodeInfo.NODE_TYPE, NodeInfo.CHANNEL_ADAPTER)
                        .with(NodeInfo.NUM_PORTS, 1)
                        .with(NodeInfo.LOCAL_PORT_NUM, 1)
                        .with(NodeInfo.NODE_GUID, HOST)
                        .with(NodeInfo.PORT_GUID, HOST + 1))
                .put(RegisterId.of(GuidInfo.TYPE, 1, 1), new byte[64])
                .put(RegisterId.of(PortInfo.TYPE, 1, 1), new byte[64])
                .build();
    }

    private SnapshotDifference differenceAfter(long guid, RegisterId id, UnaryOperator<byte[]> change) {
        DeviceRegisters device = Objects.requireNonNull(before.device(guid));
        byte[] value = Objects.requireNonNull(device.copy(id));
        DeviceRegisters changed =
                device.toBuilder().put(id, change.apply(value)).build();
        return SnapshotDifference.between(before, before.with(each -> each.guid() == guid ? changed : each));
    }

    private static UnaryOperator<byte[]> byteOf(int at, int value) {
        return bytes -> {
            bytes[at] = (byte) value;
            return bytes;
        };
    }

    private static UnaryOperator<byte[]> field(Field field, long value) {
        return bytes -> {
            field.set(bytes, 0, value);
            return bytes;
        };
    }

    private static void assertOne(
            SnapshotDifference difference, RegisterKind table, int port, String row, String from) {
        assertThat(difference.counts()).isEqualTo(Map.of(table, 1L));
        assertThat(difference.examples()).singleElement().satisfies(change -> {
            assertThat(change.portNum()).isEqualTo(port);
            assertThat(change.entry()).isEqualTo(row);
            assertThat(change.before() + " -> " + change.after()).isEqualTo(from);
        });
    }

    @Test
    void namesTheEntryOfEveryTable() {
        assertOne(
                differenceAfter(SWITCH, RegisterId.of(LinearForwardingTable.TYPE, 1, 0), byteOf(2, 9)),
                RegisterKind.LFT,
                0,
                "LID 66",
                "port 0 -> port 9");
        assertOne(
                differenceAfter(SWITCH, RegisterId.of(MulticastForwardingTable.TYPE, 1 << 28, 0), byteOf(3, 2)),
                RegisterKind.MFT,
                0,
                "MLID 0xc001",
                "no port -> ports {17}");
        assertOne(
                differenceAfter(SWITCH, RegisterId.of(SlToVlMappingTable.TYPE, 3 << 8 | 4, 0), byteOf(0, 0x12)),
                RegisterKind.SL2VL,
                4,
                "from port 3",
                "0000000000000000 -> 1200000000000000");
        assertOne(
                differenceAfter(SWITCH, RegisterId.of(VlArbitrationTable.TYPE, 1 << 16 | 4, 0), byteOf(1, 7)),
                RegisterKind.VL_ARBITRATION,
                4,
                "part 1",
                "nothing -> 0:7");
        assertOne(
                differenceAfter(SWITCH, RegisterId.of(PKeyTable.TYPE, 4 << 16, 0), byteOf(2, 0x80)),
                RegisterKind.P_KEY,
                4,
                "index 1",
                "0x0000 -> 0x8000");
        assertOne(
                differenceAfter(HOST, RegisterId.of(GuidInfo.TYPE, 1, 1), byteOf(15, 5)),
                RegisterKind.GUID,
                1,
                "index 9",
                "0x0000000000000000 -> 0x0000000000000005");
        assertOne(
                differenceAfter(HOST, RegisterId.of(PortInfo.TYPE, 1, 1), field(PortInfo.LID, 17)),
                RegisterKind.LID,
                1,
                "LID",
                "0 -> 17");
        assertOne(
                differenceAfter(HOST, RegisterId.of(PortInfo.TYPE, 1, 1), field(PortInfo.MASTER_SM_LID, 1)),
                RegisterKind.MASTER_SM,
                1,
                "MasterSMLID",
                "0 -> 1");
        assertOne(
                differenceAfter(SWITCH, RegisterId.of(PortInfo.TYPE, 4, 0), field(PortInfo.HOQ_LIFE, 8)),
                RegisterKind.PORT_INFO,
                4,
                "HOQLife",
                "0 -> 8");
        assertOne(
                differenceAfter(SWITCH, RegisterId.of(PortInfo.TYPE, 4, 0), field(PortInfo.PORT_STATE, 4)),
                RegisterKind.PORT_STATE,
                4,
                "PortState",
                "0 -> 4");
        assertOne(
                differenceAfter(SWITCH, RegisterId.of(SwitchInfo.TYPE, 0, 0), field(SwitchInfo.LIFE_TIME_VALUE, 19)),
                RegisterKind.SWITCH_INFO,
                0,
                "LifeTimeValue",
                "0 -> 19");
    }

    @Test
    void keysAreNotShown() {
        SnapshotDifference difference =
                differenceAfter(HOST, RegisterId.of(PortInfo.TYPE, 1, 1), field(PortInfo.M_KEY, 0x1234567));
        assertThat(difference.examples().toString()).contains("M_Key").doesNotContain("19088743", "1234567");
    }

    @Test
    void countersAreNoDifference() {
        assertThat(differenceAfter(HOST, RegisterId.of(PortInfo.TYPE, 1, 1), field(PortInfo.Q_KEY_VIOLATIONS, 3))
                        .isEmpty())
                .isTrue();
        assertThat(differenceAfter(SWITCH, RegisterId.of(SwitchInfo.TYPE, 0, 0), field(SwitchInfo.PORT_STATE_CHANGE, 1))
                        .isEmpty())
                .isTrue();
        assertThat(differenceAfter(SWITCH, RegisterId.of(LinearForwardingTable.TYPE, 1, 0), byteOf(60, 9))
                        .isEmpty())
                .as("an entry behind LinearFDBTop")
                .isTrue();
    }

    @Test
    void namesAbsentAndNewDevices() {
        FabricSnapshot alone = new FabricSnapshot(
                Instant.EPOCH, new PortRef(HOST, 1), List.of(hostDevice()), List.of(), List.of(), List.of());
        SnapshotDifference lost = SnapshotDifference.between(before, alone);
        assertThat(lost.lostDevices()).containsExactly(SWITCH);
        assertThat(lost.lostCables()).hasSize(1);
        assertThat(lost.isSameTopology()).isFalse();
        SnapshotDifference found = SnapshotDifference.between(alone, before);
        assertThat(found.newDevices()).containsExactly(SWITCH);
        assertThat(found.newCables()).hasSize(1);
        assertThat(SnapshotDifference.between(before, before).isEmpty()).isTrue();
    }

    @Test
    void examplesAreFew() {
        DeviceRegisters device = Objects.requireNonNull(before.device(SWITCH));
        byte[] block = new byte[64];
        Arrays.fill(block, (byte) 7);
        DeviceRegisters changed = device.toBuilder()
                .put(RegisterId.of(LinearForwardingTable.TYPE, 0, 0), block)
                .build();
        SnapshotDifference difference =
                SnapshotDifference.between(before, before.with(each -> each.guid() == SWITCH ? changed : each));
        assertThat(difference.count(RegisterKind.LFT)).isEqualTo(63);
        assertThat(difference.byDevice()).isEqualTo(Map.of(SWITCH, Map.of(RegisterKind.LFT, 63L)));
        assertThat(difference.examples()).hasSize(10);
    }
}
