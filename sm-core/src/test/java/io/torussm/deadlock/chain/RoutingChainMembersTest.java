package io.torussm.deadlock.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Cycle;
import io.torussm.deadlock.DatelineRouter;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.chain.RoutingChain.Member;
import io.torussm.deadlock.transition.Transition;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.balance.GuidFile;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The members of a chain and its default engine, on a torus of 5 x 5 switches. The engine "dateline" routes it, the
 * engine "refusing" refuses it.
 */
class RoutingChainMembersTest {
    private static final int PLUS_X = 1;
    private static final int MINUS_X = 2;

    private final TorusSketch torus = TorusSketch.of(5, 5, 1, 1, 1);
    private final DeadlockChecker checker = new DeadlockChecker(1);
    private final Plan dateline = plan("dateline");
    private final Member refusing =
            member("refusing", new Refusal("refusing", List.of(Finding.error("no seed found"))), Map.of());
    private final Member defaultMember = member("dateline", dateline, Map.of());

    private Plan plan(String engine) {
        PlanSketch sketch = DatelineRouter.route(torus);
        sketch.engine = engine;
        return sketch.plan();
    }

    /** Returns an engine with a fixed result, which places switches by NodeGUID. */
    private static Member member(String name, RoutingResult result, Map<Long, String> places) {
        return member(name, result, places, EngineConfig.NONE);
    }

    private static Member member(String name, RoutingResult result, Map<Long, String> places, EngineConfig config) {
        Engine engine = new Engine() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public RoutingResult route(EngineContext context) {
                return result;
            }

            @Override
            public Map<Long, String> places(Fabric fabric, EngineConfig config) {
                return places;
            }
        };
        return new Member(engine, config);
    }

    private RoutingChain chain(ChainPolicy policy, @Nullable Member byDefault, Member... members) {
        return new RoutingChain(checker, List.of(members), policy, byDefault);
    }

    /** Routes the torus while its switches have the tables of a plan, or none. */
    private ChainResult routeAfter(RoutingChain chain, @Nullable Plan active) {
        return chain.route(torus.subnet(), TestRouting.QOS, active, EarlierFacts.NONE);
    }

    @Test
    void theDefaultEngineRoutesIfAllMembersRefuseAndNoTablesAreActive() {
        RoutingChain chain = chain(ChainPolicy.WITH_LAST_RESORT, defaultMember, refusing);
        assertThat(chain.hasDefault()).isTrue();
        ChainResult result = chain.route(torus.subnet(), TestRouting.QOS);
        assertThat(result.plan()).isSameAs(dateline);
        assertThat(result.refusals()).extracting(Refusal::engine).containsExactly("refusing");
        assertThat(result.findings())
                .filteredOn(finding -> finding.event() == SmEvent.FALLBACK_ENGINE)
                .singleElement()
                .satisfies(finding ->
                        assertThat(finding.text()).contains("dateline, the default engine: refusing refused"));
    }

    @Test
    void theDefaultEngineReplacesOnlyItsOwnTables() {
        RoutingChain chain = chain(ChainPolicy.WITH_LAST_RESORT, defaultMember, refusing);
        assertThat(routeAfter(chain, plan("dateline")).plan()).isSameAs(dateline);
        assertThat(routeAfter(chain, plan("other")).isAccepted()).isFalse();
        assertThat(routeAfter(chain, null).isAccepted())
                .as("after unknown tables")
                .isFalse();
    }

    @Test
    void aChainWithoutADefaultEngineRefusesIfAllMembersRefuse() {
        RoutingChain chain = chain(ChainPolicy.WITH_LAST_RESORT, null, refusing);
        assertThat(routeAfter(chain, plan("dateline")).isAccepted()).isFalse();
    }

    @Test
    void anEngineThatAcceptsComesBeforeTheDefaultEngine() {
        Plan other = plan("other");
        RoutingChain chain = chain(ChainPolicy.WITH_LAST_RESORT, defaultMember, member("other", other, Map.of()));
        assertThat(routeAfter(chain, plan("dateline")).plan()).isSameAs(other);
        ChainResult accepted = chain.route(torus.subnet(), TestRouting.QOS);
        assertThat(accepted.plan()).isSameAs(other);
        assertThat(chain.orDefault(torus.subnet(), TestRouting.QOS, accepted)).isSameAs(accepted);
    }

    @Test
    void aDefaultEngineThatIsAMemberOrForbiddenIsNotAdded() {
        assertThat(chain(ChainPolicy.WITH_LAST_RESORT, defaultMember, refusing, defaultMember)
                        .hasDefault())
                .isFalse();
        assertThat(chain(ChainPolicy.STRICT, defaultMember, refusing).hasDefault())
                .isFalse();
        assertThat(chain(ChainPolicy.WITH_LAST_RESORT, null, refusing).hasDefault())
                .isFalse();
    }

    /**
     * Returns an engine that refuses with a plan in which switch 0 has no entries for LIDs 2 to 5; the last resort adds
     * them.
     */
    private Member refusingWithHoles() {
        PlanSketch holes = DatelineRouter.route(torus);
        for (int lid = 2; lid < 6; lid++) {
            holes.lfts[0][lid] = PlanSketch.NO_PATH;
        }
        return member("holes", new Refusal("holes", List.of(Finding.error("a ring is cut")), holes.plan()), Map.of());
    }

    @Test
    void aChainWithoutItsDefaultEngineHasTheLastResortOnlyIfConfigured() {
        RoutingChain chain = chain(ChainPolicy.WITH_LAST_RESORT, defaultMember, refusingWithHoles());
        RoutingChain withLastResort = chain.withoutDefault(true);
        RoutingChain withoutLastResort = chain.withoutDefault(false);
        assertThat(withLastResort.hasDefault()).isFalse();
        assertThat(withLastResort.route(torus.subnet(), TestRouting.QOS).isAccepted())
                .isTrue();
        assertThat(withoutLastResort.route(torus.subnet(), TestRouting.QOS).isAccepted())
                .isFalse();
    }

    @Test
    void aStrictChainHasNoLastResortEvenIfItIsWanted() {
        RoutingChain strict = chain(ChainPolicy.STRICT, defaultMember, refusingWithHoles());
        assertThat(strict.withoutDefault(true)
                        .route(torus.subnet(), TestRouting.QOS)
                        .isAccepted())
                .isFalse();
    }

    @Test
    void placesAreThoseOfTheFirstEngineThatHasSome() {
        Member a = member("a", dateline, Map.of(1L, "(0,0,0)"));
        Member b = member("b", dateline, Map.of(1L, "leaf"));
        Fabric fabric = torus.subnet().fabric();
        assertThat(chain(ChainPolicy.STRICT, null, refusing, a, b).places(fabric))
                .containsExactly(Map.entry(1L, "(0,0,0)"));
        assertThat(chain(ChainPolicy.STRICT, null, refusing).places(fabric)).isEmpty();
    }

    @Test
    void rootsOfAChainAreThoseOfAllItsEngines() {
        Member a = member("a", dateline, Map.of(), roots("0x20\n0x10\n"));
        Member b = member("b", dateline, Map.of(), roots("0x30\n0x10\n"));
        assertThat(chain(ChainPolicy.STRICT, null, a, refusing, b).roots()).containsExactly(0x10L, 0x20L, 0x30L);
    }

    private static EngineConfig roots(String text) {
        return new EngineConfig(
                Map.of(), Map.of(GuidFile.ROOTS, EngineFile.read("roots", text)), "", Sl2VlTables.DEFAULT, 1);
    }

    /** No order could be safe then. */
    @Test
    void tablesOfAPlanWithoutAProofAreWrittenInAnyOrder() {
        PlanSketch unsound = DatelineRouter.route(torus);
        unsound.rows = (sw, in, out) -> 0;
        unsound.claimsDeadlockFree = false;
        RoutingChain chain = chain(ChainPolicy.LOOPS_ACCEPTED, null, member("loops", unsound.plan(), Map.of()));
        ChainResult result = chain.route(torus.subnet(), TestRouting.QOS);
        assertThat(result.verdict()).isInstanceOf(Cycle.class);
        HeldPlan held = new HeldPlan(Objects.requireNonNull(result.plan()));
        assertThat(chain.transition(held, null, result, TestRouting.QOS)).isSameAs(Transition.FREE);
    }

    @Test
    void aRefusalHasATransitionWithoutAnOrder() {
        RoutingChain chain = chain(ChainPolicy.STRICT, null, refusing);
        ChainResult refused = chain.route(torus.subnet(), TestRouting.QOS);
        assertThat(chain.transition(new HeldPlan(dateline), null, refused, TestRouting.QOS))
                .isSameAs(Transition.FREE);
    }

    /** Packets of the previous plan take the other way around the rings in x. */
    @Test
    void tablesOfAPlanWithAProofAreWrittenInItsOrder() {
        PlanSketch sketch = DatelineRouter.route(torus);
        RoutingChain chain = chain(ChainPolicy.STRICT, null, member("dateline", sketch.plan(), Map.of()));
        ChainResult result = chain.route(torus.subnet(), TestRouting.QOS);
        Plan previous = planWithExchangedPorts();
        Transition transition = chain.transition(new HeldPlan(previous), previous, result, TestRouting.QOS);
        assertThat(transition.isFree()).isFalse();
    }

    private Plan planWithExchangedPorts() {
        PlanSketch sketch = DatelineRouter.route(torus);
        for (byte[] lft : sketch.lfts) {
            for (int lid = 1; lid < lft.length; lid++) {
                lft[lid] = lft[lid] == PLUS_X ? MINUS_X : lft[lid] == MINUS_X ? PLUS_X : lft[lid];
            }
        }
        return sketch.plan();
    }
}
