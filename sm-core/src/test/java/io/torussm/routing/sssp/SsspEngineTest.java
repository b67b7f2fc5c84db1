package io.torussm.routing.sssp;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.Field;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.LinkWidth;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.Links;
import io.torussm.subnet.Subnet;
import io.torussm.testing.RandomFabric;
import io.torussm.testing.Seeds;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Properties of sssp that RecordedTablesTest does not check: refusals, shortest paths, and paths that avoid throttled
 * cables, which are slower than both ends permit. The fabric for those is a ring of five switches, so a path from
 * switch 0 to 1 that avoids the cable between them has four hops.
 */
class SsspEngineTest {
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 40);
    private static final int RING = 5;
    private static final String NO_COMPUTE_NODES = "";

    /** Codes of LinkSpeedExtEnabled and LinkSpeedEnabled: FDR, EDR and HDR; SDR, DDR and QDR. */
    private static final int ALL_SPEEDS = 7;

    private static final int ONLY_HDR = 4;

    private static RoutingResult route(Subnet subnet) {
        return route(subnet, NO_COMPUTE_NODES, false);
    }

    private static RoutingResult routeAroundThrottled(Subnet subnet) {
        return route(subnet, NO_COMPUTE_NODES, true);
    }

    private static RoutingResult route(Subnet subnet, String computeNodes, boolean avoidsThrottled) {
        Map<String, EngineFile> files = Map.of("cn_guid_file", EngineFile.read("cn.conf", computeNodes));
        Map<String, String> values = Map.of("avoid_throttled_links", Boolean.toString(avoidsThrottled));
        EngineConfig config = new EngineConfig(values, files, "", Sl2VlTables.DEFAULT, 1);
        return new SsspEngine().route(new EngineContext(subnet, TestRouting.QOS, config, null));
    }

    @Test
    void aFileOfComputeNodesWithoutGuidsIsRefused() {
        Subnet subnet = Subnets.of(RandomFabric.of(Seeds.random(1)));
        assertThat(((Refusal) route(subnet, "host\n", false)).reason()).startsWith("cn.conf:1: \"host\" is no GUID");
    }

    /**
     * Returns a ring of five switches whose cables are 4x HDR and may be that, but for the cable between switches 0 and
     * 1.
     *
     * @param field a field of that cable with another value
     * @param changedEnds ends of the cable with this value: 0, 1 (at switch 0) or 2
     */
    private static Subnet ring(Field field, long value, int changedEnds) {
        int cablesOfLink = 1;
        int hostsOfSwitch = 1;
        FabricBuilder ring = FabricBuilder.of(
                TorusSketch.of(RING, 1, 1, cablesOfLink, hostsOfSwitch).subnet().fabric());
        Fabric fabric = ring.build();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int portNum = 0; portNum <= 2; portNum++) {
                PortInfo fast = fullSpeed(Objects.requireNonNull(fabric.portInfo(fabric.port(sw, portNum))));
                int neighbour = fabric.nodeOf(fabric.peer(fabric.port(sw, Math.max(1, portNum))));
                boolean isChanged = sw < changedEnds && neighbour == 1 - sw;
                ring.setPortInfo(fabric.nodeGuid(sw), portNum, isChanged ? fast.with(field, value) : fast);
            }
        }
        return Subnets.of(ring.build());
    }

    private static PortInfo fullSpeed(PortInfo info) {
        return LinkSpeed.HDR.applyTo(info.with(PortInfo.CAPABILITY_MASK, PortInfo.CAP_EXTENDED_SPEEDS)
                .with(PortInfo.LINK_SPEED_ENABLED, ALL_SPEEDS)
                .with(PortInfo.LINK_SPEED_EXT_ENABLED, ALL_SPEEDS)
                .with(PortInfo.LINK_WIDTH_ENABLED, LinkWidth.X1.code() | LinkWidth.X4.code())
                .with(PortInfo.LINK_WIDTH_ACTIVE, LinkWidth.X4.code()));
    }

    static List<Arguments> throttled() {
        return List.of(
                Arguments.of(PortInfo.LINK_SPEED_EXT_ACTIVE, LinkSpeed.EDR.extActive()),
                Arguments.of(PortInfo.LINK_SPEED_EXT_ACTIVE, 0),
                Arguments.of(PortInfo.LINK_WIDTH_ACTIVE, LinkWidth.X1.code()));
    }

    @ParameterizedTest
    @MethodSource("throttled")
    void aThrottledCableIsAvoidedIfThatIsWanted(Field field, long value) {
        for (int throttledEnds = 1; throttledEnds <= 2; throttledEnds++) {
            Subnet subnet = ring(field, value, throttledEnds);
            assertThat(hops(subnet, (Plan) route(subnet))).isEqualTo(1);
            assertThat(hops(subnet, (Plan) routeAroundThrottled(subnet))).isEqualTo(RING - 1);
        }
        Subnet withoutThrottled = ring(field, value, 0);
        assertThat(hops(withoutThrottled, (Plan) routeAroundThrottled(withoutThrottled)))
                .isEqualTo(1);
    }

    @Test
    void aCableThatMayNotBeFasterIsNotThrottled() {
        Subnet subnet = ring(PortInfo.LINK_SPEED_EXT_ENABLED, ONLY_HDR, 1);
        assertThat(hops(subnet, (Plan) routeAroundThrottled(subnet))).isEqualTo(1);
    }

    /** Returns the number of hops from switch 0 to switch 1. */
    private static int hops(Subnet subnet, Plan plan) {
        Fabric fabric = subnet.fabric();
        int lid = subnet.lid(fabric.port(1, 0));
        int sw = 0;
        int hops = 0;
        while (sw != 1) {
            sw = fabric.nodeOf(fabric.peer(fabric.port(sw, plan.lft(sw)[lid])));
            hops++;
        }
        return hops;
    }

    /** The ring lacks a cable, so the throttled one is the only way from one side of it to the other. */
    @Test
    void aFabricThatIsConnectedOnlyByAThrottledCableIsRefusedIfThoseAreAvoided() {
        Subnet ring = ring(PortInfo.LINK_WIDTH_ACTIVE, LinkWidth.X1.code(), 2);
        FabricBuilder line = FabricBuilder.of(ring.fabric());
        line.unlink(ring.fabric().nodeGuid(3), 2);
        Subnet subnet = Subnets.of(line.build());
        assertThat(route(subnet)).isInstanceOf(Plan.class);
        assertThat(((Refusal) routeAroundThrottled(subnet)).reason()).contains("avoid_throttled_links");
    }

    /** The weight of a cable grows by less than its first value, so a detour never costs less. */
    @Test
    void pathsOfRandomFabricsAreShortest() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Subnet subnet = Subnets.of(RandomFabric.of(Seeds.random(seed)));
            Fabric fabric = subnet.fabric();
            Hops hops = new Hops(new Links(fabric));
            Plan plan = (Plan) route(subnet);
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                for (int lid = 1; lid <= subnet.topLid(); lid++) {
                    int to = subnet.switchOfLid(lid);
                    int port = fabric.port(sw, plan.lft(sw)[lid]);
                    assertThat(sw == to || hops.hopsThrough(port, to) == hops.hops(sw, to))
                            .as("seed " + seed + ", switch " + sw + ", LID " + lid)
                            .isTrue();
                }
            }
        }
    }
}
