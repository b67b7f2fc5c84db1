package io.torussm.routing.sssp;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Shortest paths, balanced over the whole fabric. */
public final class SsspEngine implements Engine {
    /** As {@code routing_engine} calls it. */
    public static final String NAME = "sssp";

    private static final EngineSetting COMPUTE = new EngineSetting(
            "cn_guid_file",
            EngineSetting.Kind.FILE,
            "",
            "port GUIDs of compute nodes, one on each line, whose routes are balanced first");
    private static final EngineSetting STORAGE = new EngineSetting(
            "io_guid_file",
            EngineSetting.Kind.FILE,
            "",
            "port GUIDs of I/O nodes, one on each line, whose routes are balanced next");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<EngineSetting> settings() {
        return List.of(COMPUTE, STORAGE);
    }

    @Override
    public List<Finding> check(EngineConfig config, RoutingOptions options) {
        return new Files(config).findings();
    }

    /** What operators say. */
    private record Files(GuidFile compute, GuidFile storage) {
        Files(EngineConfig config) {
            this(
                    new GuidFile(config, COMPUTE.key(), GuidFile.GUID_ALONE),
                    new GuidFile(config, STORAGE.key(), GuidFile.GUID_ALONE));
        }

        List<Finding> findings() {
            List<Finding> findings = new ArrayList<>(compute.findings());
            findings.addAll(storage.findings());
            return findings;
        }

        List<Set<Long>> kinds() {
            return List.of(guids(compute), guids(storage));
        }

        private static Set<Long> guids(GuidFile file) {
            return file.lines().stream().map(GuidFile.Line::guid).collect(Collectors.toSet());
        }
    }

    @Override
    public RoutingResult route(EngineContext context) {
        Files files = new Files(context.config());
        List<Finding> errors = files.findings();
        if (!errors.isEmpty()) {
            return new Refusal(NAME, errors);
        }
        Links links = new Links(context.subnet().fabric());
        int[] equal = new int[links.fabric().portCount()];
        Arrays.fill(equal, 1);
        Hops cables = new Hops(links, equal);
        if (links.order().length > 0
                && Arrays.stream(links.order()).anyMatch(sw -> cables.hops(sw, links.order()[0]) == Hops.NONE)) {
            errors.add(SmEvent.ROUTING_ERROR.says("sssp: cables do not connect all switches"));
            return new Refusal(NAME, errors);
        }
        byte[][] lfts = new WeightedPaths(context.subnet(), links).route(files.kinds());
        return Plan.builder(NAME, context.subnet(), lfts)
                .operatorSl2Vl(context, (from, to) -> true)
                .multicastFrom(cables.centres())
                .build();
    }
}
