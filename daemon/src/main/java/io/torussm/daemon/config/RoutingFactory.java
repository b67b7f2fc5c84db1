package io.torussm.daemon.config;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.routing.Engine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.TorusSpec;
import io.torussm.torus2qos.Torus2QosConf;
import io.torussm.torus2qos.Torus2QosEngine;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Makes the chain of routing engines that the options name, with their files read anew each time. */
public final class RoutingFactory {
    private static final long MAX_CONF_BYTES = 4L << 20;

    private RoutingFactory() {}

    /**
     * The chain for one sweep. A torus-2QoS.conf that cannot be used makes the engine refuse with its errors.
     *
     * @throws IllegalArgumentException if an engine has an unknown name
     */
    public static RoutingChain chain(SmOptions options) {
        return chain(options, torusConf(options), Runtime.getRuntime().availableProcessors());
    }

    /**
     * The same with a torus-2QoS.conf that was read already.
     *
     * @param tasks parts in which a routing and its proof work side by side, at least 1
     */
    public static RoutingChain chain(SmOptions options, Torus2QosConf.Parsed conf, int tasks) {
        List<Engine> known = List.of(
                new Torus2QosEngine(conf, tasks, options.routing().acceptsUnplaced()),
                new MinHopEngine(options.qos().sl2vl()));
        return RoutingChain.parse(options.routing().engines(), known, new DeadlockChecker(tasks));
    }

    /**
     * Checks at the start what would else be refused at every sweep.
     *
     * @return what can be used, but not as the operator may think
     * @throws ConfigurationException naming file, line and remedy
     */
    public static List<Finding> check(SmOptions options) throws ConfigurationException {
        String simulated = options.port().simulate();
        if (simulated.startsWith(TorusSpec.PREFIX)) {
            SimulatedTopology.read(simulated);
        }
        try {
            chain(options);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of("routing_engine: " + e.getMessage()));
        }
        return usesTorus(options) ? checkTorus(options) : List.of();
    }

    /** Whether torus-2QoS is among the engines. */
    public static boolean usesTorus(SmOptions options) {
        return Arrays.asList(options.routing().engines().split("[,\\s]+", -1)).contains(Torus2QosEngine.NAME);
    }

    private static List<Finding> checkTorus(SmOptions options) throws ConfigurationException {
        Torus2QosConf.Parsed parsed = torusConf(options);
        if (parsed.conf() == null) {
            throw new ConfigurationException(parsed.findings().stream()
                    .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                    .map(Finding::text)
                    .toList());
        }
        List<Finding> findings = new ArrayList<>(parsed.findings());
        if (!options.routing().qos()) {
            findings.add(SmEvent.TORUS_QOS_OFF.says(
                    "torus-2QoS will refuse to route without QoS; start with -Q, or set qos = true"));
        }
        return findings;
    }

    /** What the options name, or the file that goes with a torus made to measure. */
    public static Torus2QosConf.Parsed torusConf(SmOptions options) {
        Path file = options.routing().torusConfig();
        if (file != null) {
            return read(file);
        }
        String simulated = options.port().simulate();
        return simulated.startsWith(TorusSpec.PREFIX)
                ? Torus2QosConf.parse(simulated, TorusSpec.parse(simulated).torus2QosConf())
                : Torus2QosConf.unreadable(
                        "torus-2QoS.conf", "no file was named; give --torus_config FILE, or set torus_config");
    }

    private static Torus2QosConf.Parsed read(Path file) {
        try {
            if (Files.size(file) > MAX_CONF_BYTES) {
                return Torus2QosConf.unreadable(file.toString(), "it has more than " + MAX_CONF_BYTES + " bytes");
            }
            return Torus2QosConf.parse(file.toString(), Files.readString(file, StandardCharsets.ISO_8859_1));
        } catch (IOException e) {
            return Torus2QosConf.unreadable(file.toString(), FileErrors.describe(e));
        }
    }
}
