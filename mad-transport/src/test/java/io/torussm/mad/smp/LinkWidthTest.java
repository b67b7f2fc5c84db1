package io.torussm.mad.smp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The widths of links by the codes of IBA 14.2.5.6. */
class LinkWidthTest {
    @ParameterizedTest(name = "code {0}: {1}")
    @CsvSource({"1,1x,1", "2,4x,4", "4,8x,8", "8,12x,12", "16,2x,2"})
    void aCodeHasItsWidth(int code, String text, int lanes) {
        LinkWidth width = LinkWidth.ofCode(code).orElseThrow();
        assertThat(width).hasToString(text);
        assertThat(width.lanes()).isEqualTo(lanes);
        assertThat(width.code()).isEqualTo(code);
    }

    @Test
    void widthsAreOrderedByLanes() {
        assertThat(LinkWidth.values()).extracting(LinkWidth::lanes).isSorted();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 3, 32, 255})
    void anUndefinedCodeHasNoWidth(int code) {
        assertThat(LinkWidth.ofCode(code)).isEmpty();
    }
}
