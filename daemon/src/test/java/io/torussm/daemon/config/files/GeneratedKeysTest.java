package io.torussm.daemon.config.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.daemon.config.SettingValues;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.mastership.Trust;
import io.torussm.state.StateFile;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The keys that this program generates, and their change. The former keys are 0x4141 and 0x6464, the present ones
 * 0x4242 and 0x5353; they changed at {@link #CHANGED_S}, in s since 1970.
 */
class GeneratedKeysTest {
    private static final long CHANGED_S = 1_000_000;
    private static final SmOptions STANDARD = SmOptions.of(SettingValues.defaults());
    private final GeneratedKeys keys = new GeneratedKeys(0x4242, 0x5353, 0x4141, 0x6464, CHANGED_S);

    @Test
    void areNeverWellKnownNorThePreviousOnes() {
        SmOptions active = keys.applyTo(STANDARD, CHANGED_S + GeneratedKeys.FORMER_UNTIL_S);
        assertThat(GeneratedKeys.generate(generatorOf(0L, 1L, 0x4242L, 7L, 0L, 0x5353L, 8L), active, CHANGED_S + 9))
                .isEqualTo(new GeneratedKeys(7, 8, 0x4242, 0x5353, CHANGED_S + 9));
    }

    @Test
    void areInForceWhereTheConfigurationHasNone() {
        SmOptions over = keys.applyTo(STANDARD, CHANGED_S);
        assertThat(over.sweep().mKey()).isEqualTo(0x4242);
        assertThat(over.mastership().mKeyProtectBits())
                .as("with level 0 every reader gets it")
                .isEqualTo(1);
        SmOptions configured = SmOptions.of(STANDARD.values()
                .with(Settings.M_KEY, "0x77")
                .with(Settings.SM_KEY, "0x78")
                .with(Settings.M_KEY_PROTECTION_LEVEL, "2"));
        assertThat(keys.applyTo(configured, CHANGED_S)).isSameAs(configured);
        assertThat(GeneratedKeys.NONE.applyTo(STANDARD, CHANGED_S)).isSameAs(STANDARD);
        assertThat(over.toString() + keys).doesNotContain("4242", "5353", "6464");
    }

    /** Two SMs never ignore each other, even if one is notified of the change later, or its clock is wrong. */
    @Test
    void smsAcceptEachOtherWhileTheSmKeyChanges() {
        SmOptions before = SmOptions.of(STANDARD.values().with(Settings.SM_KEY, "0x6464"));
        long guid = 5;
        for (long own : new long[] {-120, 0, 59, 60, 600, 3599, 3600, 7200}) {
            Trust mine = trust(keys.applyTo(STANDARD, CHANGED_S + own));
            assertThat(own < GeneratedKeys.SHOWN_AFTER_S ? trust(before).objection(guid, mine.smKey()) : "")
                    .as("who has not heard of it yet, after %d s", own)
                    .isEmpty();
            for (long skew : new long[] {-3000, -60, 0, 60, 3000}) {
                Trust others = trust(keys.applyTo(STANDARD, CHANGED_S + own + skew));
                assertThat(mine.objection(guid, others.smKey()) + others.objection(guid, mine.smKey()))
                        .as("after %d s, skew %d s", own, skew)
                        .isEmpty();
            }
            assertThat(mine.objection(guid, 0)).as("who hides its key").isEmpty();
        }
        Trust late = trust(keys.applyTo(STANDARD, CHANGED_S + GeneratedKeys.FORMER_UNTIL_S));
        assertThat(late.objection(guid, 0x6464)).isNotEmpty();
        assertThat(late.smKey()).isEqualTo(0x5353);
    }

    @Test
    void saysWhenItWouldBeOtherwise() {
        assertThat(keys.nextChangeS(CHANGED_S)).isEqualTo(CHANGED_S + GeneratedKeys.SHOWN_AFTER_S);
        assertThat(keys.nextChangeS(CHANGED_S + GeneratedKeys.SHOWN_AFTER_S))
                .isEqualTo(CHANGED_S + GeneratedKeys.FORMER_UNTIL_S);
        assertThat(keys.nextChangeS(CHANGED_S + GeneratedKeys.FORMER_UNTIL_S)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void areReadAsTheyWereWritten() {
        GeneratedKeys.KeyLines lines = new GeneratedKeys.KeyLines();
        keys.lines().forEach(line -> assertThat(lines.parseLine(line)).isEmpty());
        assertThat(lines.value()).isEqualTo(keys);
        assertThat(lines.parseLine(keys.lines().findFirst().orElseThrow()))
                .as("a second line")
                .isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0x1 0x2 0x3 0x4",
                "0x4242 0 0x1 0x1 5",
                "a b c d e",
                "0x4242 0x5353 0 0x6464 -1",
                "0x4242 0x5353 0 0x6464 9999999999999"
            })
    void aDamagedFileIsRefusedWithoutShowingIt(String line) {
        byte[] file = (line + "\n").getBytes(StandardCharsets.UTF_8);
        assertThat(new GeneratedKeys.KeyLines().parseLine(line)).isNotEmpty().doesNotContain("4242");
        assertThatThrownBy(() -> GeneratedKeys.FILE.parse(file, new GeneratedKeys.KeyLines()))
                .isInstanceOf(StateFile.DamagedFileException.class)
                .hasMessageNotContaining("4242");
    }

    private static RandomGenerator generatorOf(Long... numbers) {
        Iterator<Long> next = List.of(numbers).iterator();
        return next::next;
    }

    private static Trust trust(SmOptions options) {
        return options.mastership().trust();
    }
}
