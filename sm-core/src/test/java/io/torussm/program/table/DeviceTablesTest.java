package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mad.smp.VlArbitrationTable;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The known tables of devices, which take memory for their differences only. */
class DeviceTablesTest {
    private static final int LIDS = LinearForwardingTable.LIDS_PER_BLOCK;
    private static final byte NO_PATH = (byte) 0xff;

    private final RowValues values = new RowValues();

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

    /** Devices may return arbitrary contents. */
    @Test
    void endlessDifferentPartsAreKnownAndNotCollected() {
        for (int number = 0; number < 70_000; number++) {
            VlArbitrationTable part = part(number);
            assertThat(values.intern(part)).isSameAs(part);
        }
        VlArbitrationTable again = part(69_999);
        assertThat(values.intern(again)).isSameAs(again);
        assertThat(values.intern(part(0))).isNotSameAs(again).isEqualTo(part(0));
    }

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
    void aBlockIsUnknownUntilItIsReadOrItsWriteIsConfirmed() {
        DeviceTables tables = new DeviceTables(4, values);
        assertThat(tables.knows(0)).isFalse();
        tables.learnBlock(0, block(3));
        assertThat(tables.knows(0)).isTrue();
        assertThat(tables.isInDoubt(0)).isFalse();
        assertThat(tables.holdsBlock(0, block(3))).isTrue();
        assertThat(tables.holdsBlock(0, block(2))).isFalse();
        tables.invalidateBlock(0);
        assertThat(tables.knows(0)).isFalse();
        assertThat(tables.isInDoubt(0)).isTrue();
        assertThat(tables.isAnyBlockInDoubt()).isTrue();
        assertThat(tables.holdsBlock(0, block(3))).isFalse();
        assertThat(tables.entry(5)).as("the last known entry").isEqualTo((byte) 3);
        tables.confirmBlock(0, block(2));
        assertThat(tables.knows(0)).isTrue();
        assertThat(tables.isAnyBlockInDoubt()).isFalse();
        assertThat(tables.entry(5)).isEqualTo((byte) 2);
    }

    @Test
    void blocksBelowTheFirstKnownOneAreInDoubt() {
        DeviceTables tables = new DeviceTables(4, values);
        tables.learnBlock(2, block(3));
        assertThat(tables.isInDoubt(0)).isTrue();
        assertThat(tables.isInDoubt(1)).isTrue();
        assertThat(tables.isInDoubt(2)).isFalse();
        assertThat(tables.knows(0)).isFalse();
        assertThat(tables.knows(2)).isTrue();
        assertThat(tables.knows(3)).isFalse();
        assertThat(tables.entry(LIDS)).isEqualTo(NO_PATH);
        assertThat(tables.entry(2 * LIDS)).isEqualTo((byte) 3);
        assertThat(tables.entry(3 * LIDS)).isEqualTo(NO_PATH);
        assertThat(tables.entries(2 * LIDS + 1)).endsWith(NO_PATH, (byte) 3);
        tables.learnBlock(0, block(1));
        tables.learnBlock(4, block(1));
        assertThat(tables.isInDoubt(0)).isFalse();
        assertThat(tables.isInDoubt(2)).isFalse();
        assertThat(tables.isInDoubt(3)).isTrue();
    }

    @Test
    void aTargetIsReachedWhenEachOfItsBlocksIsConfirmed() {
        DeviceTables tables = new DeviceTables(4, values);
        byte[] target = table(LIDS + 2, 3);
        LinearForwardingTable last = LinearForwardingTable.blockOf(target, 1);
        tables.learnBlock(0, block(3));
        tables.learnBlock(1, block(2));
        tables.setTarget(target);
        assertThat(tables.holdsTarget(0)).isTrue();
        assertThat(tables.holdsTarget(1)).isFalse();
        assertThat(tables.isOnTarget()).isFalse();
        tables.confirmBlock(1, block(1));
        assertThat(tables.isOnTarget()).isFalse();
        assertThat(tables.entry(LIDS)).isEqualTo((byte) 1);
        tables.confirmBlock(1, last);
        assertThat(tables.isOnTarget()).isTrue();
        assertThat(tables.lft()).isSameAs(target);
        assertThat(tables.holdsBlock(1, last)).isTrue();
        assertThat(tables.entry(LIDS + 2)).as("above the target").isEqualTo(NO_PATH);
    }

    /** A block of another target is part of the known table, though the target as a whole was not reached. */
    @Test
    void blocksOfAnUnfinishedTargetStayKnown() {
        DeviceTables tables = new DeviceTables(4, values);
        byte[] first = table(3 * LIDS, 3);
        for (int number = 0; number < 3; number++) {
            tables.learnBlock(number, block(1));
        }
        tables.setTarget(first);
        tables.invalidateBlock(1);
        tables.confirmBlock(1, block(3));
        assertThat(tables.lft()[LIDS]).as("without written blocks").isEqualTo((byte) 1);
        assertThat(tables.entry(LIDS)).isEqualTo((byte) 3);
        byte[] second = table(3 * LIDS, 1);
        tables.setTarget(second);
        assertThat(tables.holdsTarget(0)).isTrue();
        assertThat(tables.holdsTarget(1)).isFalse();
        assertThat(tables.holdsTarget(2)).isTrue();
        assertThat(tables.entry(LIDS - 1)).isEqualTo((byte) 1);
        assertThat(tables.entry(LIDS)).isEqualTo((byte) 3);
        assertThat(tables.entry(2 * LIDS)).isEqualTo((byte) 1);
        assertThat(first).as("the array of a plan").containsOnly(3);
    }

    @Test
    void theArrayOfAPlanIsNotWritten() {
        DeviceTables tables = new DeviceTables(4, values);
        byte[] target = table(LIDS, 3);
        tables.setTarget(target);
        tables.confirmBlock(0, block(3));
        assertThat(tables.lft()).isSameAs(target);
        tables.correctBlock(0, block(1));
        assertThat(target).containsOnly(3);
        assertThat(tables.entry(0)).isEqualTo((byte) 1);
        assertThat(tables.isOnTarget()).as("the target stays").isFalse();
        tables.correctBlock(0, block(3));
        assertThat(tables.isOnTarget()).isTrue();
        tables.learnBlock(1, block(2));
        assertThat(tables.lft()).hasSize(2 * LIDS);
        assertThat(target).hasSize(LIDS);
    }

    /** A longer table has blocks that the device may not have. */
    @Test
    void aLongerTargetHasUnknownBlocks() {
        DeviceTables tables = new DeviceTables(4, values);
        tables.setTarget(table(LIDS - 10, 3));
        tables.confirmBlock(0, LinearForwardingTable.blockOf(table(LIDS - 10, 3), 0));
        assertThat(tables.isOnTarget()).isTrue();
        byte[] longer = table(LIDS, 3);
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
        DeviceTables tables = new DeviceTables(4, values);
        LinearForwardingTable partial = LinearForwardingTable.blockOf(table(LIDS - 10, 3), 0);
        tables.setTarget(table(LIDS - 10, 3));
        tables.confirmBlock(0, partial);
        assertThat(tables.holdsBlock(0, partial)).isTrue();
        tables.setTarget(table(LIDS, 3));
        assertThat(tables.holdsBlock(0, partial)).isFalse();
    }

    @Test
    void anEmptyBlockAboveATargetIsNotPartOfIt() {
        DeviceTables tables = new DeviceTables(4, values);
        tables.setTarget(table(LIDS, 3));
        tables.confirmBlock(1, block(NO_PATH));
        assertThat(tables.isOnTarget()).isFalse();
        assertThat(tables.knows(1)).isTrue();
        assertThat(tables.knows(0)).isFalse();
    }

    @Test
    void tablesFitADeviceOfTheSamePortsAndTop() {
        DeviceTables tables = new DeviceTables(4, values);
        SwitchInfo info = SwitchInfo.TYPE.zero().with(SwitchInfo.LINEAR_FDB_TOP, 9);
        SwitchInfo other = info.with(SwitchInfo.LINEAR_FDB_TOP, 8);
        assertThat(tables.fits(4, info)).as("no SwitchInfo known").isTrue();
        assertThat(tables.fits(5, info)).isFalse();
        tables.setSwitchInfo(info);
        assertThat(tables.fits(4, info)).isTrue();
        assertThat(tables.fits(4, other)).isFalse();
        assertThat(tables.fits(4, null)).isTrue();
        assertThat(tables.fits(3, info)).isFalse();
    }

    @Test
    void aRowIsKnownFromItsConfirmationToTheNextWrite() {
        DeviceTables tables = new DeviceTables(2, values);
        tables.invalidateRow(0, 1);
        assertThat(tables.knowsRow(1, 2)).isFalse();
        assertThat(tables.row(1, 2, -1)).isEqualTo(-1);
        tables.confirmRow(1, 2, 0x55);
        assertThat(tables.holdsRow(1, 2, 0x55)).isTrue();
        assertThat(tables.holdsRow(1, 2, 0x56)).isFalse();
        assertThat(tables.row(1, 2, -1)).isEqualTo(0x55);
        assertThat(tables.knowsRow(2, 1)).isFalse();
        assertThat(tables.knowsRow(2, 2)).isFalse();
        tables.invalidateRow(1, 2);
        assertThat(tables.knowsRow(1, 2)).isFalse();
        tables.confirmRow(2, 2, 0x55);
        tables.forgetRows();
        assertThat(tables.knowsRow(2, 2)).isFalse();
    }

    /** A row for all outputs of input 1. */
    @Test
    void aSpreadRowIsKnownWhereItCovers() {
        DeviceTables tables = new DeviceTables(2, values);
        tables.confirmRows(new Sl2VlCover.Spread(1, Sl2VlCover.ALL, 0x77));
        for (int in = 0; in <= 2; in++) {
            for (int out = 0; out <= 2; out++) {
                assertThat(tables.knowsRow(in, out)).isEqualTo(in == 1);
            }
        }
    }

    @Test
    void aPortOfAHostIsForgottenAlone() {
        DeviceTables host = new DeviceTables(2, values);
        host.forgetPort(1);
        for (int portNum = 1; portNum <= 2; portNum++) {
            host.confirmRow(0, portNum, 0x77);
            for (int part = 1; part <= 4; part++) {
                host.setVlArbitration(portNum, part, part(part));
            }
        }
        host.forgetPort(1);
        assertThat(host.knowsRow(0, 1)).isFalse();
        assertThat(host.knowsRow(0, 2)).isTrue();
        for (int part = 1; part <= 4; part++) {
            assertThat(host.vlArbitration(1, part)).isNull();
            assertThat(host.knowsVlArbitration(4 + part - 1)).isFalse();
            assertThat(host.vlArbitration(2, part)).isEqualTo(part(part));
            assertThat(host.knowsVlArbitration(2 * 4 + part - 1)).isTrue();
        }
        assertThat(host.knowsVlArbitration(100)).isFalse();
        assertThat(new DeviceTables(2, values).vlArbitration(1, 1)).isNull();
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
        DeviceTables tables = new DeviceTables(4, values);
        tables.learnBlock(0, block(3));
        byte[] target = table(LIDS, 3);
        tables.setTarget(target);
        assertThat(tables.isOnTarget()).isTrue();
        assertThat(tables.lft()).isSameAs(target);
        tables.invalidateBlock(0);
        assertThat(tables.isOnTarget()).isFalse();
        assertThat(tables.holdsTarget(0)).isFalse();
        tables.confirmBlock(1, block(2));
        assertThat(tables.entry(LIDS)).as("a block above the target").isEqualTo((byte) 2);
        assertThat(tables.isOnTarget()).isFalse();
    }

    @Test
    void aSpreadRowForAllPairsIsKnownAtAllPorts() {
        DeviceTables tables = new DeviceTables(3, values);
        tables.confirmRows(new Sl2VlCover.Spread(Sl2VlCover.ALL, 2, 0x77));
        for (int in = 0; in <= 3; in++) {
            for (int out = 0; out <= 3; out++) {
                assertThat(tables.knowsRow(in, out)).as("%d to %d", in, out).isEqualTo(out == 2);
            }
        }
    }

    /** A switch with 15 ports has one position, one with 16 has two. */
    @Test
    void positionsIncludePort0() {
        DeviceTables one = new DeviceTables(15, values);
        one.setMulticast(0, 0, DeviceTables.NO_MULTICAST);
        assertThat(one.multicast(1, 0)).isNull();
        DeviceTables two = new DeviceTables(16, values);
        two.setMulticast(0, 1, DeviceTables.NO_MULTICAST);
        assertThat(two.multicastBlocks()).isEqualTo(1);
        assertThat(two.multicast(0, 0)).isNull();
        assertThat(two.multicast(0, 1)).isNotNull();
    }

    /** The first block of a target was written before another target followed. */
    @Test
    void theFirstBlockOfAnUnfinishedTargetStaysKnown() {
        DeviceTables tables = new DeviceTables(4, values);
        tables.learnBlock(0, block(1));
        tables.learnBlock(1, block(1));
        tables.setTarget(table(2 * LIDS, 3));
        tables.invalidateBlock(0);
        tables.confirmBlock(0, block(3));
        tables.setTarget(table(2 * LIDS, 1));
        assertThat(tables.entry(0)).isEqualTo((byte) 3);
        assertThat(tables.holdsTarget(0)).isFalse();
        assertThat(tables.holdsTarget(1)).isTrue();
    }

    @Test
    void aBlockAboveTheKnownTableHasNoKnownContent() {
        DeviceTables tables = new DeviceTables(4, values);
        tables.learnBlock(0, block(1));
        assertThat(tables.holdsBlock(0, block(1))).isTrue();
        assertThat(tables.holdsBlock(1, block(NO_PATH))).isFalse();
    }
}
