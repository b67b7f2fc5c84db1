package io.torussm.daemon.dump;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** The writer of the text of dump files: widths of numbers, names without control characters, and its buffer. */
class TextTest {
    private interface TextWriter {
        void to(AsciiWriter text) throws IOException;
    }

    @Test
    void padsNumbersAndNeverCutsThem() throws IOException {
        assertThat(textOf(text -> text.hex(0, 1).put(' ').hex(0x1f, 4).put(' ').upperHex(-1L, 2)))
                .isEqualTo("0 001f FFFFFFFFFFFFFFFF");
        assertThat(textOf(text ->
                        text.decimal(0, 1).put(' ').decimal(7, 3).put(' ').decimal(49151, 3)))
                .isEqualTo("0 007 49151");
        assertThat(textOf(text ->
                        text.decimalLeft(5, 3).put('|').decimalLeft(1234, 3).put('|')))
                .isEqualTo("5  |1234|");
    }

    @Test
    void letsNoNameForgeALine() throws IOException {
        assertThat(textOf(text -> text.putName("a}\n{\"b' \u00e9\u0000"))).isEqualTo("a????b? ??");
    }

    @Test
    void writesMoreThanItsBuffer() throws IOException {
        String long1 = "0123456789".repeat(20_000);
        assertThat(textOf(text -> text.put(long1))).isEqualTo(long1);
    }

    private static String textOf(TextWriter writing) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (AsciiWriter text = new AsciiWriter(bytes)) {
            writing.to(text);
        }
        return bytes.toString(StandardCharsets.US_ASCII);
    }
}
