package io.torussm.daemon.config.files;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Engines;
import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.config.SimulatedTopology;
import io.torussm.daemon.config.SmOptions;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.EngineNames;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineFile;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.RoutingOptions;
import io.torussm.sim.shape.TopologySpec;
import io.torussm.state.BoundedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** The factory of the chain of routing engines that the options name. It reads their files for each chain. */
public final class RoutingFactory {
    static final long MAX_FILE_BYTES = 256L << 20;

    private RoutingFactory() {}

    /**
     * Returns the chain for one sweep. An engine whose file cannot be used refuses with its errors.
     *
     * @throws IllegalArgumentException if an engine has an unknown name
     */
    public static RoutingChain chain(SmOptions options) {
        return chain(options, Map.of(), Runtime.getRuntime().availableProcessors());
    }

    /**
     * Returns the chain for one sweep, with some files replaced.
     *
     * @param files replacements of the files of settings, by setting, such as {@code torus-2QoS.torus_config}
     * @param tasks number of parallel parts of a routing and its proof, at least 1
     */
    public static RoutingChain chain(SmOptions options, Map<String, EngineFile> files, int tasks) {
        return new RoutingChain(
                new DeadlockChecker(tasks),
                engines(options).stream()
                        .map(engine -> member(options, engine, files, tasks))
                        .toList(),
                ChainPolicy.of(
                        options.routing().engines(),
                        options.routing().onCreditLoop(),
                        options.routing().onSwitchPortLoop()),
                member(options, Engines.DEFAULT, files, tasks));
    }

    private static RoutingChain.Member member(
            SmOptions options, Engine engine, Map<String, EngineFile> files, int tasks) {
        return new RoutingChain.Member(engine, config(options, engine, files, tasks));
    }

    /**
     * Checks at the start whether all engines would refuse in every sweep because of their files.
     *
     * @return warnings of usable contents, and errors of engines that another engine of the chain replaces
     * @throws ConfigurationException with file, line and remedy, if all engines refuse
     */
    public static List<Finding> check(SmOptions options) throws ConfigurationException {
        checkNames(options);
        List<Finding> findings = new ArrayList<>();
        requireUsableEngine(options, engine -> {
            List<Finding> own = engine.check(config(options, engine, Map.of(), 1), routingOptions(options));
            findings.addAll(own);
            return own.stream().filter(RoutingFactory::isError).toList();
        });
        return findings;
    }

    /**
     * Checks that at least one engine of the chain can use its files. The last resort does not count, because it
     * completes the routes of an engine.
     *
     * @param errors returns the errors of the files of an engine
     * @throws ConfigurationException if each engine has errors; with the errors of all engines
     */
    static void requireUsableEngine(SmOptions options, Function<Engine, List<Finding>> errors)
            throws ConfigurationException {
        List<List<Finding>> all = engines(options).stream().map(errors).toList();
        if (all.stream().noneMatch(List::isEmpty)) {
            throw new ConfigurationException(all.stream()
                    .flatMap(List::stream)
                    .map(Finding::text)
                    .distinct()
                    .toList());
        }
    }

    /**
     * Checks the names of engines and the simulated fabric, without the files of engines.
     *
     * @throws ConfigurationException if a name is unknown, or the fabric is invalid
     */
    public static void checkNames(SmOptions options) throws ConfigurationException {
        String simulated = options.port().simulate();
        if (TopologySpec.isSpec(simulated)) {
            SimulatedTopology.read(simulated);
        }
        try {
            engines(options);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of("routing_engine: " + e.getMessage()));
        }
    }

    /**
     * Returns the errors that prevent an engine from using its files.
     *
     * @param instead replacements of the files of settings, by setting
     */
    static List<Finding> errors(SmOptions options, Engine engine, Map<String, EngineFile> instead) {
        return engine.check(config(options, engine, instead, 1), routingOptions(options)).stream()
                .filter(RoutingFactory::isError)
                .toList();
    }

    private static boolean isError(Finding finding) {
        return finding.severity() == Finding.Severity.ERROR;
    }

    /** Returns the present files of an engine, by setting such as {@code torus-2QoS.torus_config}. */
    static Map<String, EngineFile> files(SmOptions options, Engine engine) {
        Map<String, EngineFile> files = new HashMap<>();
        config(options, engine, Map.of(), 1).files().forEach((key, file) -> files.put(engine.name() + "." + key, file));
        return files;
    }

    /** Returns the options of all engines. */
    public static RoutingOptions routingOptions(SmOptions options) {
        return options.sweep().routingOptions();
    }

    /**
     * Checks whether the options name an engine.
     *
     * @throws IllegalArgumentException if an engine has an unknown name
     */
    public static boolean hasEngine(SmOptions options, String engine) {
        return engines(options).stream().anyMatch(each -> each.name().equals(engine));
    }

    /** Checks whether an engine that the options name computes SL2VL tables. */
    static boolean hasOwnSl2Vl(SmOptions options) {
        return engines(options).stream().anyMatch(Engine::hasOwnSl2Vl);
    }

    static List<Engine> engines(SmOptions options) {
        return EngineNames.engines(options.routing().engines(), Engines.ALL);
    }

    private static EngineConfig config(SmOptions options, Engine engine, Map<String, EngineFile> instead, int tasks) {
        Map<String, String> values = new HashMap<>();
        Map<String, EngineFile> files = new HashMap<>();
        String simulated = options.port().simulate();
        Map<String, EngineFile> ofSimulated = SimulatedTopology.files(simulated);
        for (EngineSetting setting : engine.settings()) {
            String name = engine.name() + "." + setting.key();
            String value = options.routing().engineSettings().getOrDefault(name, setting.byDefault());
            values.put(setting.key(), value);
            if (setting.kind() == EngineSetting.ValueFormat.FILE) {
                EngineFile file = instead.containsKey(name)
                        ? instead.get(name)
                        : value.isEmpty() ? ofSimulated.get(name) : read(Path.of(value));
                if (file != null) {
                    files.put(setting.key(), file);
                }
            }
        }
        return new EngineConfig(values, files, simulated, options.qos().sl2vl(), tasks);
    }

    private static EngineFile read(Path file) {
        try {
            return EngineFile.read(file.toString(), BoundedFile.text(file, MAX_FILE_BYTES));
        } catch (IOException e) {
            return EngineFile.unreadable(file.toString(), FileErrors.describe(e));
        }
    }
}
