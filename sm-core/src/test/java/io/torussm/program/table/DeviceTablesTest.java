package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/**
 * The known tables of one device: its forwarding table in blocks of 64 LIDs, SL2VL rows, VL arbitration and multicast
 * blocks. A forwarding table has a target, the array of a plan. The known table shares this array when all blocks of
 * the target are confirmed, so it takes memory for its differences only. Each block of a test has one egress port.
 */
class DeviceTablesTest {
    private static final int LIDS = LinearForwardingTable.LIDS_PER_BLOCK;
    private static final byte NO_PATH = (byte) 0xff;

    /** Egress ports of entries, before a write and after it. */
    private static final byte OLD_PORT = 1;

    private static final byte NEW_PORT = 3;
    private static final byte OTHER_PORT = 2;

    /** A row of an SL2VL table. */
    private static final long ROW = 0x55;

    /** Port numbers of a switch with a forwarding table. */
    private static final int PORTS = 4;

    private final RowValues values = new RowValues();

    /** Returns a part of a VL arbitration table with some content; equal numbers have equal content. */
    private static VlArbitrationTable part(int number) {
        byte[] bytes = new byte[VlArbitrationTable.TYPE.layout().size()];
        ByteBuffer.wrap(bytes).putInt(number);
        return VlArbitrationTable.TYPE.read(bytes, 0);
    }

    @Test
    void equalPartsOfArbitrationTablesAreOneObjectOnAllDevices() {
        DeviceTables one = new DeviceTables(2, values);
        DeviceTables other = new DeviceTables(5, values);
        one.setVlArbitration(1, 1, part(1));
        one.setVlArbitration(1, 2, part(2));
        other.setVlArbitration(4, 3, part(1));
        assertThat(other.vlArbitration(4, 3)).isEqualTo(part(1)).isSameAs(one.vlArbitration(1, 1));
        assertThat(one.vlArbitration(1, 2)).isEqualTo(part(2));
        one.setVlArbitration(1, 1, null);
        assertThat(one.vlArbitration(1, 1)).isNull();
    }

    /**
     * Devices may return arbitrary contents, which must not fill the memory of the SM: the last ones are not shared.
     */
    @Test
    void partsBeyondTheMaxNumberOfSharedOnesAreNotShared() {
        int parts = 70_000;
        for (int number = 0; number < parts; number++) {
            VlArbitrationTable part = part(number);
            assertThat(values.intern(part)).isSameAs(part);
        }
        VlArbitrationTable equalToTheLast = part(parts - 1);
        assertThat(values.intern(equalToTheLast)).isSameAs(equalToTheLast);
        assertThat(values.intern(part(0))).isEqualTo(part(0));
    }

    /** Returns a block whose 64 LIDs have one egress port. */
    private static LinearForwardingTable block(int portNum) {
        byte[] ports = new byte[LIDS];
        Arrays.fill(ports, (byte) portNum);
        return LinearForwardingTable.blockOf(ports, 0);
    }

    /** Returns a table of so many LIDs that all have one egress port. */
    private static byte[] table(int lids, int portNum) {
        byte[] lft = new byte[lids];
        Arrays.fill(lft, (byte) portNum);
        return lft;
    }

    @Test
    void aBlockIsKnownAfterItWasRead() {
        DeviceTables tables = new DeviceTables(PORTS, values);
        assertThat(tables.knows(0)).isFalse();
        tables.learnBlock(0, block(NEW_PORT));
        assertThat(tables.knows(0)).isTrue();
        assertThat(tables.isInDoubt(0)).isFalse();
        assertThat(tables.holdsBlock(0, block(NEW_PORT))).isTrue();
        assertThat(tables.holdsBlock(0, block(OTHER_PORT))).isFalse();
    }

    @Test
    void aBlockIsInDoubtFromItsWriteToTheConfirmation() {
        DeviceTables tables = new DeviceTables(PORTS, values);
        tables.learnBlock(0, block(NEW_PORT));
        tables.invalidateBlock(0);
        assertThat(tables.knows(0)).isFalse();
        assertThat(tables.isInDoubt(0)).isTrue();
        assertThat(tables.isAnyBlockInDoubt()).isTrue();
        assertThat(tables.holdsBlock(0, block(NEW_PORT))).isFalse();
        assertThat(tables.entry(5)).as("the last known entry").isEqualTo(NEW_PORT);
        tables.confirmBlock(0, block(OTHER_PORT));
        assertThat(tables.knows(0)).isTrue();
        assertThat(tables.isAnyBlockInDoubt()).isFalse();
        assertThat(tables.entry(5)).isEqualTo(OTHER_PORT);
    }

    @Test
    void blocksBelowTheFirstKnownOneAreInDoubt() {
        DeviceTables tables = new DeviceTables(PORTS, values);
        tables.learnBlock(2, block(NEW_PORT));
        assertThat(tables.isInDoubt(0)).isTrue();
        assertThat(tables.isInDoubt(1)).isTrue();
        assertThat(tables.isInDoubt(2)).isFalse();
        assertThat(tables.knows(0)).isFalse();
        assertThat(tables.knows(2)).isTrue();
        assertThat(tables.knows(3)).isFalse();
        assertThat(tables.entry(LIDS)).isEqualTo(NO_PATH);
        assertThat(tables.entry(2 * LIDS)).isEqualTo(NEW_PORT);
        assertThat(tables.entry(3 * LIDS)).isEqualTo(NO_PATH);
        assertThat(tables.entries(2 * LIDS + 1)).endsWith(NO_PATH, NEW_PORT);
    }

    @Test
    void aBlockBetweenKnownOnesIsInDoubt() {
        DeviceTables tables = new DeviceTables(PORTS, values);
        tables.learnBlock(2, block(NEW_PORT));
        tables.learnBlock(0, block(OLD_PORT));
        tables.learnBlock(4, block(OLD_PORT));
        assertThat(tables.isInDoubt(0)).isFalse();
        assertThat(tables.isInDoubt(2)).isFalse();
        assertThat(tables.isInDoubt(3)).isTrue();
    }

    @Test
    void aTargetIsReachedWhenEachOfItsBlocksIsConfirmed() {
        DeviceTables tables = new DeviceTables(PORTS, values);
        byte[] target = table(LIDS + 2, NEW_PORT);
        LinearForwardingTable last = LinearForwardingTable.blockOf(target, 1);
        tables.learnBlock(0, block(NEW_PORT));
        tables.learnBlock(1, block(OTHER_PORT));
        tables.setTarget(target);
        assertThat(tables.holdsTarget(0)).isTrue();
        assertThat(tables.holdsTarget(1)).isFalse();
        assertThat(tables.isOnTarget()).isFalse();
        tables.confirmBlock(1, block(OLD_PORT));
        assertThat(tables.isOnTarget()).isFalse();
        assertThat(tables.entry(LIDS)).isEqualTo(OLD_PORT);
        tables.confirmBlock(1, last);
        assertThat(tables.isOnTarget()).isTrue();
        assertThat(tables.lft()).isSameAs(target);
        assertThat(tables.holdsBlock(1, last)).isTrue();
        assertThat(tables.entry(LIDS + 2)).as("above the target").isEqualTo(NO_PATH);
    }

    /** A block of another target is part of the known table, though the target as a whole was not reached. */
    @Test
    void blocksOfAnUnfinishedTargetStayKnown() {
        DeviceTables tables = new DeviceTables(PORTS, values);
        byte[] first = table(3 * LIDS, NEW_PORT);
        for (int number = 0; number < 3; number++) {
            tables.learnBlock(number, block(OLD_PORT));
        }
        tables.setTarget(first);
        tables.invalidateBlock(1);
        tables.confirmBlock(1, block(NEW_PORT));
        assertThat(tables.lft()[LIDS]).as("without written blocks").isEqualTo(OLD_PORT);
        assertThat(tables.entry(LIDS)).isEqualTo(NEW_PORT);
        byte[] second = table(3 * LIDS, OLD_PORT);
        tables.setTarget(second);
        assertThat(tables.holdsTarget(0)).isTrue();
        assertThat(tables.holdsTarget(1)).isFalse();
        assertThat(tables.holdsTarget(2)).isTrue();
        assertThat(tables.entry(LIDS - 1)).isEqualTo(OLD_PORT);
        assertThat(tables.entry(LIDS)).isEqualTo(NEW_PORT);
        assertThat(tables.entry(2 * LIDS)).isEqualTo(OLD_PORT);
        assertThat(first).as("the array of a plan").containsOnly(NEW_PORT);
    }

    @Test
    void theArrayOfAPlanIsNotWritten() {
        DeviceTables tables = new DeviceTables(PORTS, values);
        byte[] target = table(LIDS, NEW_PORT);
        tables.setTarget(target);
        tables.confirmBlock(0, block(NEW_PORT));
        assertThat(tables.lft()).isSameAs(target);
        tables.correctBlock(0, block(OLD_PORT));
        assertThat(target).containsOnly(NEW_PORT);
        assertThat(tables.entry(0)).isEqualTo(OLD_PORT);
        assertThat(tables.isOnTarget()).as("the target stays").isFalse();
        tables.correctBlock(0, block(NEW_PORT));
        assertThat(tables.isOnTarget()).isTrue();
    }

    @Test
    void aBlockAboveATargetExtendsTheKnownTableOnly() {
        DeviceTables tables = new DeviceTables(PORTS, values);
        byte[] target = table(LIDS, NEW_PORT);
        tables.setTarget(target);
        tables.confirmBlock(0, block(NEW_PORT));
        tables.learnBlock(1, block(OTHER_PORT));
        assertThat(tables.lft()).hasSize(2 * LIDS).isNotSameAs(target);
    }

    /** A longer table has blocks that the device may not have. */
    @Test
    void aLongerTargetHasUnknownBlocks() {
        DeviceTables tables = new DeviceTables(PORTS, values);
        tables.setTarget(table(LIDS - 10, NEW_PORT));
        tables.confirmBlock(0, LinearForwardingTable.blockOf(table(LIDS - 10, NEW_PORT), 0));
        assertThat(tables.isOnTarget()).isTrue();
        byte[] longer = table(LIDS, NEW_PORT);
        tables.setTarget(longer);
        assertThat(tables.isOnTarget()).isFalse();
        assertThat(tables.holdsTarget(0))
                .as("entries from the end of the first target on")
                .isFalse();
        tables.setTarget(table(LIDS + 1, NO_PATH));
        assertThat(tables.holdsTarget(1)).isFalse();
    }

    @Test
    void entriesAboveAShorterTargetAreNotKnownToBeEmpty() {
        DeviceTables tables = new DeviceTables(PORTS, values);
        LinearForwardingTable partial = LinearForwardingTable.blockOf(table(LIDS - 10, NEW_PORT), 0);
        tables.setTarget(table(LIDS - 10, NEW_PORT));
        tables.confirmBlock(0, partial);
        assertThat(tables.holdsBlock(0, partial)).isTrue();
        tables.setTarget(table(LIDS, NEW_PORT));
        assertThat(tables.holdsBlock(0, partial)).isFalse();
    }

    @Test
    void anEmptyBlockAboveATargetIsNotPartOfIt() {
        DeviceTables tables = new DeviceTables(PORTS, values);
        tables.setTarget(table(LIDS, NEW_PORT));
        tables.confirmBlock(1, block(NO_PATH));
        assertThat(tables.isOnTarget()).isFalse();
        assertThat(tables.knows(1)).isTrue();
        assertThat(tables.knows(0)).isFalse();
    }

    @Test
    void tablesFitADeviceOfTheSamePortsAndTop() {
        DeviceTables tables = new DeviceTables(PORTS, values);
        SwitchInfo info = SwitchInfo.TYPE.zero().with(SwitchInfo.LINEAR_FDB_TOP, 9);
        SwitchInfo otherTop = info.with(SwitchInfo.LINEAR_FDB_TOP, 8);
        assertThat(tables.fits(PORTS, info)).as("no SwitchInfo known").isTrue();
        assertThat(tables.fits(PORTS + 1, info)).isFalse();
        tables.setSwitchInfo(info);
        assertThat(tables.fits(PORTS, info)).isTrue();
        assertThat(tables.fits(PORTS, otherTop)).isFalse();
        assertThat(tables.fits(PORTS, null)).isTrue();
        assertThat(tables.fits(PORTS - 1, info)).isFalse();
    }

    /** A row of the SL2VL table has an ingress and an egress port. */
    @Test
    void aRowIsKnownFromItsConfirmationToTheNextWrite() {
        DeviceTables tables = new DeviceTables(2, values);
        long unknown = -1;
        tables.invalidateRow(0, 1);
        assertThat(tables.knowsRow(1, 2)).isFalse();
        assertThat(tables.row(1, 2, unknown)).isEqualTo(unknown);
        tables.confirmRow(1, 2, ROW);
        assertThat(tables.holdsRow(1, 2, ROW)).isTrue();
        assertThat(tables.holdsRow(1, 2, ROW + 1)).isFalse();
        assertThat(tables.row(1, 2, unknown)).isEqualTo(ROW);
        assertThat(tables.knowsRow(2, 1)).isFalse();
        assertThat(tables.knowsRow(2, 2)).isFalse();
        tables.invalidateRow(1, 2);
        assertThat(tables.knowsRow(1, 2)).isFalse();
    }

    @Test
    void noRowIsKnownAfterAllWereForgotten() {
        DeviceTables tables = new DeviceTables(2, values);
        tables.confirmRow(2, 2, ROW);
        tables.forgetRows();
        assertThat(tables.knowsRow(2, 2)).isFalse();
    }

    @Test
    void aSpreadRowForAllEgressPortsIsKnownAtItsIngressPort() {
        DeviceTables tables = new DeviceTables(2, values);
        tables.confirmRows(new Sl2VlCover.Spread(1, Sl2VlCover.ALL, ROW));
        for (int in = 0; in <= 2; in++) {
            for (int out = 0; out <= 2; out++) {
                assertThat(tables.knowsRow(in, out)).isEqualTo(in == 1);
            }
        }
    }

    /** Returns the index of a part of a port: each port has four. */
    private static int slot(int portNum, int part) {
        return portNum * 4 + part - 1;
    }

    @Test
    void aPortOfAHostIsForgottenAlone() {
        DeviceTables host = new DeviceTables(2, values);
        host.forgetPort(1);
        for (int portNum = 1; portNum <= 2; portNum++) {
            host.confirmRow(0, portNum, ROW);
            for (int part = 1; part <= 4; part++) {
                host.setVlArbitration(portNum, part, part(part));
            }
        }
        host.forgetPort(1);
        assertThat(host.knowsRow(0, 1)).isFalse();
        assertThat(host.knowsRow(0, 2)).isTrue();
        for (int part = 1; part <= 4; part++) {
            assertThat(host.vlArbitration(1, part)).isNull();
            assertThat(host.knowsVlArbitration(slot(1, part))).isFalse();
            assertThat(host.vlArbitration(2, part)).isEqualTo(part(part));
            assertThat(host.knowsVlArbitration(slot(2, part))).isTrue();
        }
    }

    @Test
    void noPartOfVlArbitrationIsKnownAtFirst() {
        DeviceTables tables = new DeviceTables(2, values);
        assertThat(tables.vlArbitration(1, 1)).isNull();
        assertThat(tables.knowsVlArbitration(100)).isFalse();
    }

    /** A switch with 36 ports has three positions of 16 ports: 0 to 15, 16 to 31, 32 to 36. */
    @Test
    void multicastBlocksAreKnownByPosition() {
        DeviceTables tables = new DeviceTables(36, values);
        MulticastForwardingTable one = MulticastForwardingTable.TYPE.read(table(64, 1), 0);
        assertThat(tables.multicastBlocks()).isZero();
        assertThat(tables.multicast(0, 0)).isNull();
        tables.setMulticast(1, 2, one);
        assertThat(tables.multicastBlocks()).isEqualTo(2);
        assertThat(tables.multicast(1, 2)).isEqualTo(one);
        assertThat(tables.multicast(1, 1)).isNull();
        assertThat(tables.multicast(0, 2)).isNull();
        assertThat(tables.multicast(2, 0)).isNull();
        tables.setMulticast(0, 0, MulticastForwardingTable.TYPE.zero());
        assertThat(tables.multicast(0, 0)).isSameAs(DeviceTables.NO_MULTICAST);
        assertThat(tables.multicastBlocks()).isEqualTo(2);
        tables.setMulticast(1, 2, null);
        assertThat(tables.multicast(1, 2)).isNull();
    }

    /** The first target ends within a block, the second is the beginning of the known table. */
    @Test
    void aKnownTableThatEqualsATargetIsReplacedByIt() {
        DeviceTables tables = new DeviceTables(PORTS, values);
        tables.learnBlock(0, block(NEW_PORT));
        byte[] target = table(LIDS, NEW_PORT);
        tables.setTarget(target);
        assertThat(tables.isOnTarget()).isTrue();
        assertThat(tables.lft()).isSameAs(target);
        tables.invalidateBlock(0);
        assertThat(tables.isOnTarget()).isFalse();
        assertThat(tables.holdsTarget(0)).isFalse();
        tables.confirmBlock(1, block(OTHER_PORT));
        assertThat(tables.entry(LIDS)).as("a block above the target").isEqualTo(OTHER_PORT);
        assertThat(tables.isOnTarget()).isFalse();
    }

    @Test
    void aSpreadRowForAllIngressPortsIsKnownAtItsEgressPort() {
        DeviceTables tables = new DeviceTables(3, values);
        tables.confirmRows(new Sl2VlCover.Spread(Sl2VlCover.ALL, 2, ROW));
        for (int in = 0; in <= 3; in++) {
            for (int out = 0; out <= 3; out++) {
                assertThat(tables.knowsRow(in, out)).as("%d to %d", in, out).isEqualTo(out == 2);
            }
        }
    }

    /** A switch with 15 ports has one position, one with 16 has two. */
    @Test
    void positionsOfMulticastBlocksIncludePort0() {
        DeviceTables onePosition = new DeviceTables(15, values);
        onePosition.setMulticast(0, 0, DeviceTables.NO_MULTICAST);
        assertThat(onePosition.multicast(1, 0)).isNull();
        DeviceTables twoPositions = new DeviceTables(16, values);
        twoPositions.setMulticast(0, 1, DeviceTables.NO_MULTICAST);
        assertThat(twoPositions.multicastBlocks()).isEqualTo(1);
        assertThat(twoPositions.multicast(0, 0)).isNull();
        assertThat(twoPositions.multicast(0, 1)).isNotNull();
    }

    /** The first block of a target was written before another target followed. */
    @Test
    void theFirstBlockOfAnUnfinishedTargetStaysKnown() {
        DeviceTables tables = new DeviceTables(PORTS, values);
        tables.learnBlock(0, block(OLD_PORT));
        tables.learnBlock(1, block(OLD_PORT));
        tables.setTarget(table(2 * LIDS, NEW_PORT));
        tables.invalidateBlock(0);
        tables.confirmBlock(0, block(NEW_PORT));
        tables.setTarget(table(2 * LIDS, OLD_PORT));
        assertThat(tables.entry(0)).isEqualTo(NEW_PORT);
        assertThat(tables.holdsTarget(0)).isFalse();
        assertThat(tables.holdsTarget(1)).isTrue();
    }

    @Test
    void aBlockAboveTheKnownTableHasNoKnownContent() {
        DeviceTables tables = new DeviceTables(PORTS, values);
        tables.learnBlock(0, block(OLD_PORT));
        assertThat(tables.holdsBlock(0, block(OLD_PORT))).isTrue();
        assertThat(tables.holdsBlock(1, block(NO_PATH))).isFalse();
    }
}
