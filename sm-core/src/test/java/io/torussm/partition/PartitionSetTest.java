package io.torussm.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.Seeds;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The P_Keys of up to 3 random tables together, compared with each table alone. Partitions are 0 to 5. */
class PartitionSetTest {
    private static PortKeys table(Random random) {
        return PortKeys.of(
                IntStream.generate(() -> random.nextInt(4) == 0 ? 0 : random.nextInt(2) << 15 | random.nextInt(6))
                        .limit(random.nextInt(5))
                        .toArray());
    }

    @Test
    void severalTablesTogetherAreWhatAnyOfThemIs() {
        Random random = Seeds.random(1);
        for (int i = 0; i < 2000; i++) {
            List<PortKeys> tables = Stream.generate(() -> table(random))
                    .limit(random.nextInt(4))
                    .toList();
            PartitionSet together = PartitionSet.of(tables);
            PortKeys other = table(random);
            assertThat(together.sharesWith(other))
                    .as("%s and %s", tables, other)
                    .isEqualTo(tables.stream().anyMatch(each -> each.sharesWith(other)));
            for (int pKey = 1; pKey < 6; pKey++) {
                int base = pKey;
                assertThat(together.isIn(base)).isEqualTo(tables.stream().anyMatch(each -> each.isIn(base)));
            }
        }
    }
}
