package io.torussm.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The VLs that an arbiter picks for packets of 2 KiB, by weights, priority and limit. */
class VlArbiterTest {
    private static final int PACKET = 2_048;

    /**
     * Returns the VLs of consecutive packets of 2 KiB, as a digit each.
     *
     * @param ready VLs that always have a packet, bit n for VL n
     */
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

    /** Pairs of a VL and its weight in units of 64 bytes. */
    private static final int[] HIGH = {2, 32, 3, 32};

    private static final int[] LOW = {0, 64, 1, 32};

    /** A limit is in units of 4 KiB; 255 is none. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "low VLs only: 4 KiB of VL 0 and 2 KiB of VL 1, 255, 0 1, 001001001",
        "no limit: low VLs never, 255, 0 1 2 3, 232323232",
        "limit 0: a packet of each priority in turn, 0, 0 1 2 3, 203021302",
        "limit 1: 4 KiB of high VLs and then a low one, 1, 0 1 2 3, 230",
        "limit 1 without waiting low VLs: high VLs only, 1, 2 3, 23232"
    })
    void anArbiterSharesALinkByWeightsPriorityAndLimit(String title, int limit, String readyVls, String turns) {
        int ready = Stream.of(readyVls.split(" ", -1))
                .mapToInt(vl -> 1 << Integer.parseInt(vl))
                .sum();
        VlArbiter arbiter = new VlArbiter(TestTraffic.tables(limit, HIGH, LOW));
        assertThat(turns(arbiter, ready, turns.length())).as(title).isEqualTo(turns);
    }
}
