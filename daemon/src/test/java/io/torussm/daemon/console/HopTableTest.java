package io.torussm.daemon.console;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HopTableTest {
    private final HopTable table = new HopTable();

    @Test
    void leavesOutWhatNobodyKnows() {
        table.addSwitch("sw", "", 1, 2, "0", "");
        assertThat(table.lines()).containsExactly("hop  node  in  out  VL", "1    sw    1   2    0");
    }

    @Test
    void wrapsLongReasonsBehindTheDirection() {
        table.addSwitch(
                "a switch",
                "(10,1,0)",
                1,
                12,
                "0/4",
                "-x  " + "word ".repeat(30).strip());
        assertThat(table.lines()).allMatch(line -> line.length() <= 118).hasSize(4);
        assertThat(table.lines().get(1)).startsWith("1    a switch  (10,1,0)  1   12   0/4  -x  word word");
        assertThat(table.lines().get(2)).matches(" {43}word( word)*");
        assertThat(String.join(" ", table.lines()).split("word", -1)).hasSize(31);
    }

    @Test
    void leavesLongNamesWholeAndReasonsReadable() {
        String name = "n".repeat(100);
        table.addSwitch(name, "", 1, 2, "0", "+x  " + "word ".repeat(30).strip());
        assertThat(table.lines().get(1)).contains(name + "  1", "+x  word word word");
        assertThat(table.lines()).hasSizeLessThan(8);
    }
}
