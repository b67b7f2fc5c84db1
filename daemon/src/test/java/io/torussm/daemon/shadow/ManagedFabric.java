package io.torussm.daemon.shadow;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.ServiceHarness;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.twin.VirtualSm;
import io.torussm.shadow.Twin;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.SnapshotFile;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** A torus in virtual time that an SM rules, to be looked at. */
public final class ManagedFabric {
    private static final String MASTER_HOST = "host-0-0-0-0";
    private static final String READER_HOST = "host-2-1-0-0";

    public final VirtualLoop loop = new VirtualLoop();
    public final SimFabric fabric;
    public final VirtualSm sm;
    private final Topology topology;

    /**
     * Lets an SM rule it.
     *
     * @param dir for the configuration of the torus
     * @param more settings of the SM
     */
    public ManagedFabric(Path dir, String torus, Map<Setting<?>, String> more) throws Exception {
        topology = TorusSpec.parse(torus).topology();
        fabric = new SimFabric(topology, loop, FaultPlan.NONE);
        sm = VirtualSm.start(
                loop,
                fabric.attach(MASTER_HOST, 1),
                VirtualSm.Start.of(options(dir, torus, more)),
                VirtualSm.Watcher.NONE);
        assertThat(sm.runUntilIdle(TimeUnit.MINUTES.toNanos(5))).isTrue();
    }

    /** Options for that torus. */
    public static SmOptions options(Path dir, String torus, Map<Setting<?>, String> more) throws Exception {
        Map<Setting<?>, String> settings = new TreeMap<>(more);
        settings.put(Settings.TORUS_CONFIG, ServiceHarness.torusConf(dir, TorusSpec.parse(torus)));
        return ServiceHarness.options(dir, settings);
    }

    /** Returns a snapshot of its registers. */
    public FabricSnapshot read() {
        return Twin.of(loop, fabric, node(READER_HOST).portGuid(1)).read();
    }

    /** Writes the topology to a file. */
    public Path file(Path file) throws Exception {
        try (OutputStream out = Files.newOutputStream(file)) {
            SnapshotFile.write(read(), out);
        }
        return file;
    }

    /** Returns a node by its description. */
    public Topology.Node node(String description) {
        return topology.node(description).orElseThrow();
    }
}
