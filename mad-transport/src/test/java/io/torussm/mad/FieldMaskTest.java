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

/** The mask of several fields equals the fields one by one. */
class FieldMaskTest {
    private static final int SEEDS = 200;

    static LongStream seeds() {
        return LongStream.range(0, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void fieldsAreComparedAndClearedAsIfOneByOne(long seed) {
        Random random = Seeds.random(seed);
        List<Field> fields = new ArrayList<>(PortInfo.TYPE.layout().fields());
        fields.removeIf(field -> field.width() > Long.SIZE);
        Collections.shuffle(fields, random);
        List<Field> chosen = fields.subList(0, 1 + random.nextInt(8));
        FieldMask mask = new FieldMask(PortInfo.TYPE, chosen);
        PortInfo one = random(random);
        Field differs = fields.get(random.nextInt(fields.size()));
        PortInfo other = one.with(differs, one.get(differs) ^ 1);

        assertThat(one.agrees(other, mask)).isEqualTo(!chosen.contains(differs));
        PortInfo cleared = one.without(mask);
        for (Field field : fields) {
            assertThat(cleared.get(field)).isEqualTo(chosen.contains(field) ? 0 : one.get(field));
        }
    }

    private static PortInfo random(Random random) {
        byte[] bytes = new byte[PortInfo.TYPE.layout().size()];
        random.nextBytes(bytes);
        return PortInfo.TYPE.read(bytes, 0);
    }
}
