package io.torussm.routing.sssp;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.balance.GuidFile;
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.Links;
import io.torussm.routing.balance.ThrottledLinks;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Paths of least weight, spread over the whole fabric. */
public final class SsspEngine implements Engine {
    /** As {@code routing_engine} calls it. */
    public static final String NAME = "sssp";

    private static final EngineSetting COMPUTE = new EngineSetting(
            "cn_guid_file",
            EngineSetting.Kind.FILE,
            "",
            "compute nodes, a port GUID on each line, which are routed first");
    private static final EngineSetting IO = new EngineSetting(
            "io_guid_file",
            EngineSetting.Kind.FILE,
            "",
            "I/O nodes, a port GUID on each line, which are routed after compute nodes");

    private static final EngineSetting AVOIDS = new EngineSetting(
            "avoid_throttled_links",
            EngineSetting.Kind.FLAG,
            "false",
            "no paths over cables that run below the speed or width that both ends have enabled");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<EngineSetting> settings() {
        return List.of(COMPUTE, IO, AVOIDS);
    }

    /** What operators say, compute nodes first. */
    private static List<GuidFile> files(EngineConfig config) {
        return List.of(
                new GuidFile(config, COMPUTE.key(), GuidFile.GUID_ALONE),
                new GuidFile(config, IO.key(), GuidFile.GUID_ALONE));
    }

    @Override
    public List<Finding> check(EngineConfig config, RoutingOptions options) {
        return findings(files(config));
    }

    private static List<Finding> findings(List<GuidFile> files) {
        return files.stream().flatMap(file -> file.findings().stream()).toList();
    }

    @Override
    public RoutingResult route(EngineContext context) {
        Fabric fabric = context.subnet().fabric();
        List<GuidFile> files = files(context.config());
        List<Finding> errors = new ArrayList<>(findings(files));
        if (fabric.switchCount() == 0) {
            errors.add(SmEvent.ROUTING_ERROR.says("sssp: there is no switch to route from"));
        }
        if (!errors.isEmpty()) {
            return new Refusal(NAME, errors);
        }
        boolean avoids = context.config().flag(AVOIDS.key());
        Links links = new Links(fabric, port -> !avoids || !ThrottledLinks.has(fabric, port));
        Targets targets = new Targets(context.subnet(), links, files);
        WeightedGraph graph = new WeightedGraph(context.subnet(), links, targets.loads());
        byte[][] lfts = new byte[fabric.switchCount()][context.subnet().topLid() + 1];
        for (byte[] lft : lfts) {
            Arrays.fill(lft, (byte) 0xff);
        }
        for (int port : targets.ports()) {
            for (int offset = 0; offset < 1 << context.subnet().lmc(port); offset++) {
                if (!graph.route(context.subnet().lid(port) + offset, lfts)) {
                    return new Refusal(
                            NAME,
                            List.of(SmEvent.ROUTING_ERROR.says(
                                    "sssp: not all switches are connected to " + fabric.portName(port)
                                            + (avoids ? " by cables at full speed; unset " + AVOIDS.key() : ""))));
                }
            }
        }
        return Plan.builder(NAME, context.subnet(), lfts)
                .operatorSl2Vl(context, (from, to) -> true)
                .multicastFrom(new Hops(links).centres())
                .build();
    }
}
