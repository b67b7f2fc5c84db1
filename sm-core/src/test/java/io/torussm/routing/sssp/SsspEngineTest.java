package io.torussm.routing.sssp;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.Links;
import io.torussm.subnet.Subnet;
import io.torussm.testing.RandomFabric;
import io.torussm.testing.Subnets;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What tables on recorded fabrics do not say; for those see RecordedTablesTest. */
class SsspEngineTest {
    private static final RoutingOptions QOS = new RoutingOptions(true, 5, 0);
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 40);

    private static RoutingResult route(Subnet subnet, String computeNodes) {
        Map<String, EngineFile> files = Map.of("cn_guid_file", EngineFile.read("cn.conf", computeNodes));
        EngineConfig config = new EngineConfig(Map.of(), files, "", Sl2VlTables.DEFAULT, 1);
        return new SsspEngine().route(new EngineContext(subnet, QOS, config, null));
    }

    @Test
    void refusesWithAFileThatItCannotRead() {
        Subnet subnet = Subnets.of(RandomFabric.of(new Random(1)));
        assertThat(((Refusal) route(subnet, "host\n")).reason()).startsWith("cn.conf:1: \"host\" is no GUID");
    }

    /** Weights grow by less than they begin with. */
    @Test
    void pathsAreShortest() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Subnet subnet = Subnets.of(RandomFabric.of(new Random(seed)));
            Fabric fabric = subnet.fabric();
            Hops hops = new Hops(new Links(fabric));
            Plan plan = (Plan) route(subnet, "");
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                for (int lid = 1; lid <= subnet.topLid(); lid++) {
                    int to = subnet.switchOfLid(lid);
                    int port = fabric.port(sw, plan.lft(sw)[lid]);
                    assertThat(sw == to || hops.through(port, to) == hops.hops(sw, to))
                            .as("seed " + seed + ", switch " + sw + ", LID " + lid)
                            .isTrue();
                }
            }
        }
    }
}
