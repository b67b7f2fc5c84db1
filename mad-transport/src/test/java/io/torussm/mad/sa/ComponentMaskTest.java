package io.torussm.mad.sa;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.Field;
import io.torussm.testing.Seeds;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Component masks: their bits as in the header of OpenSM, and their comparisons. */
class ComponentMaskTest {
    private static final Map<String, ComponentMask> MASKS = Map.ofEntries(
            Map.entry("PathRecord", PathRecord.COMPONENTS),
            Map.entry("NodeRecord", NodeRecord.COMPONENTS),
            Map.entry("PortInfoRecord", PortInfoRecord.COMPONENTS),
            Map.entry("MCMemberRecord", MCMemberRecord.COMPONENTS),
            Map.entry("LinkRecord", LinkRecord.COMPONENTS),
            Map.entry("VLArbitrationTableRecord", VlArbitrationTableRecord.COMPONENTS),
            Map.entry("SLtoVLMappingTableRecord", SlToVlMappingTableRecord.COMPONENTS),
            Map.entry("P_KeyTableRecord", PKeyTableRecord.COMPONENTS),
            Map.entry("SwitchInfoRecord", SwitchInfoRecord.COMPONENTS),
            Map.entry("LinearForwardingTableRecord", LinearForwardingTableRecord.COMPONENTS),
            Map.entry("MulticastForwardingTableRecord", MulticastForwardingTableRecord.COMPONENTS),
            Map.entry("ServiceRecord", ServiceRecord.COMPONENTS),
            Map.entry("GUIDInfoRecord", GuidInfoRecord.COMPONENTS),
            Map.entry("SMInfoRecord", SmInfoRecord.COMPONENTS),
            Map.entry("InformInfoRecord", InformInfoRecord.COMPONENTS),
            Map.entry("MultiPathRecord", MultiPathRecord.COMPONENTS));

    @Test
    void everyBitIsWhereOpenSmHasIt() throws IOException {
        int seen = 0;
        for (String line : lines("components.txt")) {
            String[] words = line.split(" ", -1);
            ComponentMask mask = Objects.requireNonNull(MASKS.get(words[0]));
            int bit = Integer.parseInt(words[2]);
            assertThat(mask.components().get(bit).name()).as(line).isEqualTo(words[1]);
            assertThat(mask.bit(mask.components().get(bit))).as(line).isEqualTo(1L << bit);
            seen++;
        }
        long named = MASKS.values().stream()
                .flatMap(mask -> mask.components().stream())
                .filter(field -> !isReserved(field))
                .count();
        assertThat(seen).as("every named component was compared").isEqualTo((int) named);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void aRecordMatchesIfAndOnlyIfEverySelectedFieldIsEqual(long seed) {
        Random random = Seeds.random(seed);
        for (ComponentMask mask : MASKS.values()) {
            for (int i = 0; i < 500; i++) {
                byte[] wanted = new byte[256];
                random.nextBytes(wanted);
                byte[] candidate = new byte[300];
                System.arraycopy(wanted, 56, candidate, 17, 176);
                boolean differs = false;
                long selected = random.nextLong();
                for (int bit = 0; bit < mask.components().size(); bit++) {
                    Field field = mask.components().get(bit);
                    if (random.nextInt(40) == 0) {
                        int flipped = field.offset() + random.nextInt(field.width());
                        candidate[17 + flipped / 8] = (byte) (candidate[17 + flipped / 8] ^ 0x80 >> flipped % 8);
                        differs |= (selected >> bit & 1) != 0 && !isReserved(field);
                    }
                }
                assertThat(mask.matches(selected, wanted, 56, candidate, 17)).isEqualTo(!differs);
            }
        }
    }

    @Test
    void fieldsBehindTheLastComponentHaveNoBit() {
        assertThatThrownBy(() -> PathRecord.COMPONENTS.bit(PathRecord.PREFERENCE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Preference")
                .hasMessageContaining("PathRecord");
    }

    @Test
    void bitsThatBelongToNoFieldSelectNothing() {
        byte[] zeros = new byte[64];
        byte[] others = new byte[64];
        Arrays.fill(others, 57, 64, (byte) 1);
        assertThat(PathRecord.COMPONENTS.matches(-1L, zeros, 0, others, 0)).isTrue();
    }

    private static boolean isReserved(Field field) {
        return field.name().startsWith("reserved");
    }

    private static List<String> lines(String file) throws IOException {
        try (InputStream in = Objects.requireNonNull(ComponentMaskTest.class.getResourceAsStream(file))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .toList();
        }
    }
}
