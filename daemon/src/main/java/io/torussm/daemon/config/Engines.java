package io.torussm.daemon.config;

import io.torussm.routing.Engine;
import io.torussm.routing.dfsssp.DfssspEngine;
import io.torussm.routing.dnup.DownUpEngine;
import io.torussm.routing.dor.DorEngine;
import io.torussm.routing.file.FileEngine;
import io.torussm.routing.ftree.FatTreeEngine;
import io.torussm.routing.lash.LashEngine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.routing.sssp.SsspEngine;
import io.torussm.routing.updn.UpDownEngine;
import io.torussm.torus2qos.Torus2QosEngine;
import java.util.List;
import java.util.stream.Collectors;

/** The routing engines that there are. */
public final class Engines {
    /** One line each. */
    public static final List<Engine> ALL = List.of(
            new Torus2QosEngine(), //
            new DorEngine(), //
            new UpDownEngine(), //
            new DownUpEngine(), //
            new SsspEngine(), //
            new DfssspEngine(), //
            new FileEngine(), //
            new LashEngine(), //
            new FatTreeEngine(), //
            new MinHopEngine());

    private Engines() {}

    /** Their names for people. */
    static String names() {
        return ALL.stream().map(engine -> '"' + engine.name() + '"').collect(Collectors.joining(", "));
    }
}
