package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.LinearForwardingTableRecord;
import io.torussm.mad.sa.LinkRecord;
import io.torussm.mad.sa.MulticastForwardingTableRecord;
import io.torussm.mad.sa.PKeyTableRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.SwitchInfoRecord;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.partition.PortKeys;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contents of records of tables and cables, compared with the published ones. */
class TableRecordsTest {
    private static final int TABLE = 8;

    private final SmallTorus torus = new SmallTorus();
    private final SaHarness harness = new SaHarness(torus);

    @Test
    void forwardingTablesMatchThePlan() {
        List<byte[]> blocks =
                harness.getTable(LinearForwardingTableRecord.TYPE.id()).records(72);
        int perSwitch = torus.subnet.topLid() / 64 + 1;
        assertThat(blocks).hasSize(SmallTorus.SWITCHES * perSwitch);
        for (byte[] record : blocks) {
            int sw = torus.subnet.switchOfLid((int) LinearForwardingTableRecord.LID.get(record, 0));
            int first = 64 * (int) LinearForwardingTableRecord.BLOCK_NUM.get(record, 0);
            byte[] lft = torus.view.plan().lft(sw);
            for (int i = 0; i < 64; i++) {
                byte expected = first + i < lft.length ? lft[first + i] : (byte) 0xff;
                assertThat(record[TABLE + i]).as("LID %d", first + i).isEqualTo(expected);
            }
        }
    }

    @Test
    void switchInfoHasTheCurrentMulticastFdbTop() {
        int capable = 0;
        List<byte[]> records = harness.getTable(SwitchInfoRecord.TYPE.id()).records(24);
        assertThat(records).hasSize(SmallTorus.SWITCHES);
        for (byte[] record : records) {
            int sw = torus.subnet.switchOfLid((int) SwitchInfoRecord.LID.get(record, 0));
            SwitchInfo info = Objects.requireNonNull(torus.fabric.node(sw).switchInfo());
            PortInfo port0 = Objects.requireNonNull(torus.fabric.portInfo(torus.fabric.port(sw, 0)));
            boolean hasTop = port0.hasCapability(PortInfo.CAP_MULTICAST_FDB_TOP);
            capable += hasTop ? 1 : 0;
            SwitchInfo expected = hasTop ? info.with(SwitchInfo.MULTICAST_FDB_TOP, 0xbfff) : info;
            assertThat(Arrays.copyOfRange(record, 4, 24)).isEqualTo(Arrays.copyOf(expected.toBytes(), 20));
        }
        assertThat(capable).as("both kinds").isBetween(1, SmallTorus.SWITCHES - 1);
    }

    @Test
    void everyCableIsReportedInBothDirections() {
        Set<List<Long>> expected = new HashSet<>();
        for (int port = 0; port < torus.fabric.portCount(); port++) {
            int far = torus.fabric.peer(port);
            if (far != Fabric.NONE) {
                expected.add(List.of(
                        (long) lidOfNode(port),
                        (long) torus.fabric.portNum(port),
                        (long) torus.fabric.portNum(far),
                        (long) lidOfNode(far)));
            }
        }
        List<byte[]> records = harness.getTable(LinkRecord.TYPE.id()).records(8);
        assertThat(records).hasSize(expected.size());
        assertThat(records.stream()
                        .map(record -> List.of(
                                LinkRecord.FROM_LID.get(record, 0),
                                LinkRecord.FROM_PORT.get(record, 0),
                                LinkRecord.TO_PORT.get(record, 0),
                                LinkRecord.TO_LID.get(record, 0))))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    private int lidOfNode(int port) {
        int node = torus.fabric.nodeOf(port);
        return torus.subnet.lid(torus.fabric.isSwitch(node) ? torus.fabric.port(node, 0) : port);
    }

    @Test
    void cablesToHiddenPortsAreNotReported() {
        harness.view = torus.partitioned("Default=0x7fff: ALL=limited, SELF=full;");
        assertThat(harness.getTable(LinkRecord.TYPE.id()).records(8)).isEmpty();
        assertThat(harness.getTable(LinkRecord.TYPE.id())
                        .set(SaMad.SM_KEY, SaHarness.SM_KEY)
                        .records(8))
                .isNotEmpty();
    }

    @Test
    void partitionKeysAreForTheTrusted() {
        harness.view = torus.partitioned("Default=0x7fff: ALL=full; A=0x10: ALL=full;");
        assertThat(harness.getTable(PKeyTableRecord.TYPE.id()).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        assertThat(harness.get(PKeyTableRecord.TYPE.id()).status()).isEqualTo(MadStatus.SA_REQ_INVALID);
        List<byte[]> records = harness.getTable(PKeyTableRecord.TYPE.id())
                .set(SaMad.SM_KEY, SaHarness.SM_KEY)
                .records(72);
        assertThat(records).hasSizeGreaterThan(SmallTorus.SWITCHES);
        for (byte[] record : records) {
            int endport = torus.subnet.portOfLid((int) PKeyTableRecord.LID.get(record, 0));
            int node = torus.fabric.nodeOf(endport);
            int port = torus.fabric.port(node, (int) PKeyTableRecord.PORT_NUM.get(record, 0));
            PortKeys table = harness.view.partitions().table(port);
            assertThat(PKeyTableRecord.BLOCK_NUM.get(record, 0)).isZero();
            assertThat(PKeyTable.TYPE.read(record, TABLE))
                    .isEqualTo(Objects.requireNonNull(table).block(0));
        }
    }

    @Test
    void withoutGroupsTheFirstBlockOfMulticastTablesIsEmpty() {
        List<byte[]> records =
                harness.getTable(MulticastForwardingTableRecord.TYPE.id()).records(72);
        assertThat(records).hasSize(SmallTorus.SWITCHES).allSatisfy(record -> {
            assertThat(MulticastForwardingTableRecord.BLOCK_NUM.get(record, 0)).isZero();
            assertThat(Arrays.copyOfRange(record, TABLE, record.length)).containsOnly(0);
        });
        assertThat(harness.getTable(MulticastForwardingTableRecord.TYPE.id())
                        .with(MulticastForwardingTableRecord.COMPONENTS, MulticastForwardingTableRecord.BLOCK_NUM, 1)
                        .records(72))
                .isEmpty();
    }
}
