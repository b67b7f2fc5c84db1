package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.SlToVlMappingTable;
import org.junit.jupiter.api.Test;

/** The numbers of distinct SL2VL rows, from 1 to 0xffff. */
class RowValuesTest {
    private static final int MAX_ROWS = 0xffff;

    private final RowValues values = new RowValues();

    @Test
    void differentRowsHaveDifferentNumbers() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(values.number((long) i << 32)).isEqualTo((short) (2 * i + 1));
            assertThat(values.number(~(long) i)).isEqualTo((short) (2 * i + 2));
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(values.row(values.number((long) i << 32))).isEqualTo((long) i << 32);
            assertThat(values.row(values.number(~(long) i))).isEqualTo(~(long) i);
        }
    }

    @Test
    void aRowIsWrittenByOneAttribute() {
        SlToVlMappingTable table = values.table(0x0123_4567_89ab_cdefL);
        assertThat(table.packed()).isEqualTo(0x0123_4567_89ab_cdefL);
        assertThat(values.table(0x0123_4567_89ab_cdefL)).isSameAs(table);
        assertThat(values.table(0).packed()).isZero();
    }

    @Test
    void rowsWithoutRoomHaveNoNumberAndAreWrittenAnyway() {
        for (int i = 1; i <= MAX_ROWS; i++) {
            values.number(i);
        }
        assertThat(Short.toUnsignedInt(values.number(MAX_ROWS))).isEqualTo(MAX_ROWS);
        assertThat(values.number(-1)).isEqualTo(RowValues.NONE);
        assertThat(values.table(-1).packed()).isEqualTo(-1);
        assertThat(values.table(-2).packed()).isEqualTo(-2);
        assertThat(values.row(values.number(MAX_ROWS))).isEqualTo(MAX_ROWS);
    }

    @Test
    void numbersStayWhenTheTableGrows() {
        short[] numbers = new short[1_000];
        for (int row = 0; row < numbers.length; row++) {
            numbers[row] = values.number(row);
        }
        for (int row = 0; row < numbers.length; row++) {
            assertThat(values.number(row)).isEqualTo(numbers[row]);
            assertThat(values.row(numbers[row])).isEqualTo(row);
        }
    }
}
