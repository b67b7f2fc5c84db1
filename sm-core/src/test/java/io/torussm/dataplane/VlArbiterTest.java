package io.torussm.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The VLs that an arbiter picks for packets of 2 KiB, by weights, priority and limit. */
class VlArbiterTest {
    private static final int PACKET = 2_048;

    /** Returns the VLs of consecutive packets of 2 KiB if all VLs of a set are always ready. */
    private static String turns(VlArbiter arbiter, int ready, int packets) {
        return IntStream.range(0, packets)
                .map(i -> {
                    int vl = arbiter.pick(ready);
                    arbiter.send(PACKET);
                    return vl;
                })
                .mapToObj(Integer::toString)
                .collect(Collectors.joining());
    }

    /** VLs 0 and 1 low with 64 and 32 units of 64 bytes, VLs 2 and 3 high with 32 each; a limit is in 4 KiB. */
    @ParameterizedTest
    @CsvSource({
        "255, 3, 001001001", // 4 KiB of VL 0, 2 KiB of VL 1
        "255, 15, 232323232", // low priority never
        "0, 15, 203021302", // a packet of each priority in turn
        "1, 15, 230", // 4 KiB, then one of low priority
        "1, 12, 23232" // no packet of low priority waits
    })
    void sharesByWeightsPriorityAndLimit(int limit, int ready, String turns) {
        VlArbiter arbiter =
                new VlArbiter(TestTraffic.tables(limit, new int[] {2, 32, 3, 32}, new int[] {0, 64, 1, 32}));
        assertThat(turns(arbiter, ready, turns.length())).isEqualTo(turns);
    }
}
