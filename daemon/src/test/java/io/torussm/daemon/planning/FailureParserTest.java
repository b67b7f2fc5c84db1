package io.torussm.daemon.planning;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.Member;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.Plan;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyText;
import io.torussm.subnet.LidAssigner;
import io.torussm.testing.TestRouting;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The texts of failures, on two switches with two cables between them and one from a switch to itself. */
class FailureParserTest {
    private static final String LOOPED = """
            switchguid=0xa0
            Switch 8 "S-a" # "a--b"
            [1] "S-b"[1]
            [2] "S-b"[2]
            switchguid=0xb0
            Switch 8 "S-b" # "b"
            [1] "S-a"[1]
            [2] "S-a"[2]
            [3] "S-b"[4]
            [4] "S-b"[3]
            """;

    @ParameterizedTest
    @CsvSource({"a--b, 1, 0", "a--b:1, 0, 1", "a--b--b, 0, 2", "b--b, 0, 1", "0xa0--0xb0, 0, 2"})
    void failuresAreTheMeantSwitchesAndEachCableOnce(String text, int switches, int cables) throws Exception {
        Failure failure = new FailureParser(plan()).parse(text);
        assertThat(failure.switches()).hasSize(switches);
        assertThat(failure.cables()).hasSize(cables).doesNotHaveDuplicates();
    }

    private static Plan plan() throws Exception {
        Topology topology = TopologyText.read("looped", new StringReader(LOOPED));
        Fabric fabric = TopologyFabric.reachableFrom(topology.nodes().get(0), 0);
        EngineConfig config = new EngineConfig(Map.of(), Map.of(), "", Sl2VlTables.DEFAULT, 1);
        RoutingChain chain = new RoutingChain(
                new DeadlockChecker(1), List.of(new Member(new MinHopEngine(), config)), ChainPolicy.STRICT);
        return Objects.requireNonNull(chain.route(
                        LidAssigner.assign(fabric, LidAssigner.KnownLids.NONE, 0, false, 0xfe80L << 48)
                                .subnet()
                                .orElseThrow(),
                        TestRouting.NO_QOS)
                .plan());
    }
}
