package io.torussm.daemon.console.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.daemon.console.ConsoleCase;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import java.io.IOException;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Names, racks and labels of the operator in the output of the console: {@code leaf 1} is sw-a and {@code leaf-2} is
 * sw-b of {@link Views#twoSwitches}.
 */
class NamesTest extends ConsoleCase {
    @BeforeEach
    void name() {
        control.view = Views.named(
                Views.twoSwitches(),
                "0x200000 \"leaf 1\"\n0x200001 leaf-2\n",
                "place 1,0,0 rack=R7 unit=12\nnode 0x200001 row=B\ncable 0x200001/3 label=C-1\n");
    }

    @Test
    void aNodeHasTheNameThatTheOperatorGaveIt() throws IOException {
        assertThat(execute("node \"leaf 1\"")).contains("switch leaf 1 (1,0,0)", "stands in          rack R7, unit 12");
        assertThat(execute("node sw-a")).last().isEqualTo("error");
        assertThat(execute("switch leaf-2")).first().asString().endsWith(", LID 2, row B");
        assertThat(execute("switches")).anyMatch(line -> line.endsWith("(1,0,0)  leaf 1"));
        assertThat(execute("names leaf")).contains("leaf 1", "leaf-2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "leaf-2",
                "0x200001",
                "0000000000200001",
                "S-0000000000200001",
                "0000:0000:0020:0001",
                "2",
                "0,0,0",
                "(0,0,0)"
            })
    void aNodeCanBeWrittenInManyWays(String node) throws IOException {
        assertThat(execute("node " + node)).first().isEqualTo("switch leaf-2 (0,0,0)");
        assertThat(execute("port " + node)).first().isEqualTo("node       leaf-2 (0,0,0)");
        assertThat(execute("path host-0 " + node)).last().isEqualTo("ok");
    }

    @Test
    void aCableHasItsLabelAtBothEnds() throws IOException {
        assertThat(execute("port leaf-2 3")).contains("stands in  row B", "cable      C-1");
        assertThat(execute("port \"leaf 1\" 3")).contains("stands in  rack R7, unit 12", "cable      C-1");
        assertThat(execute("port leaf-2 2")).noneMatch(line -> line.startsWith("cable"));
        assertThat(execute("port leaf-2 3 --json")).anyMatch(line -> line.contains("C-1"));
    }

    @Test
    void aPathTellsRacksAndLabels() throws IOException {
        assertThat(execute("path host-0 host-1"))
                .anyMatch(line -> line.matches("1 +leaf 1 +\\(1,0,0\\) +rack R7, unit 12 +1 +3 +C-1 .*"))
                .anyMatch(line -> line.matches("2 +leaf-2 +\\(0,0,0\\) +row B +3 +2 .*"));
    }

    /** Linux calls an adapter by host and device: {@code node017 mlx5_0}. */
    @Test
    void theFirstWordOfANameIsEnoughIfItIsUnique() throws IOException {
        Fabric fabric = Views.twoSwitches().subnet().fabric();
        long[] hosts = IntStream.range(0, fabric.nodeCount())
                .filter(node -> !fabric.isSwitch(node))
                .mapToLong(fabric::nodeGuid)
                .toArray();
        control.view = Views.named(
                Views.twoSwitches(),
                Guid.format(hosts[0]) + " \"node017 mlx5_0\"\n" + Guid.format(hosts[1]) + " \"node018 mlx5_0\"\n",
                "");
        assertThat(execute("path node017 node018")).last().isEqualTo("ok");
        assertThat(execute("host node017")).first().asString().contains("node017 mlx5_0");
        assertThat(execute("path node01 node018")).last().isEqualTo("error");
        control.view = Views.named(
                Views.twoSwitches(),
                Guid.format(hosts[0]) + " \"node017 mlx5_0\"\n" + Guid.format(hosts[1]) + " \"node017 mlx5_1\"\n",
                "");
        for (String request : List.of("path node017 1", "host node017")) {
            assertThat(execute(request))
                    .endsWith("error")
                    .first()
                    .asString()
                    .contains("\"node017\" is the first word of the names of 2 end ports")
                    .contains("\"node017 mlx5_0\" (LID ", "\"node017 mlx5_1\" (LID ");
        }
    }

    @Test
    void matchesAreProposed() throws IOException {
        assertThat(execute("node leaf*"))
                .contains(
                        "no end port has the name, GUID or LID \"leaf*\"; did you mean" + " \"leaf 1\" or \"leaf-2\"?");
        assertThat(execute("node host-9")).anyMatch(line -> line.endsWith("did you mean \"host-0\" or \"host-1\"?"));
    }
}
