package io.torussm.daemon.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** JSON of clients: numbers that a record accepts, and texts that are rejected. */
class JsonReadTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"boxed\":1e999999999",
                "\"boxed\":-1e999999999",
                "\"count\":1e9",
                "\"count\":1e999999999",
                "\"boxed\":NaN",
                "\"boxed\":\"1\"",
                "\"boxed\":[1]"
            })
    void numbersThatCannotBeAreRefusedInOwnWords(String member) {
        assertThatThrownBy(() -> read("{" + member + "}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageMatching(
                        "the JSON is not as it should be at \\w+|this is no JSON, or too large or too deep");
        assertThatThrownBy(() -> Json.readFile(bytes("{" + member + "}"), Numbers.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("1: ");
    }

    @Test
    void numbersAreRead() {
        assertThat(read("{\"boxed\":2.5,\"count\":3}")).isEqualTo(new Numbers(2.5, 3));
        assertThat(read("{\"boxed\":7}")).isEqualTo(new Numbers(7.0, null));
        assertThat(read("{\"boxed\":1e-400,\"count\":null}")).isEqualTo(new Numbers(0.0, null));
    }

    @Test
    void otherFormsOfCharactersAreRefused() {
        byte[] overlong = bytes("{\"count\":??}");
        overlong[9] = (byte) 0xc0;
        overlong[10] = (byte) 0xb0;
        assertThatThrownBy(() -> Json.read(overlong, Numbers.class)).hasMessage("the JSON is not UTF-8");
        assertThatThrownBy(() -> Json.readFile(overlong, Numbers.class))
                .hasMessage("1: the file is not UTF-8; convert it");
        byte[] utf16 = "{\"count\":1}".getBytes(StandardCharsets.UTF_16LE);
        assertThatThrownBy(() -> Json.read(utf16, Numbers.class)).isInstanceOf(IllegalArgumentException.class);
    }

    private record Numbers(@Nullable Double boxed, @Nullable Integer count) {}

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Numbers read(String text) {
        return Json.read(bytes(text), Numbers.class);
    }
}
