package io.torussm.deadlock.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DatelineRouter;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Routes that were computed in advance, on a torus of 5 x 5 switches with two cables between neighbours. A host of the
 * last switch is reached from the first by the other cable.
 */
class PrecomputedRouteTest {
    private static final int CHANGED = 0;

    private final TorusSketch torus = TorusSketch.of(5, 5, 1, 2, 1);
    private final Plan active = DatelineRouter.route(torus).plan();
    private final Plan next = next(torus.subnet().topLid());
    private RoutingResult routed = active;
    private final RoutingChain chain = new RoutingChain(List.of(engine()), new DeadlockChecker(1));
    private final Certificate proof = (Certificate)
            Objects.requireNonNull(chain.route(torus.subnet(), TestRouting.QOS).verdict());

    private Engine engine() {
        return new Engine() {
            @Override
            public String name() {
                return "dateline";
            }

            @Override
            public RoutingResult route(EngineContext context) {
                return routed;
            }
        };
    }

    /** Returns the active routes, but for one LID from the first switch. */
    private Plan next(int lid) {
        PlanSketch sketch = DatelineRouter.route(torus);
        int port = sketch.lfts[CHANGED][lid];
        int group = torus.group(port);
        sketch.lfts[CHANGED][lid] = (byte) (torus.port(group, 0) + torus.port(group, 1) - port);
        return sketch.plan();
    }

    private @Nullable ReadyPlan precompute(HeldPlan held, boolean isWanted) {
        routed = next;
        return chain.precompute(torus.subnet(), TestRouting.QOS, active, proof, plan -> held, () -> isWanted);
    }

    private @Nullable ChainResult routeWith(ReadyPlan ready) {
        return chain.route(torus.subnet(), TestRouting.QOS, active, EarlierFacts.NONE, proof, ready);
    }

    @Test
    void aPrecomputedPlanGivesTheResultOfTheWholeComputation() {
        ReadyPlan ready = Objects.requireNonNull(precompute(new HeldPlan(active), true));
        ChainResult result = Objects.requireNonNull(routeWith(ready));
        ChainResult whole = chain.route(torus.subnet(), TestRouting.QOS, active, EarlierFacts.NONE, proof);
        assertThat(result.findings()).isEqualTo(whole.findings());
        assertThat(result.findings()).anyMatch(finding -> finding.event() == SmEvent.PROOF_DONE);
        assertThat(result.multicast()).isEqualTo(whole.multicast());
        assertThat(result.refusals()).isEmpty();
        Certificate ofReady = (Certificate) Objects.requireNonNull(result.verdict());
        assertThat(ofReady.numbering()).isEqualTo(((Certificate) Objects.requireNonNull(whole.verdict())).numbering());
        assertThat(chain.fullProofDifference(ofReady)).isEmpty();
    }

    /** The numbers are those of other tables. */
    @Test
    void aProofOfOtherTablesDiffersFromTheWholeProof() {
        Certificate other = (Certificate) new DeadlockChecker(1).check(next, TestRouting.QOS);
        Certificate wrong = new Certificate(active, TestRouting.QOS, null, other.size(), () -> other);
        assertThat(chain.fullProofDifference(wrong)).contains(" were found");
        assertThat(chain.fullProofDifference(other)).isEmpty();
    }

    /** History keeps many plans. */
    @Test
    void tablesThatAreEqualToThoseInUseAreShared() {
        ReadyPlan ready = Objects.requireNonNull(precompute(new HeldPlan(active), true));
        routed = next(torus.subnet().topLid());
        Plan plan =
                Objects.requireNonNull(Objects.requireNonNull(routeWith(ready)).plan());
        for (int sw = 0; sw < 25; sw++) {
            assertThat(plan.lft(sw) == active.lft(sw)).isEqualTo(sw != CHANGED);
        }
    }

    @Test
    void aResultThatDiffersFromThePrecomputedOneIsNotAnswered() {
        ReadyPlan ready = Objects.requireNonNull(precompute(new HeldPlan(active), true));
        routed = active;
        assertThat(routeWith(ready)).isNull();
        routed = next(torus.subnet().topLid() - 1);
        assertThat(routeWith(ready)).isNull();
        routed = new Refusal("dateline", List.of(Finding.error("no seed found")));
        assertThat(routeWith(ready)).isNull();
    }

    @Test
    void theOrderIsPartOfItOnlyIfSwitchesHaveTheActiveTables() {
        assertThat(Objects.requireNonNull(precompute(new HeldPlan(active), true))
                        .hasOrder())
                .isTrue();
        HeldPlan partlyDown = new HeldPlan(active);
        partlyDown.downPort = torus.subnet().fabric().port(3, 1);
        assertThat(Objects.requireNonNull(precompute(partlyDown, true)).hasOrder())
                .isFalse();
        assertThat(Objects.requireNonNull(precompute(new HeldPlan(next), true)).hasOrder())
                .isFalse();
    }

    @Test
    void thePrecomputationEndsIfItIsNotWantedOrRefused() {
        assertThat(precompute(new HeldPlan(active), false)).isNull();
        routed = new Refusal("dateline", List.of(Finding.error("no seed found")));
        assertThat(chain.precompute(
                        torus.subnet(), TestRouting.QOS, active, proof, plan -> new HeldPlan(active), () -> true))
                .isNull();
    }
}
