package io.torussm.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.testing.Seeds;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Node name maps; that infiniband-diags take the same names from the same lines shows {@code NodeNamesInteropTest}. */
class NodeNamesTest {
    private static NodeNames.Parsed parse(String text) {
        return NodeNames.parse(
                "map", text.replace("\\n", "\n").replace("\\t", "\t").replace("\\r", "\r"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "0x10 \"leaf 1\"                    | leaf 1",
                "0x10 leaf-1                        | leaf-1",
                "0x10 leaf 1 # the first            | leaf 1",
                "  0x10\\t\"leaf 1\" # behind       | leaf 1",
                "0x10 \"leaf 1                      | leaf 1",
                "16 decimal                         | decimal",
                "020 octal                          | octal",
                "0x10 \"leaf 1\"\\r                 | leaf 1",
                "# 0x10 no\\n\\n0x10 \"a\"          | a",
                "0x10 Zürich                        | Zürich",
            })
    void aLineGivesANodeItsName(String text, String name) {
        NodeNames.Parsed parsed = parse(text);
        assertThat(parsed.findings()).isEmpty();
        assertThat(Objects.requireNonNull(parsed.names()).name(0x10)).contains(name);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "0x10 a\\n0x10 b          | a  | map:2: the node has a name already, which counts; remove one",
                "0x10 \"a\" b             | a  | map:1: what follows the name is passed over: \"b\"; put a #",
                "0x10 \"a\"\\n0x11 \"\"   | a  | map:2: the line gives no name and is passed over",
                "0x10 a\\n0x11            | a  | map:2: the line gives no name and is passed over",
            })
    void whatOthersPassOverIsWarnedOf(String text, String name, String warning) {
        NodeNames.Parsed parsed = parse(text);
        assertThat(Objects.requireNonNull(parsed.names()).name(0x10)).contains(name);
        assertThat(parsed.findings()).extracting(Finding::severity).containsExactly(Finding.Severity.WARNING);
        assertThat(parsed.findings().get(0).text()).startsWith(warning);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "0x10 a\\n\"leaf\" 0x10       | map:2: ?\"leaf\"? is no GUID; write 0x and its digits",
                "0002c90300001234 leaf        | map:1: \"0002c90300001234\" is no GUID; write 0x",
                "0x12345678901234567 leaf     | map:1: \"0x12345678901234567\" is no GUID",
                "0x10 \"a\\tb\"               | map:1: the name has the character U+0009, which is not printable",
                "0x10 \"a\u001b[2Jb\"         | map:1: the name has the character U+001B, which is not printable",
                "0x10 \"a\u202eb\"            | map:1: the name has the character U+202E, which is not printable",
            })
    void errorsNameFileLineAndRemedy(String text, String error) {
        NodeNames.Parsed parsed = parse(text);
        assertThat(parsed.names()).isNull();
        assertThat(parsed.findings().get(0).text().replace("\"\"", "\"")).startsWith(error.replace("?", ""));
    }

    @Test
    void longNamesAreCutAndLongLinesRefused() {
        NodeNames.Parsed cut = parse("0x10 " + "n".repeat(65));
        assertThat(Objects.requireNonNull(cut.names()).name(0x10)).contains("n".repeat(64));
        assertThat(cut.findings().get(0).text())
                .isEqualTo("map:1: only the first 64 characters of the name are shown; shorten it");
        NodeNames.Parsed refused = parse("0x10 " + "n".repeat(250));
        assertThat(refused.names()).isNull();
        assertThat(refused.findings().get(0).text()).startsWith("map:1: the line has more than 254 characters; ");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void whateverTheFileHoldsEachFindingNamesItsLine(long seed) {
        Random random = Seeds.random(seed);
        for (int round = 0; round < 200; round++) {
            String text = FileMutations.of("0x10 \"leaf 1\" # one\n# two\n0x11 leaf-2\n\n0x12 \"spine\"\n", random);
            NodeNames.Parsed parsed = NodeNames.parse("map", text);
            FileMutations.checkFindings(text, parsed.findings(), parsed.names() == null);
            if (parsed.names() != null) {
                assertThat(parsed.names().names().values())
                        .allMatch(name -> !name.isEmpty() && name.length() <= 2 * NameText.MAX_CHARS)
                        .allMatch(name -> NameText.fault(name).isEmpty());
            }
        }
    }
}
