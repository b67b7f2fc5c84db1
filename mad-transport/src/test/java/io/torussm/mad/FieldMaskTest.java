package io.torussm.mad;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.PortInfo;
import io.torussm.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A mask of random fields of PortInfo compares and clears the same bits as its fields one by one. The fields cover all
 * bits, because reserved bits are fields as well ({@link Layout#fields}).
 */
class FieldMaskTest {
    private static final int SEEDS = 200;
    private static final int MAX_CHOSEN = 8;

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void fieldsAreComparedAndClearedAsIfOneByOne(long seed) {
        Random random = Seeds.random(seed);
        List<Field> fields = new ArrayList<>(PortInfo.TYPE.layout().fields());
        Collections.shuffle(fields, random);
        List<Field> chosen = fields.subList(0, 1 + random.nextInt(MAX_CHOSEN));
        FieldMask mask = new FieldMask(PortInfo.TYPE, chosen);
        PortInfo one = random(random);
        Field changed = fields.get(random.nextInt(fields.size()));
        PortInfo other = one.with(changed, one.get(changed) ^ 1);

        assertThat(one.isEqualIn(other, mask)).isEqualTo(!chosen.contains(changed));
        PortInfo expected = one;
        for (Field field : chosen) {
            expected = expected.with(field, 0);
        }
        assertThat(one.without(mask)).isEqualTo(expected);
    }

    private static PortInfo random(Random random) {
        byte[] bytes = new byte[PortInfo.TYPE.layout().size()];
        random.nextBytes(bytes);
        return PortInfo.TYPE.read(bytes, 0);
    }
}
