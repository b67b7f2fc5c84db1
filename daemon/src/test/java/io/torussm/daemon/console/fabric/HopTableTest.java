package io.torussm.daemon.console.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/** The table of the hops of one path, as lines for a terminal. Each table has one hop, from port 1 of a switch. */
class HopTableTest {
    @Test
    void leavesOutUnknownValues() {
        assertThat(lines("sw", "", 2, List.of(0), ""))
                .containsExactly("hop  node  in  out  VL", "1    sw    1   2    0");
    }

    /** A reason of 30 words does not fit one line. Continued lines begin below the first word after the direction. */
    @Test
    void wrapsLongReasonsBehindTheDirection() {
        List<String> lines = lines(
                "a switch",
                "(10,1,0)",
                12,
                List.of(0, 4),
                "-x  " + "word ".repeat(30).strip());
        assertThat(lines).allMatch(line -> line.length() <= 118).hasSize(4);
        assertThat(lines.get(1)).startsWith("1    a switch  (10,1,0)  1   12   0/4  -x  word word");
        assertThat(lines.get(2)).matches(" {43}word( word)*");
        assertThat(String.join(" ", lines).split("word", -1)).hasSize(31);
    }

    @Test
    void leavesLongNamesWholeAndReasonsReadable() {
        String name = "n".repeat(100);
        List<String> lines =
                lines(name, "", 2, List.of(0), "+x  " + "word ".repeat(30).strip());
        assertThat(lines.get(1)).contains(name + "  1", "+x  word word word");
        assertThat(lines).hasSizeLessThan(8);
    }

    private static List<String> lines(String node, String place, int out, List<Integer> vls, String reason) {
        return new HopTable(List.of(new HopTable.Hop(1, node, "0x1", place, "", 1, out, "", vls, reason))).lines();
    }
}
