package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.SlToVlMappingTableRecord;
import io.torussm.mad.sa.VlArbitrationTableRecord;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.testing.ViewDraft;
import io.torussm.view.PublishedView;
import io.torussm.view.QosTables;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records of SL2VL and VL arbitration tables, compared with the programmed ones. */
class QosRecordsTest {
    private static final int ROWS = SlToVlMappingTableRecord.TYPE.id();
    private static final int ARBITRATION = VlArbitrationTableRecord.TYPE.id();

    /** Bytes of a record in a table of the SA, a multiple of 8. */
    private static final int ROW_SIZE = 16;

    private static final int ARBITRATION_SIZE = 72;

    /** Offset of the VL arbitration table in its record. */
    private static final int TABLE = 8;

    private final SmallTorus torus = new SmallTorus();
    private final SaHarness harness = new SaHarness(torus);
    private final Fabric fabric = torus.fabric;
    private final QosTables tables = torus.view.qosTables();

    @Test
    void everyRowIsReportedOnceAsProgrammed() {
        List<List<Long>> expected = new ArrayList<>();
        for (int node = 0; node < fabric.nodeCount(); node++) {
            for (int out = 0; out <= fabric.numPorts(node); out++) {
                for (int in = 0; in <= fabric.numPorts(node); in++) {
                    if (tables.hasRow(node, in, out)) {
                        boolean isSwitch = fabric.isSwitch(node);
                        long lid = torus.subnet.lid(fabric.port(node, isSwitch ? 0 : out));
                        long outputPort = isSwitch ? out : 0;
                        expected.add(List.of(lid, (long) in, outputPort, tables.row(node, in, out)));
                    }
                }
            }
        }
        assertThat(harness.getTable(ROWS).records(ROW_SIZE).stream()
                        .map(row -> List.of(
                                SlToVlMappingTableRecord.LID.get(row, 0),
                                SlToVlMappingTableRecord.INPUT_PORT_NUM.get(row, 0),
                                SlToVlMappingTableRecord.OUTPUT_PORT_NUM.get(row, 0),
                                SlToVlMappingTableRecord.TABLE.get(row, 0))))
                .containsExactlyInAnyOrderElementsOf(expected);
    }

    @Test
    void anEndPortHasOneRowForAnyRequestedPort() {
        int host = fabric.nodeByGuid(SmallTorus.hostGuid(0));
        for (int portNum = 1; portNum <= 2; portNum++) {
            byte[] row = rows(torus.subnet.lid(fabric.port(host, portNum)))
                    .with(SlToVlMappingTableRecord.COMPONENTS, SlToVlMappingTableRecord.INPUT_PORT_NUM, 1)
                    .with(SlToVlMappingTableRecord.COMPONENTS, SlToVlMappingTableRecord.OUTPUT_PORT_NUM, 7)
                    .records(ROW_SIZE)
                    .get(0);
            assertThat(SlToVlMappingTableRecord.INPUT_PORT_NUM.get(row, 0)).isZero();
            assertThat(SlToVlMappingTableRecord.OUTPUT_PORT_NUM.get(row, 0)).isZero();
            assertThat(SlToVlMappingTableRecord.TABLE.get(row, 0)).isEqualTo(tables.row(host, 0, portNum));
        }
    }

    private SaHarness.Request rows(int lid) {
        return harness.getTable(ROWS).with(SlToVlMappingTableRecord.COMPONENTS, SlToVlMappingTableRecord.LID, lid);
    }

    /** A query for a port number that a switch does not have crashes OpenSM 3.3.23. */
    @Test
    void aPortThatASwitchDoesNotHaveHasNoRows() {
        for (Field field : List.of(SlToVlMappingTableRecord.INPUT_PORT_NUM, SlToVlMappingTableRecord.OUTPUT_PORT_NUM)) {
            assertThat(rows(torus.switchLid(2))
                            .with(SlToVlMappingTableRecord.COMPONENTS, field, 200)
                            .records(ROW_SIZE))
                    .isEmpty();
        }
    }

    @Test
    void everyPartOfArbitrationTablesIsReportedAsProgrammedOrEmpty() {
        List<byte[]> records = harness.getTable(ARBITRATION).records(ARBITRATION_SIZE);
        assertThat(records)
                .as("of all ports, port 0 and those without a cable too; hosts have no port 0")
                .hasSize(QosTables.PARTS * (fabric.portCount() - SmallTorus.SWITCHES));
        for (byte[] record : records) {
            int endport = torus.subnet.portOfLid((int) VlArbitrationTableRecord.LID.get(record, 0));
            VlArbitrationTable held = tables.arbitration(
                    fabric.nodeOf(endport), (int) VlArbitrationTableRecord.OUTPUT_PORT_NUM.get(record, 0), (int)
                            VlArbitrationTableRecord.BLOCK_NUM.get(record, 0));
            assertThat(VlArbitrationTable.TYPE.read(record, TABLE))
                    .isEqualTo(held == null ? VlArbitrationTable.TYPE.zero() : held);
        }
    }

    @Test
    void aSubnetWithoutQosHasNoSuchRecords() {
        harness.view = with(QosTables.NONE);
        assertThat(harness.getTable(ROWS).records(ROW_SIZE)).isEmpty();
        assertThat(harness.getTable(ARBITRATION).records(ARBITRATION_SIZE)).isEmpty();
    }

    /** The work is bounded by the length of the answer, not by the fabric, whose switches may have 64 ports each. */
    @Test
    void aTooLargeTableIsRefusedBeforeAllRowsAreMade() {
        AtomicLong made = new AtomicLong();
        harness.view = with(new QosTables() {
            @Override
            public boolean hasRow(int node, int in, int out) {
                return true;
            }

            @Override
            public long row(int node, int in, int out) {
                return made.incrementAndGet();
            }

            @Override
            public @Nullable VlArbitrationTable arbitration(int node, int portNum, int part) {
                made.incrementAndGet();
                return VlArbitrationTable.TYPE.zero();
            }
        });
        int recordsOfAnswer = 100;
        for (int attribute : new int[] {ROWS, ARBITRATION}) {
            SaHarness.Request request = harness.getTable(attribute);
            int size = attribute == ROWS ? ROW_SIZE : ARBITRATION_SIZE;
            made.set(0);
            assertThat(harness.statusWithin(recordsOfAnswer * size, request)).isEqualTo(MadStatus.SA_NO_RESOURCES);
            assertThat(made.get()).isBetween(recordsOfAnswer + 1L, 2L * recordsOfAnswer);
        }
    }

    private PublishedView with(QosTables qosTables) {
        return ViewDraft.of(torus.view).qos(qosTables).build();
    }
}
