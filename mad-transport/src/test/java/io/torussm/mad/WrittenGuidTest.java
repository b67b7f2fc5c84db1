package io.torussm.mad;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** GUIDs in the forms in which operators copy them from the output of other programs. */
class WrittenGuidTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "0x0002c90300001234",
                "0X2C90300001234",
                "0002c90300001234",
                "0002:c903:0000:1234",
                "S-0002c90300001234",
                "H-0002C90300001234",
                "R-0002c90300001234"
            })
    void aGuidInAnyFormOfInfinibandToolsIsRead(String text) {
        assertThat(Guid.parseAnyForm(text)).hasValue(0x0002_c903_0000_1234L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "17",
                "2c90300001234", // 13 digits without 0x
                "0x",
                "0x00002c90300001234", // 17 digits
                "X-0002c90300001234",
                "S-2c90300001234",
                "S-0x0002c90300001234",
                "0002:c903:0000",
                "0002:c903:0000:123",
                "0x0002c903_00001234"
            })
    void aTextThatNoToolPrintsIsNoGuid(String text) {
        assertThat(Guid.parseAnyForm(text)).isEmpty();
    }
}
