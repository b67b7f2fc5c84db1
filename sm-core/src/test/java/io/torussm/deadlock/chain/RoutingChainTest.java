package io.torussm.deadlock.chain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.Cycle;
import io.torussm.deadlock.DatelineRouter;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.routing.Degradation;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.routing.RecordedCases;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The choice of an engine, its proof and the findings, on a torus of 5 x 5 switches with a host each (LIDs 1 to 25 of
 * switches, 26 to 50 of hosts). There, {@code dateline} is free of credit loops, and minhop has credit loops.
 */
class RoutingChainTest {
    private static final ChainPolicy LOOPS_ACCEPTED = ChainPolicy.LOOPS_ACCEPTED;

    private static final Engine MIN_HOP = new MinHopEngine();

    private final TorusSketch torus = TorusSketch.of(5, 5, 1, 1, 1);
    private final DeadlockChecker checker = new DeadlockChecker(1);
    private final PlanSketch soundSketch = DatelineRouter.route(torus);
    private final Plan plan = soundSketch.plan();
    private final Engine datelineEngine = engine("dateline", plan);
    private final Engine refusingEngine =
            engine("refusing", new Refusal("refusing", List.of(Finding.error("no seed found"))));

    /** Returns an engine that refuses with a partial plan: switches 0 to 4 have no entries for LIDs 10 to 19. */
    private Engine engineWithHole() {
        PlanSketch holes = DatelineRouter.route(torus);
        for (int sw = 0; sw < 5; sw++) {
            for (int lid = 10; lid < 20; lid++) {
                if (torus.subnet().switchOfLid(lid) != sw) {
                    holes.lfts[sw][lid] = (byte) 0xff;
                }
            }
        }
        return engine("holed", new Refusal("holed", List.of(Finding.error("a ring is cut")), holes.plan()));
    }

    @Test
    void completesWhatCouldBeRoutedIfAllRefuse() {
        RoutingChain.ChainResult result = new RoutingChain(
                        List.of(engineWithHole(), refusingEngine), checker, ChainPolicy.WITH_LAST_RESORT)
                .route(torus.subnet(), TestRouting.QOS);

        Plan served = Objects.requireNonNull(result.plan());
        Degradation facts = served.degradation().orElseThrow();
        assertThat(result.verdict()).isInstanceOf(Certificate.class);
        assertThat(result.refusals()).hasSize(2);
        assertThat(facts.reason()).isEqualTo("a ring is cut");
        assertThat(facts.isUpDown()).isFalse();
        assertThat(facts.bentRoutes()).isBetween(1L, facts.routes() / 2);
        assertThat(facts.longestBefore()).isEqualTo(-1);
    }

    /** History, recordings and precomputed plans keep several plans of a fabric, so equal tables share memory. */
    @Test
    void tablesEqualToActiveOnesAreTheActiveArrays() {
        PlanSketch next = DatelineRouter.route(torus);
        int changed = 7;
        byte[] own = next.lfts[changed].clone();
        own[torus.subnet().topLid()] ^= 1;
        next.lfts[changed] = own;
        RoutingChain.ChainResult result = new RoutingChain(
                        List.of(engine("next", next.plan())), checker, LOOPS_ACCEPTED)
                .route(torus.subnet(), TestRouting.QOS, plan, EarlierFacts.NONE, null);
        Plan routed = Objects.requireNonNull(result.plan());
        for (int sw = 0; sw < 25; sw++) {
            assertThat(routed.lft(sw) == plan.lft(sw)).isEqualTo(sw != changed);
        }
        assertThat(routed.lft(changed)).isSameAs(own);
    }

    @Test
    void aLaterEngineThatIsNamedComesBeforeTheLastResort() {
        RoutingChain.ChainResult result = new RoutingChain(
                        List.of(engineWithHole(), datelineEngine), checker, ChainPolicy.WITH_LAST_RESORT)
                .route(torus.subnet(), TestRouting.QOS);

        assertThat(result.plan()).isSameAs(plan);
    }

    @Test
    void refusesWithoutALastResort() {
        assertThat(new RoutingChain(List.of(engineWithHole()), checker)
                        .route(torus.subnet(), TestRouting.QOS)
                        .isAccepted())
                .isFalse();
    }

    @Test
    void takesTheFirstEngineThatIsNotRefusing() {
        RoutingChain.ChainResult result = new RoutingChain(List.of(refusingEngine, datelineEngine, MIN_HOP), checker)
                .route(torus.subnet(), TestRouting.QOS);

        assertThat(result.isAccepted()).isTrue();
        assertThat(result.plan()).isSameAs(plan);
        assertThat(result.verdict()).isInstanceOf(Certificate.class);
        assertThat(result.refusals()).extracting(Refusal::reason).containsExactly("no seed found");
        assertThat(result.findings())
                .extracting(Finding::severity)
                .containsExactly(Finding.Severity.WARNING, Finding.Severity.INFO);
    }

    @Test
    void refusesIfAllRefuseAndAsksOnlyNamedEngines() {
        RoutingChain chain = RoutingChain.parse("refusing", List.of(refusingEngine, datelineEngine, MIN_HOP), checker);

        RoutingChain.ChainResult result = chain.route(torus.subnet(), TestRouting.QOS);

        assertThat(result.isAccepted()).isFalse();
        assertThat(result.plan()).isNull();
        assertThat(result.findings()).extracting(Finding::text).containsExactly("no seed found");
    }

    @Test
    void neverWritesTablesOfADeadlockFreeEngineWithoutACertificate() {
        soundSketch.rows = (sw, in, out) -> 0;

        RoutingChain.ChainResult result =
                new RoutingChain(List.of(datelineEngine), checker).route(torus.subnet(), TestRouting.QOS);

        assertThat(result.isAccepted()).isFalse();
        assertThat(result.refusals()).singleElement().satisfies(refusal -> assertThat(refusal.reason())
                .startsWith("the tables of tables failed their check and are not written")
                .contains("credit loop of 5 channels"));
    }

    @Test
    void goesOnToTheNextEngineAfterADefect() {
        soundSketch.rows = (sw, in, out) -> 0;

        RoutingChain.ChainResult result = new RoutingChain(List.of(datelineEngine, MIN_HOP), checker, LOOPS_ACCEPTED)
                .route(torus.subnet(), TestRouting.QOS);

        assertThat(result.isAccepted()).isTrue();
        assertThat(result.refusals()).hasSize(1);
    }

    @Test
    void refusesTheCycleOfAnEngineThatDoesNotPromiseBetter() {
        RoutingChain.ChainResult result =
                new RoutingChain(List.of(MIN_HOP), checker).route(torus.subnet(), TestRouting.QOS);

        assertThat(result.isAccepted()).isFalse();
        assertThat(result.refusals().get(0).reason()).contains("on_credit_loop").doesNotContain("defect");
    }

    @Test
    void onlyNoFallbackForgoesTheLastResort() {
        assertThat(ChainPolicy.of("torus-2QoS, updn", OnCreditLoop.REFUSE, OnCreditLoop.REFUSE)
                        .hasLastResort())
                .isTrue();
        assertThat(ChainPolicy.of("torus-2QoS,no_fallback", OnCreditLoop.REFUSE, OnCreditLoop.REFUSE)
                        .hasLastResort())
                .isFalse();
    }

    @Test
    void warnsOfTheCreditLoopOfAnEngineWithoutAClaimIfLoopsAreAccepted() {
        RoutingChain.ChainResult result =
                new RoutingChain(List.of(MIN_HOP), checker, LOOPS_ACCEPTED).route(torus.subnet(), TestRouting.QOS);

        assertThat(result.isAccepted()).isTrue();
        assertThat(result.verdict()).isInstanceOf(Cycle.class);
        assertThat(result.multicast())
                .as("on a tree, which by itself has no cycle")
                .isNotNull();
        assertThat(result.findings()).allMatch(finding -> finding.severity() == Finding.Severity.WARNING);
        assertThat(result.findings().get(0).text()).contains("can deadlock");
        assertThat(result.findings()).noneMatch(finding -> finding.text().contains("\n"));
    }

    /** Routes a fat tree by minhop. Shortest paths between spines go down and up, which closes credit loops. */
    private RoutingChain.ChainResult onAFatTree(ChainPolicy policy) {
        Subnet subnet =
                RecordedCases.of(MinHopEngine.NAME, "ft3_k4").states().get(0).subnet();
        return new RoutingChain(List.of(MIN_HOP), checker, policy).route(subnet, TestRouting.QOS);
    }

    @Test
    void aSubstituteEngineIsOneFindingWithThoseOfTheOthers() {
        RoutingChain.ChainResult result = new RoutingChain(List.of(refusingEngine, MIN_HOP, datelineEngine), checker)
                .route(torus.subnet(), TestRouting.QOS);

        assertThat(result.findings())
                .noneMatch(finding -> finding.severity() == Finding.Severity.ERROR)
                .filteredOn(finding -> finding.event() == SmEvent.FALLBACK_ENGINE)
                .singleElement()
                .satisfies(finding -> assertThat(finding.text())
                        .startsWith("routed by " + plan.engine()
                                + ", the 3rd of 3: refusing refused: no seed found; minhop refused: ")
                        .doesNotContain("credit loop of"));
    }

    @Test
    void aCreditLoopIsOneFinding() {
        assertThat(onAFatTree(ChainPolicy.STRICT).findings())
                .filteredOn(finding -> finding.event() == SmEvent.TABLES_UNSOUND)
                .singleElement()
                .satisfies(finding -> assertThat(finding.text())
                        .startsWith("credit loop of ")
                        .doesNotContain("\n")
                        .doesNotContain("  "));
    }

    @Test
    void refusesACreditLoopThatOnlySwitchPortsCloseAndSaysSo() {
        RoutingChain.ChainResult result = onAFatTree(ChainPolicy.STRICT);

        assertThat(result.isAccepted()).isFalse();
        assertThat(result.refusals().get(0).reason()).contains("on_switch_port_loop");
    }

    @Test
    void provesHostsAndGroupsAloneIfThatIsAccepted() {
        ChainPolicy policy = new ChainPolicy(false, OnCreditLoop.REFUSE, OnCreditLoop.WARN);
        RoutingChain.ChainResult result = onAFatTree(policy);

        Plan served = Objects.requireNonNull(result.plan());
        Certificate certificate = (Certificate) Objects.requireNonNull(result.verdict());
        assertThat(certificate.coversSwitchPorts()).isFalse();
        assertThat(certificate.verify(served, TestRouting.QOS)).isTrue();
        assertThat(result.multicast()).isNotNull();
        assertThat(result.findings()).anyMatch(finding -> finding.event() == SmEvent.SWITCH_PORT_LOOP);
        int spine = served.subnet().lid(served.subnet().fabric().port(0, 0));
        assertThat(served.pathSl(served.subnet().topLid(), spine, 3))
                .as("paths to switches are granted")
                .isEqualTo(3);
        assertThat(new RoutingChain(List.of(MIN_HOP), checker, policy)
                        .prove(served, TestRouting.QOS)
                        .verdict())
                .isInstanceOf(Certificate.class);
    }

    /** Without the proof for hosts, such tables would be written with a warning of a loop. */
    @Test
    void aProofForHostsIsPreferredToAnAcceptedLoop() {
        RoutingChain.ChainResult result = onAFatTree(new ChainPolicy(false, OnCreditLoop.WARN, OnCreditLoop.WARN));
        assertThat(result.verdict())
                .isInstanceOfSatisfying(Certificate.class, proof -> assertThat(proof.coversSwitchPorts())
                        .isFalse());
        assertThat(onAFatTree(LOOPS_ACCEPTED).verdict()).isInstanceOf(Cycle.class);
    }

    /** An engine leaves out switches and says so; the last resort serves these as well. */
    @Test
    void switchesThatAnEngineLeftOutAreServedByTheLastResortOnly() {
        Refusal leftOut = (Refusal) engineWithHole().route(torus.subnet(), TestRouting.QOS);
        Plan partial = plan.withTables(soundSketch.lfts)
                .partialRefusal(() -> Optional.of(leftOut))
                .build();
        Engine engine = engine("partial", partial);
        assertThat(new RoutingChain(List.of(engine), checker, ChainPolicy.STRICT)
                        .route(torus.subnet(), TestRouting.QOS)
                        .plan())
                .isSameAs(partial);
        RoutingChain.ChainResult completed = new RoutingChain(List.of(engine), checker, ChainPolicy.WITH_LAST_RESORT)
                .route(torus.subnet(), TestRouting.QOS);
        assertThat(Objects.requireNonNull(completed.plan()).degradation()).isPresent();
    }

    @Test
    void tablesOfTheLastResortEqualToActiveOnesAreTheActiveArrays() {
        RoutingChain chain = new RoutingChain(List.of(engineWithHole()), checker, ChainPolicy.WITH_LAST_RESORT);
        Plan first = Objects.requireNonNull(
                chain.route(torus.subnet(), TestRouting.QOS).plan());
        Plan second = Objects.requireNonNull(chain.route(torus.subnet(), TestRouting.QOS, first, EarlierFacts.NONE)
                .plan());
        for (int sw = 0; sw < 25; sw++) {
            assertThat(second.lft(sw)).isSameAs(first.lft(sw));
        }
        assertThat(second.degradation().orElseThrow().longestBefore())
                .isEqualTo(first.degradation().orElseThrow().longestBefore());
    }

    @Test
    void refusesTablesThatLosePacketsDespiteTheClaimOfTheEngine() {
        soundSketch.claimsDeadlockFree = false;
        soundSketch.lfts[3][1] = (byte) 0xff;

        RoutingChain.ChainResult result =
                new RoutingChain(List.of(datelineEngine), checker).route(torus.subnet(), TestRouting.QOS);

        assertThat(result.isAccepted()).isFalse();
        assertThat(result.findings()).anyMatch(finding -> finding.text().contains("has no entry for it"));
    }

    @Test
    void readsNamesSeparatedByCommasBlanksAndTabs() {
        RoutingChain chain = RoutingChain.parse(
                " refusing,no_fallback\tdateline ,", List.of(MIN_HOP, datelineEngine, refusingEngine), checker);

        assertThat(chain.route(torus.subnet(), TestRouting.QOS).plan()).isSameAs(plan);
    }

    @Test
    void proposesTheNearestNameForAnUnknownOne() {
        assertThatThrownBy(() -> RoutingChain.parse("min-hop,no_fallback", List.of(MIN_HOP, datelineEngine), checker))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no engine \"min-hop\"; did you mean \"minhop\"?"
                        + " Known: dateline, minhop, no_fallback");
        assertThatThrownBy(() -> RoutingChain.parse("no_fallbac", List.of(MIN_HOP), checker))
                .hasMessageContaining("did you mean \"no_fallback\"?");
        assertThatThrownBy(() -> RoutingChain.parse("Minhop", List.of(MIN_HOP), checker))
                .hasMessageContaining("did you mean \"minhop\"?");
    }

    @Test
    void wantsAtLeastOneEngine() {
        assertThatThrownBy(() -> RoutingChain.parse("no_fallback", List.of(MIN_HOP), checker))
                .hasMessage("routing_engine names no engine");
    }

    private static Engine engine(String name, RoutingResult result) {
        return new Engine() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public RoutingResult route(EngineContext context) {
                return result;
            }
        };
    }
}
