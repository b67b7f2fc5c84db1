package io.torussm.partition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** P_Key tables of virtual ports. By default, all ports are full members of partitions 0x7fff and 5. */
class VPortKeysTest {
    private static final PortKeys NOTHING = PortKeys.NONE;

    private final VPortKeys keys = new VPortKeys(new PartitionSettings(
            Objects.requireNonNull(PartitionConf.parse("test", "Default=0x7fff: ALL=full;\nP=5: ALL=full;\n", true)
                    .conf()),
            PartitionSettings.Enforcement.BOTH,
            true,
            false));

    /** Returns a table in which P_Key 0x8005 has an index. */
    private PortKeys at(int index) {
        int[] held = new int[index + 1];
        held[index] = 0x8005;
        return keys.wantedTable(1, index + 1, PortKeys.of(held)).keys();
    }

    @Test
    void equalTablesAreSharedInMemory() {
        assertThat(keys.wantedTable(1, 8, NOTHING).keys())
                .isSameAs(keys.wantedTable(2, 8, NOTHING).keys());
    }

    @Test
    void indexesThatDevicesReportFillNoMemory() {
        PortKeys first = at(1);
        assertThat(at(1)).isSameAs(first);
        for (int index = 2; index < 2 + VPortKeys.MAX_SHARED_TABLES; index++) {
            at(index);
        }
        assertThat(at(1)).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void theKeysOfTheLastVPortsDoNotPassWithoutRoom() {
        StringBuilder conf = new StringBuilder("Default=0x7fff: ALL=full;\n");
        for (int pKey = 1; pKey <= 4; pKey++) {
            conf.append(String.format("P%d=0x%x: 0x%x=full;%n", pKey, pKey, pKey));
        }
        VPortKeys many = new VPortKeys(new PartitionSettings(
                Objects.requireNonNull(
                        PartitionConf.parse("test", conf.toString(), true).conf()),
                PartitionSettings.Enforcement.BOTH,
                true,
                false));
        PortKeys own = PortKeys.of(0xffff, 0x0004);
        List<Long> vports = List.of(1L, 2L, 3L, 4L);
        assertThat(many.passingKeys(own, vports, 8)).containsExactly(0xffff, 0x8004, 0x8001, 0x8002, 0x8003);
        assertThat(many.passingKeys(own, vports, 3)).containsExactly(0xffff, 0x8004, 0x8001);
        assertThat(many.passingKeys(own, vports, 1)).as("no room for the port").containsExactly(0xffff, 0x8004);
    }
}
