package io.torussm.routing.auto;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.sl.SlVerdicts;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The choice of the plan with the most safe SLs, among plans whose busiest cables have similar loads. */
class SafestOfSimilarTest {
    private final List<String> evaluated = new ArrayList<>();

    /** Notes a plan, and returns its verdicts. A plan is written name:load:number of safe SLs; 16 means any SL. */
    private SlVerdicts evaluate(String plan) {
        evaluated.add(plan);
        int safe = Integer.parseInt(plan.split(":", -1)[2]);
        return new SlVerdicts(true, IntStream.range(0, safe).boxed().toList(), List.of(), safe == 16, List.of());
    }

    @ParameterizedTest
    @CsvSource({
        "dfsssp:985:0 nue:1005:16,nue:1005:16,2",
        "dfsssp:100:0 nue:111:16,dfsssp:100:0,1",
        "dfsssp:100:0 lash:100:1 nue:110:16,nue:110:16,3",
        "updn:100:16 nue:100:16,updn:100:16,1",
        "a:100:3 b:101:3,a:100:3,2"
    })
    void takesTheSafestOfThoseWithSimilarLoads(String plans, String best, int asked) {
        SafestOfSimilar<String> similar =
                new SafestOfSimilar<>(plan -> Integer.parseInt(plan.split(":", -1)[1]), this::evaluate);
        assertThat(similar.choose(List.of(plans.split(" ", -1)))).contains(best);
        assertThat(evaluated).hasSize(asked);
        assertThat(similar.choose(List.of())).isEmpty();
    }
}
