package io.torussm.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.DeviceText;
import java.util.List;
import org.junit.jupiter.api.Test;

class NameListTest {
    @Test
    void namesUpToTheLimitAreAllShown() {
        assertThat(NameList.of(List.of(), 2)).isEmpty();
        assertThat(NameList.of(List.of("a"), 2)).isEqualTo("a");
        assertThat(NameList.of(List.of("a", "b"), 2)).isEqualTo("a, b");
    }

    @Test
    void furtherNamesAreCounted() {
        assertThat(NameList.of(List.of("a", "b", "c"), 2)).isEqualTo("a, b and 1 more");
        assertThat(NameList.of(List.of("a", "b", "c"), 9, 2)).isEqualTo("a, b and 7 more");
        assertThat(NameList.of(List.of(DeviceText.of("sw-1"), DeviceText.of("sw-2")), 1))
                .isEqualTo("sw-1 and 1 more");
    }
}
