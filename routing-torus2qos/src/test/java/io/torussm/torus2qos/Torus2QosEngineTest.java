package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.PortRole;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.subnet.CoordinateStore.Place;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import io.torussm.torus2qos.discovery.TorusCheck;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The acceptance, refusals and findings of the engine. */
class Torus2QosEngineTest {

    private static List<String> texts(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .map(Finding::text)
                .toList();
    }

    private static Plan planOfDamaged(TestTorus torus, Consumer<TestTorus> damage) {
        damage.accept(torus);
        return torus.plan(torus.conf());
    }

    @Test
    void refusesWithoutQosAndNamesTheOption() {
        TestTorus torus = new TestTorus(3, 3, 3);
        RoutingResult result =
                new Torus2QosEngine(TestTorus.parse(torus.conf())).route(torus.fabric.subnet(0), TestRouting.NO_QOS);
        assertThat(TestTorus.refusal(result).reason()).contains("-Q", "qos = true");
        assertThat(TestTorus.refusal(result).engine()).isEqualTo("torus-2QoS");
    }

    @Test
    void refusesWithTheFindingsOfABadFileOnEveryRun() {
        TestTorus torus = new TestTorus(3, 3, 3);
        Torus2QosEngine engine = new Torus2QosEngine(TestTorus.parse(torus.conf() + "foo\nbar\n"));
        for (int run = 0; run < 2; run++) {
            assertThat(TestTorus.refusal(engine.route(torus.fabric.subnet(0), TestRouting.QOS))
                            .reason())
                    .contains("torus-2QoS.conf:8: \"foo\"", "torus-2QoS.conf:9: \"bar\"");
        }
    }

    @ParameterizedTest
    @CsvSource({"1, torus-2QoS needs at least 2 data VLs", "2, fewer than 4", "3, fewer than 8"})
    void refusesOneDataVlAndWarnsOfFew(int vlCap, String text) {
        TestTorus torus = new TestTorus(3, 3, 3);
        Fabric fabric = torus.fabric.fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            torus.fabric.setVlCap(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port), vlCap);
        }
        RoutingResult result = torus.route(torus.conf());
        List<Finding> findings = vlCap == 1
                ? TestTorus.refusal(result).findings()
                : TestTorus.plan(result).findings();
        assertThat(texts(findings, vlCap == 1 ? Severity.ERROR : Severity.WARNING))
                .first()
                .asString()
                .contains(text, "has " + (1 << vlCap - 1));
    }

    /** One port that reports a VL code of 1 takes its cable out of the torus; one with 4 or 2 VLs limits that cable. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void onePortWithFewVlsConcernsItsCableAlone(int vlCap) {
        TestTorus torus = new TestTorus(3, 3, 3);
        Plan whole = torus.plan(torus.conf());
        torus.fabric.setVlCap(torus.guid(1, 2, 0), 3, vlCap);
        Plan plan = torus.plan(torus.conf());
        Fabric fabric = plan.subnet().fabric();
        int sw = fabric.nodeByGuid(torus.guid(1, 2, 0));
        assertThat(fabric.peer(fabric.port(sw, 3))).isNotEqualTo(Fabric.NONE);
        boolean isUsed = false;
        for (int lid = 1; lid <= plan.subnet().topLid(); lid++) {
            isUsed |= plan.lft(sw)[lid] == 3;
        }
        assertThat(isUsed).isEqualTo(vlCap != 1);
        assertThat(plan.sl2vl(sw, 0, 1)).isEqualTo(whole.sl2vl(sw, 0, 1)).isNotZero();
        assertThat(plan.findings().stream().filter(finding -> finding.event() == SmEvent.LINK_HAS_FEW_VLS))
                .hasSize(vlCap == 1 ? 1 : 0);
        assertThat(new DeadlockChecker(1)
                        .prove(plan, TestRouting.QOS, TreeGrowth::candidates)
                        .verdict())
                .isInstanceOf(Certificate.class);
    }

    /** The switch that is a neighbour of all others is found by its coordinates; granted SLs stay. */
    @Test
    void aRefusalForTheVlsOfAllLinksStillKnowsPlacesAndSls() {
        TestTorus torus = new TestTorus(3, 3, 3);
        Plan whole = torus.plan(torus.conf());
        RoutingResult result =
                new Torus2QosEngine(TestTorus.parse(torus.conf()), 1).route(whole.subnet(), TestRouting.qosWithVls(1));
        Plan partial = TestTorus.refusal(result).partialPlan();
        assertThat(partial).isNotNull();
        for (int lid = 2; lid <= whole.subnet().topLid(); lid++) {
            assertThat(Objects.requireNonNull(partial).pathSl(1, lid, 0)).isEqualTo(whole.pathSl(1, lid, 0));
        }
    }

    @Test
    void countsTheVlsOfEndPortsApartFromThoseOfActiveLinks() {
        TestTorus torus = new TestTorus(3, 3, 3);
        torus.fabric.addCa(0x500, 2, "weak");
        torus.fabric.setVlCap(0x500, 1, 1);
        torus.fabric.setVlCap(0x500, 2, 1);
        torus.fabric.unplug(torus.guid(0, 0, 0), 7);
        torus.fabric.setVlCap(torus.guid(0, 0, 0), 7, 1);
        assertThat(texts(torus.plan(torus.conf()).findings(), Severity.WARNING)).isEmpty();
        torus.fabric.cable(0x500, 1, torus.guid(0, 0, 0), 7);
        Plan plan = torus.plan(torus.conf());
        assertThat(texts(plan.findings(), Severity.WARNING))
                .singleElement()
                .asString()
                .contains("fewer than 2 data VLs at end ports", "\"weak\" port 1");
        Fabric fabric = plan.subnet().fabric();
        assertThat(LinkSettings.foldRow(plan.sl2vl(fabric.port(fabric.nodeByGuid(0x500), 1)), 1))
                .as("as it is programmed")
                .isZero();
        assertThat(plan.sl2vl(fabric.port(0, 0))).isEqualTo(0x11111111L);
    }

    @Test
    void reportsAMissingSwitchByItsCoordinates() {
        Plan plan = planOfDamaged(new TestTorus(5, 5, 3), torus -> torus.fabric.remove(torus.guid(2, 1, 0)));
        assertThat(texts(plan.findings(), Severity.WARNING))
                .singleElement()
                .asString()
                .contains("switch missing at (2,1,0), in +x of (1,1,0) 0x0000000000200120 \"sw-1-1-0\"");
    }

    /** The SM remembers the switches of its last plan. */
    @Test
    void reportsAMissingSwitchByItsNameIfThatIsKnown() {
        TestTorus torus = new TestTorus(5, 5, 3);
        Place place = new Place("(2,1,0)", "sw-2-1-0");
        Map<Long, Place> places = Map.of(torus.guid(2, 1, 0), place);
        torus.fabric.remove(torus.guid(2, 1, 0));
        EngineContext context =
                new EngineContext(torus.fabric.subnet(0), TestRouting.QOS, EngineConfig.NONE, null, places);
        Plan plan = TestTorus.plan(new Torus2QosEngine(TestTorus.parse(torus.conf()), 2).route(context));
        assertThat(plan.findings())
                .filteredOn(finding -> finding.severity() == Severity.WARNING)
                .singleElement()
                .satisfies(finding -> {
                    assertThat(finding.text())
                            .startsWith("switch missing at (2,1,0) 0x0000000000200210 \"sw-2-1-0\", in +x of (1,1,0) ");
                    assertThat(finding.values()).contains(EventField.GUID.of(torus.guid(2, 1, 0)));
                });
    }

    @Test
    void reportsAMissingLinkByBothItsEnds() {
        Plan plan = planOfDamaged(
                new TestTorus(3, 3, 3), torus -> torus.fabric.removeCables(torus.guid(1, 0, 0), torus.guid(2, 0, 0)));
        assertThat(texts(plan.findings(), Severity.WARNING))
                .singleElement()
                .asString()
                .contains(
                        "the cable from (1,0,0) 0x0000000000200090 \"sw-1-0-0\"",
                        "in +x to (2,0,0) 0x",
                        "is missing or down");
    }

    @Test
    void namesTheTooFewVlsWhereAMissingSwitchNeedsThem() {
        TestTorus torus = new TestTorus(5, 5, 1);
        torus.fabric.remove(torus.guid(2, 2, 0));
        Subnet subnet = torus.fabric.subnet(0);
        RoutingOptions threeVls = TestRouting.qosWithVls(2);
        RoutingChain chain =
                new RoutingChain(List.of(new Torus2QosEngine(TestTorus.parse(torus.conf()))), new DeadlockChecker(1));
        assertThat(texts(chain.route(subnet, threeVls).findings(), Severity.ERROR))
                .first()
                .asString()
                .startsWith(
                        "the switch at (2,2,0) is missing, and with 2 data VLs the turns around have no separate VL");
        assertThat(chain.route(subnet, TestRouting.QOS).isAccepted()).isTrue();
    }

    @Test
    void reportsASwitchWithoutAPlaceByItsGuid() {
        Plan plan = planOfDamaged(new TestTorus(3, 3, 3), torus -> {
            torus.fabric.addSwitch(0x777, 4, "leaf");
            torus.fabric.unplug(torus.guid(1, 1, 1), 7);
            torus.fabric.cable(0x777, 1, torus.guid(1, 1, 1), 7);
        });
        assertThat(texts(plan.findings(), Severity.WARNING))
                .anyMatch(text -> text.contains("0x0000000000000777 \"leaf\""))
                .anyMatch(text -> text.contains("cable from 0x0000000000000777 \"leaf\" port 1 to (1,1,1)"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3 3 3|torus 4 3 3|would be at (2,0,0) and at (3,0,0) of a torus 4 3 3; the radices",
                "4 4 3|torus 5 4 3|of a torus 5 4 3; the radices"
            })
    void explainsSizesThatAreNotTheFabrics(String wired, String sizes, String refusal) {
        String[] words = wired.split(" ", -1);
        TestTorus torus =
                new TestTorus(Integer.parseInt(words[0]), Integer.parseInt(words[1]), Integer.parseInt(words[2]));
        String conf = sizes + "\n" + torus.seed(0, 0, 0);
        if (sizes.contains("4")) {
            conf += String.format("xm_link 0x200000 0x%x%n", torus.guid(torus.radix[0] - 1, 0, 0));
        }
        if (wired.equals("4 4 3")) {
            conf += String.format("ym_link 0x200000 0x%x%n", torus.guid(0, 3, 0));
        }
        assertThat(torus.refusal(conf).reason()).contains(refusal);
    }

    @Test
    void routesAMeshInATorusAndReportsTheCablesThatWrap() {
        TestTorus torus = new TestTorus(3, 3, 3);
        Plan plan = torus.plan("torus 3m 3 3\n" + torus.seed(0, 0, 0));
        assertThat(texts(plan.findings(), Severity.WARNING))
                .filteredOn(text -> !text.contains("looks like"))
                .hasSize(9)
                .allMatch(text -> text.contains("is not part of the torus and carries no routed traffic"));
        assertThat(plan.role(0, 2)).isEqualTo(PortRole.OTHER);
    }

    @Test
    void routesShortOneDimensionalFabrics() {
        TestTorus three = new TestTorus(3, 1, 1);
        String xm = String.format("xm_link 0x200000 0x%x%n", three.guid(2, 0, 0));
        assertThat(three.plan(three.conf() + xm).coordinates(2)).isEqualTo("(2,0,0)");
        TestTorus two = new TestTorus(2, 1, 1);
        assertThat(two.plan(two.conf()).coordinates(1)).isEqualTo("(1,0,0)");
    }

    @Test
    void refusesSeedLinksOfDifferentSwitchesInAFlatFabric() {
        TestTorus torus = new TestTorus(1, 5, 5);
        String conf = String.format(
                "torus 1 5 5%nyp_link 0x%x 0x%x%nzp_link 0x%x 0x%x%n",
                torus.guid(0, 0, 0), torus.guid(0, 1, 0), torus.guid(0, 3, 3), torus.guid(0, 3, 4));
        assertThat(torus.refusal(conf).reason()).contains("seed links must join neighbours");
    }

    @Test
    void usesTheFirstSeedWhoseSwitchesAreThere() {
        TestTorus torus = new TestTorus(3, 3, 3);
        String gone = torus.seed(0, 0, 0).replaceFirst("0x200090", "0x999999");
        Plan plan = torus.plan(torus.sizes() + gone + "next_seed\n" + torus.seed(1, 2, 1));
        assertThat(plan.coordinates(0)).isEqualTo("(0,0,0)");
        assertThat(texts(plan.findings(), Severity.WARNING))
                .singleElement()
                .asString()
                .contains("torus-2QoS.conf:2: no switch", "0x0000000000999999", "seed 1 of line 8 is used");
        assertThat(torus.refusal(torus.sizes() + gone).reason())
                .contains("no switch of the fabric has the NodeGUID 0x0000000000999999", "next_seed");
    }

    @Test
    void doesNotTakeAHostForASeedSwitch() {
        TestTorus torus = new TestTorus(3, 3, 3);
        assertThat(torus.refusal(torus.conf().replaceFirst("0x200090", "0x100000000"))
                        .reason())
                .contains("no switch of the fabric has the NodeGUID 0x0000000100000000");
    }

    @Test
    void refusesPortsInThePortOrderThatASwitchLacks() {
        TestTorus torus = new TestTorus(3, 3, 3);
        assertThat(torus.refusal(torus.conf() + "port_order 9").reason())
                .contains(
                        "torus-2QoS.conf:8: port_order names port 9, but 0x0000000000200000 \"sw-0-0-0\" has ports 1 to 7");
        assertThat(torus.plan(torus.conf() + "port_order 7").coordinates(0)).isEqualTo("(0,0,0)");
    }

    @Test
    void refusesMoreHostsThanAPortGroupHolds() {
        TestTorus torus = new TestTorus(3, 3, 3);
        assertThat(torus.refusal(torus.conf() + "portgroup_max_ports 1").reason())
                .contains(
                        "(0,0,0) 0x0000000000200000 \"sw-0-0-0\" has 1 hosts",
                        "portgroup_max_ports = 1",
                        "raise it to 2");
        assertThat(torus.plan(torus.conf() + "portgroup_max_ports 2").coordinates(0))
                .isEqualTo("(0,0,0)");
        assertThat(torus.refusal(torus.conf() + "portgroup_max_ports 0").findings())
                .isNotEmpty();
    }

    @Test
    void saysWhichCablesDoNotFitAPortGroup() {
        TestTorus torus = new TestTorus(new int[] {2, 2, 1}, "", 3, 1, null);
        Plan plan = torus.plan(torus.conf() + "portgroup_max_ports 2");
        assertThat(texts(plan.findings(), Severity.WARNING))
                .filteredOn(text -> text.contains("has more than portgroup_max_ports = 2 cables to"))
                .hasSize(4);
        assertThat(texts(plan.findings(), Severity.WARNING))
                .filteredOn(text -> text.contains("is not part of the torus"))
                .hasSize(4);
        assertThat(texts(torus.plan(torus.conf() + "portgroup_max_ports 3").findings(), Severity.WARNING))
                .isEmpty();
    }

    @Test
    void boundsTheListOfMissingCables() {
        TestTorus torus = new TestTorus(3, 3, 3);
        List<Finding> findings = TestTorus.chain(
                        torus.conf().replace("torus 3 3 3", "torus 30 30 30"), torus.fabric.subnet(0))
                .findings();
        assertThat(findings).hasSizeLessThan(5 * (TorusCheck.MAX_LISTED + 1));
        assertThat(texts(findings, Severity.WARNING)).contains("and 26941 more missing switches");
    }

    @Test
    void reportsThePurposesOfPorts() {
        TestTorus torus = new TestTorus(new int[] {3, 3, 3}, "", 1, 2, null);
        torus.fabric.unplug(torus.guid(0, 0, 0), 8);
        Plan plan = torus.plan(torus.conf());
        assertThat(plan.role(0, 1)).isEqualTo(PortRole.FABRIC_LINK);
        assertThat(plan.role(0, 6)).isEqualTo(PortRole.FABRIC_LINK);
        assertThat(plan.role(0, 7)).isEqualTo(PortRole.HOST_LINK);
        assertThat(plan.role(0, 8)).isEqualTo(PortRole.HOST_LINK);
        assertThat(plan.role(0, 0)).isEqualTo(PortRole.OTHER);
        assertThat(plan.claimsDeadlockFree()).isTrue();
        assertThat(plan.engine()).isEqualTo(new Torus2QosEngine(TestTorus.parse("")).name());
    }

    @Test
    void givesNoSlForLidsThatAreNobodys() {
        TestTorus torus = new TestTorus(3, 3, 3);
        Plan plan = torus.plan(torus.conf());
        int top = plan.subnet().topLid();
        assertThat(plan.pathSl(1, top, 15)).isGreaterThanOrEqualTo(8);
        assertThat(plan.pathSl(1, 1, 9)).isEqualTo(8);
        assertThat(plan.pathSl(0, 1, 0)).isEqualTo(-1);
        assertThat(plan.pathSl(1, top + 1, 0)).isEqualTo(-1);
        assertThat(plan.pathSl(-1, 1, 0)).isEqualTo(-1);
        assertThat(plan.pathSl(1, 0xffff, 0)).isEqualTo(-1);
    }

    @Test
    void treatsRoutersAsHostsAndLeavesOutAdaptersOffTheFabric() {
        TestTorus torus = new TestTorus(3, 3, 3);
        torus.fabric.unplug(torus.guid(0, 0, 0), 7);
        torus.fabric.addRouter(0x900, 1, "router");
        torus.fabric.cable(0x900, 1, torus.guid(0, 0, 0), 7);
        torus.fabric.addCa(0x901, 1, "pair a");
        torus.fabric.addCa(0x902, 1, "pair b");
        torus.fabric.cable(0x901, 1, 0x902, 1);
        Plan plan = torus.plan(torus.conf());
        Fabric fabric = plan.subnet().fabric();
        int router = plan.subnet().lid(fabric.port(fabric.nodeByGuid(0x900), 1));
        int pair = plan.subnet().lid(fabric.port(fabric.nodeByGuid(0x901), 1));
        assertThat(plan.lft(0)[router]).isEqualTo((byte) 7);
        assertThat(plan.lft(0)[pair]).isEqualTo((byte) 0xff);
        assertThat(plan.pathSl(router, pair, 0)).isEqualTo(-1);
        assertThat(plan.pathSl(router, 1, 0)).isZero();
    }

    @Test
    void ignoresLoopbackPlugsAndCablesFromASwitchToItself() {
        TestTorus torus = new TestTorus(new int[] {3, 3, 3}, "", 1, 3, null);
        for (int port = 7; port <= 9; port++) {
            torus.fabric.unplug(torus.guid(1, 1, 1), port);
        }
        torus.fabric.cable(torus.guid(1, 1, 1), 7, torus.guid(1, 1, 1), 7);
        torus.fabric.cable(torus.guid(1, 1, 1), 8, torus.guid(1, 1, 1), 9);
        assertThat(texts(torus.plan(torus.conf()).findings(), Severity.WARNING))
                .singleElement()
                .asString()
                .contains("port 8 to (1,1,1)");
    }

    @Test
    void wantsAThread() {
        assertThatThrownBy(() -> new Torus2QosEngine(TestTorus.parse(""), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
