package io.torussm.routing.dfsssp;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.routing.EngineContext;
import io.torussm.routing.RecordedCases;
import io.torussm.routing.balance.Links;
import io.torussm.routing.lanes.SwitchChannels;
import io.torussm.routing.weights.KeptEntries;
import io.torussm.routing.weights.WeightedTables;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The VLs of paths, compared with OpenSM 3.3.23, and the number of pairs of LIDs in each VL but the first. */
class CycleBreakingTest {
    @ParameterizedTest
    @CsvSource({
        "2ports, '169 11'",
        "cn_io, '292 4'",
        "cube5, '439 136 35'",
        "dragonfly, '460 6'",
        "ft3, ''",
        "kautz, '262 48 3'",
        "live_link, '61 7'",
        "lmc1, '288 10'",
        "lmc2, '128'",
        "mesh45, '98'",
        "noqos, '268 74 2'",
        "onevl, '268 74 2'",
        "par, '128 1'",
        "regular, '467 79 5'",
        "ring7, '36'",
        "rnd20, '27'",
        "rnd50, '2888 861 161 9'",
        "torus333, '235 22'",
        "torus44, '268 74 2'"
    })
    void findsTheLanesOfTheReference(String name, String counts) {
        RecordedCases.Case recorded = RecordedCases.of("dfsssp", name);
        Subnet subnet = recorded.states().get(0).subnet();
        Links links = new Links(subnet.fabric());
        WeightedTables tables = new WeightedTables(
                new EngineContext(subnet, TestRouting.QOS, recorded.config(), null),
                links,
                KeptEntries.none(subnet, links));
        Paths paths = new Paths(subnet, new SwitchChannels(links), tables.lfts(), tables.targets());
        CycleBreaking breaking = new CycleBreaking(paths, 15);
        long[] found = new long[breaking.neededLanes()];
        for (int sw : paths.sources()) {
            for (int lid = 1; lid <= subnet.topLid(); lid++) {
                int lane = breaking.lanes()[sw][lid];
                if (lane > 0) {
                    found[lane] += paths.hostLids(sw);
                }
            }
        }
        StringBuilder text = new StringBuilder();
        for (int lane = 1; lane < found.length; lane++) {
            text.append(lane == 1 ? "" : " ").append(found[lane]);
        }
        assertThat(text).hasToString(counts);
    }
}
