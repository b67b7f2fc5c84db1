package io.torussm.daemon.config;

import io.torussm.routing.Engine;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.auto.AutoEngine;
import io.torussm.routing.dfsssp.DfssspEngine;
import io.torussm.routing.dnup.DownUpEngine;
import io.torussm.routing.dor.DorEngine;
import io.torussm.routing.file.FileEngine;
import io.torussm.routing.ftree.FatTreeEngine;
import io.torussm.routing.lash.LashEngine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.routing.nue.NueEngine;
import io.torussm.routing.sssp.SsspEngine;
import io.torussm.routing.updn.UpDownEngine;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.planning.ConfSuggestion;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The list of all routing engines. */
public final class Engines {
    /** The engine that routes if all named engines refuse and there are no routes to keep, as in OpenSM. */
    public static final Engine DEFAULT = new MinHopEngine();

    private static final List<Engine> SELECTABLE = List.of(
            new Torus2QosEngine(), //
            new DorEngine(), //
            new UpDownEngine(), //
            new DownUpEngine(), //
            new SsspEngine(), //
            new DfssspEngine(), //
            new NueEngine(), //
            new FileEngine(), //
            new LashEngine(), //
            new FatTreeEngine(), //
            DEFAULT);

    /** All engines, the engine auto last, which selects among the others. */
    public static final List<Engine> ALL = Stream.concat(
                    SELECTABLE.stream(), Stream.of(new AutoEngine(SELECTABLE, Engines::torusConf)))
            .toList();

    private Engines() {}

    private static List<String> torusConf(Subnet subnet, RoutingOptions options, int threads) {
        return ConfSuggestion.of(subnet, options, threads)
                .conf()
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .toList();
    }

    /** Returns the names of all engines for the operator. */
    static String names() {
        return ALL.stream().map(engine -> '"' + engine.name() + '"').collect(Collectors.joining(", "));
    }
}
