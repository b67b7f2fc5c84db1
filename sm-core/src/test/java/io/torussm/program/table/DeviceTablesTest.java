package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.VlArbitrationTable;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** The tables of many devices take memory for their differences only. */
class DeviceTablesTest {
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
}
