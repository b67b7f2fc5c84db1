package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.routing.Plan;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The verdicts on recorded tori if hosts ignore path records, as NCCL and UCX do. */
class SlVerdictsTest {
    private static final List<Integer> ALL = IntStream.range(0, 16).boxed().toList();

    private static SlVerdicts verdicts(GoldenFabric golden) {
        ChainResult result = TestTorus.chain(golden.conf, golden.subnet());
        Plan plan = Objects.requireNonNull(result.plan());
        return SlVerdicts.of(plan, result.multicast(), TestTorus.QOS, new DeadlockChecker(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"65_pristine", "345_pristine", "555_pristine", "666_pristine", "65_sw_T", "666_sw1"})
    void hostsThatAllUseOneSlCloseALoopFromRadixFiveOn(String name) {
        SlVerdicts verdicts = verdicts(new GoldenFabric(name));
        assertThat(verdicts.pathRecords()).isTrue();
        assertThat(verdicts.safeSls()).isEmpty();
        assertThat(verdicts.safeBesidePathRecords()).isEmpty();
        assertThat(verdicts.anySl()).isFalse();
        assertThat(verdicts.discardedSls()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"333_pristine", "444_pristine", "444_mesh"})
    void onSmallRadicesAnyOneSlWillDo(String name) {
        SlVerdicts verdicts = verdicts(new GoldenFabric(name));
        assertThat(verdicts.pathRecords()).isTrue();
        assertThat(verdicts.safeSls()).isEqualTo(ALL);
        assertThat(verdicts.discardedSls()).isEmpty();
    }

    @Test
    void saysSoInWords() {
        assertThat(verdicts(new GoldenFabric("65_pristine")).lines())
                .containsExactly(
                        "hosts that follow path records: free of credit loops",
                        "hosts that all use one SL: CREDIT LOOP with every SL",
                        "hosts with one SL beside hosts that follow path records: CREDIT LOOP with every SL",
                        "any host with any SL: CREDIT LOOP");
    }
}
