package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.LinearForwardingTable;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The words about LIDs that most switches get or lose. */
class LidChangesTest {
    private static final int BLOCK = LinearForwardingTable.LIDS_PER_BLOCK;
    private static final int LIDS = 8 * BLOCK;

    private final LidChanges changes = new LidChanges();

    /** Compares a switch that has a path to each LID but 43 with a target to all of them. */
    private void compare(byte[] target) {
        byte[] current = new byte[LIDS];
        current[43] = LinearForwardingTable.NO_PATH_ENTRY;
        DeviceTables tables = new DeviceTables(4, new RowValues());
        for (int block = 0; block < LIDS / BLOCK; block++) {
            tables.learnBlock(block, LinearForwardingTable.blockOf(current, block));
        }
        tables.setTarget(target);
        changes.compare(tables, target);
    }

    private static byte[] withOtherBlocks(int blocks) {
        byte[] target = new byte[LIDS];
        for (int block = 1; block <= blocks; block++) {
            target[block * BLOCK] = 2;
        }
        return target;
    }

    @Test
    void aLidIsNamedIfMostSwitchesGetIt() {
        byte[] unchanged = new byte[LIDS];
        unchanged[43] = LinearForwardingTable.NO_PATH_ENTRY;
        compare(unchanged);
        compare(withOtherBlocks(0));
        assertThat(changes.text()).as("one of two switches").isEmpty();
        compare(withOtherBlocks(0));
        assertThat(changes.text()).isEqualTo("LID 43 added in 2 switches");
    }

    @Test
    void lidsThatMostSwitchesLoseAreCounted() {
        byte[] target = withOtherBlocks(0);
        Arrays.fill(target, 100, 103, LinearForwardingTable.NO_PATH_ENTRY);
        compare(target);
        assertThat(changes.text()).isEqualTo("LID 43 added in 1 switch; 3 LIDs removed in 1 switch");
    }

    /** A LID explains few blocks. The comparison of tables that change as a whole would delay the loop. */
    @ParameterizedTest
    @CsvSource({"3, LID 43 added in 1 switch", "4, ''"})
    void tablesOfWhichMoreThanFourBlocksChangeAreNotCompared(int otherBlocks, String text) {
        compare(withOtherBlocks(otherBlocks));
        assertThat(changes.text()).isEqualTo(text);
    }

    /** The table ends with the first LID of its second block. */
    @Test
    void theLastBlockIsComparedThoughItIsNotFull() {
        DeviceTables tables = new DeviceTables(4, new RowValues());
        byte[] current = new byte[BLOCK + 1];
        current[BLOCK] = LinearForwardingTable.NO_PATH_ENTRY;
        tables.learnBlock(0, LinearForwardingTable.blockOf(current, 0));
        tables.learnBlock(1, LinearForwardingTable.blockOf(current, 1));
        byte[] target = new byte[BLOCK + 1];
        tables.setTarget(target);
        changes.compare(tables, target);
        assertThat(changes.text()).isEqualTo("LID 64 added in 1 switch");
    }
}
