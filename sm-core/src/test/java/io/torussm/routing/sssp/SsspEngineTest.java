package io.torussm.routing.sssp;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.Field;
import io.torussm.mad.smp.LinkSpeed;
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
 * Properties of sssp that RecordedTablesTest does not check. {@code TorusSketch.of} takes x, y, z, the parallel cables
 * and the hosts of each switch.
 */
class SsspEngineTest {
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 40);

    private static RoutingResult route(Subnet subnet, String computeNodes) {
        return route(subnet, computeNodes, false);
    }

    private static RoutingResult route(Subnet subnet, String computeNodes, boolean avoidsThrottled) {
        Map<String, EngineFile> files = Map.of("cn_guid_file", EngineFile.read("cn.conf", computeNodes));
        Map<String, String> values = Map.of("avoid_throttled_links", Boolean.toString(avoidsThrottled));
        EngineConfig config = new EngineConfig(values, files, "", Sl2VlTables.DEFAULT, 1);
        return new SsspEngine().route(new EngineContext(subnet, TestRouting.QOS, config, null));
    }

    @Test
    void refusesWithAFileThatItCannotRead() {
        Subnet subnet = Subnets.of(RandomFabric.of(Seeds.random(1)));
        assertThat(((Refusal) route(subnet, "host\n")).reason()).startsWith("cn.conf:1: \"host\" is no GUID");
    }

    /** A ring whose cables may all be 4x HDR, of which that from the first switch to the second is something else. */
    private static Subnet ring(Field atFirst, long value, int slow) {
        FabricBuilder ring =
                FabricBuilder.of(TorusSketch.of(5, 1, 1, 1, 1).subnet().fabric());
        Fabric fabric = ring.build();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int portNum = 0; portNum <= 2; portNum++) {
                PortInfo info = Objects.requireNonNull(fabric.portInfo(fabric.port(sw, portNum)))
                        .with(PortInfo.CAPABILITY_MASK, PortInfo.CAP_EXTENDED_SPEEDS)
                        .with(PortInfo.LINK_SPEED_ENABLED, 7)
                        .with(PortInfo.LINK_SPEED_EXT_ENABLED, 7)
                        .with(PortInfo.LINK_WIDTH_ENABLED, 3)
                        .with(PortInfo.LINK_WIDTH_ACTIVE, 2);
                info = LinkSpeed.HDR.applyTo(info);
                boolean isIt = sw < slow && fabric.nodeOf(fabric.peer(fabric.port(sw, Math.max(1, portNum)))) == 1 - sw;
                ring.setPortInfo(fabric.nodeGuid(sw), portNum, isIt ? info.with(atFirst, value) : info);
            }
        }
        return Subnets.of(ring.build());
    }

    static List<Arguments> throttled() {
        return List.of(
                Arguments.of(PortInfo.LINK_SPEED_EXT_ACTIVE, LinkSpeed.EDR.extActive()),
                Arguments.of(PortInfo.LINK_SPEED_EXT_ACTIVE, 0),
                Arguments.of(PortInfo.LINK_WIDTH_ACTIVE, 1));
    }

    @ParameterizedTest
    @MethodSource("throttled")
    void takesTheWayRoundACableThatIsSlowerThanItMayBe(Field field, long value) {
        for (int ends = 1; ends <= 2; ends++) {
            Subnet subnet = ring(field, value, ends);
            assertThat(hops(subnet, (Plan) route(subnet, "", false))).isEqualTo(1);
            assertThat(hops(subnet, (Plan) route(subnet, "", true))).isEqualTo(4);
        }
        Subnet whole = ring(field, value, 0);
        assertThat(hops(whole, (Plan) route(whole, "", true))).isEqualTo(1);
    }

    @Test
    void aCableThatMayNotBeFasterIsNotThrottled() {
        Subnet subnet = ring(PortInfo.LINK_SPEED_EXT_ENABLED, 4, 1);
        assertThat(hops(subnet, (Plan) route(subnet, "", true))).isEqualTo(1);
    }

    /** Returns the number of hops from switch 0 to switch 1. */
    private static int hops(Subnet subnet, Plan plan) {
        Fabric fabric = subnet.fabric();
        int sw = 0;
        int hops = 0;
        for (; sw != 1; hops++) {
            sw = fabric.nodeOf(fabric.peer(fabric.port(sw, plan.lft(sw)[subnet.lid(fabric.port(1, 0))])));
        }
        return hops;
    }

    @Test
    void refusesIfTooFewCablesAreAtFullSpeed() {
        Subnet line = Subnets.of(slowLine());
        assertThat(route(line, "", false)).isInstanceOf(Plan.class);
        assertThat(((Refusal) route(line, "", true)).reason()).contains("avoid_throttled_links");
    }

    private static Fabric slowLine() {
        Subnet ring = ring(PortInfo.LINK_WIDTH_ACTIVE, 1, 2);
        FabricBuilder line = FabricBuilder.of(ring.fabric());
        line.unlink(ring.fabric().nodeGuid(3), 2);
        return line.build();
    }

    /** Weights grow by less than they begin with. */
    @Test
    void pathsAreShortest() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Subnet subnet = Subnets.of(RandomFabric.of(Seeds.random(seed)));
            Fabric fabric = subnet.fabric();
            Hops hops = new Hops(new Links(fabric));
            Plan plan = (Plan) route(subnet, "");
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
