package io.torussm.names;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.Seeds;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The parser of a site map: racks, rows and units of nodes and coordinates, and labels of cables. */
class SiteMapTest {
    private static final String GOOD = """
            # the torus
            place 0,1,2  rack=R7 row=B unit=12
            place (3,0,0) rack="R 8"
            node 0x10 rack=R9 # moved
            node S-0000000000000011 row=C
            node 0000:0000:0000:0012 unit=1
            cable 0x10/7 label=C-1234
            """;

    private static SiteMap map(String text) {
        SiteMap.Parsed parsed = SiteMap.parse("map", text);
        assertThat(parsed.findings()).isEmpty();
        return Objects.requireNonNull(parsed.map());
    }

    @Test
    void nodesAndPlacesHaveRacksAndCablesLabels() {
        SiteMap map = map(GOOD);
        assertThat(map.site(0x99, "(0,1,2)")).hasToString("row B, rack R7, unit 12");
        assertThat(map.site(0x99, "(3,0,0)")).hasToString("rack R 8");
        assertThat(map.site(0x11, "")).hasToString("row C");
        assertThat(map.site(0x12, "")).hasToString("unit 1");
        assertThat(map.site(0x99, "").isUnknown()).isTrue();
        assertThat(map.label(0x10, 7)).isEqualTo("C-1234");
        assertThat(map.label(0x10, 8)).isEmpty();
    }

    @Test
    void settingsOfANodePrecedeThoseOfItsCoordinates() {
        assertThat(map(GOOD).site(0x10, "(0,1,2)")).hasToString("row B, rack R9, unit 12");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "nod 0x10 rack=1              | a line begins with node, place or cable, not \"nod\"; did you mean \"node\"?",
                "node leaf-1 rack=1           | \"leaf-1\" is no node GUID; write one such as 0x0002c90300001234",
                "node 0x10                    | the line has no value; write rack=... or row=... or unit=...",
                "node 0x10 rack               | the line has no value; write rack=",
                "node 0x10 rack=1 oops        | the line has an error at \"oops\"; write rack=",
                "node 0x10 rack=\"1           | the line has no value; write rack=",
                "node 0x10 rak=1              | there is no \"rak\" here; did you mean \"rack\"?",
                "node 0x10 rack=              | rack has no value; write one, or leave it out",
                "node 0x10 rack=1 rack=2      | rack stands twice in the line; keep one",
                "node 0x10 rack=\"a\u001bb\"  | rack has the character U+001B, which is not printable",
                "place 0,1 rack=1             | \"0,1\" is no place in a torus; write one such as 0,1,2",
                "cable 0x10 label=a           | \"0x10\" is no end of a cable; write a node GUID and a port",
                "cable 0x10/0 label=a         | \"0x10/0\" is no end of a cable;",
                "cable 0x10/255 label=a       | \"0x10/255\" is no end of a cable;",
                "cable 0x10/7 rack=a          | there is no \"rack\" here; did you mean \"label\"?",
            })
    void errorsNameFileLineAndRemedy(String line, String error) {
        SiteMap.Parsed parsed = SiteMap.parse("map", "# first\n" + line + "\n");
        assertThat(parsed.map()).isNull();
        assertThat(parsed.findings()).hasSize(1);
        assertThat(parsed.findings().get(0).text()).startsWith("map:2: " + error);
    }

    @Test
    void rejectsRepeatedAndLongValues() {
        assertThat(SiteMap.parse("map", "place 0,0,1 rack=1\nplace (0,00,1) rack=2\n")
                        .findings())
                .extracting(Object::toString)
                .singleElement()
                .asString()
                .contains("map:2: there is a line for this place already; keep one of the two");
        assertThat(SiteMap.parse("map", "node 0x10 rack=" + "r".repeat(65)).findings())
                .extracting(Object::toString)
                .singleElement()
                .asString()
                .contains("map:1: rack has more than 64 characters; shorten it");
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void whateverTheFileHoldsEachFindingNamesItsLine(long seed) {
        Random random = Seeds.random(seed);
        for (int round = 0; round < 200; round++) {
            String text = FileMutations.of(GOOD, random);
            SiteMap.Parsed parsed = SiteMap.parse("map", text);
            FileMutations.checkFindings(text, parsed.findings(), parsed.map() == null);
        }
    }
}
