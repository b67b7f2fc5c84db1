package io.torussm.daemon.config.files;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Engines;
import io.torussm.daemon.config.SmOptions;
import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineFile;
import io.torussm.routing.EngineSetting;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The files of routing engines, such as torus-2QoS.conf. If an engine cannot use its files, their previous versions
 * stay active, also after a restart ({@link #keepFilesIn}). Otherwise a typing error would leave the fabric without
 * routes at the next sweep. Thread-safe.
 */
public final class EngineFiles {
    private static final EventLog EVENTS = EventLog.of(EngineFiles.class);

    /** The last usable files, by engine, then by setting such as {@code torus-2QoS.torus_config}. */
    private final Map<String, Map<String, EngineFile>> usableFiles = new HashMap<>();

    /** The reported errors of the files of an engine, by engine. */
    private final Map<String, List<Finding>> reportedErrors = new HashMap<>();

    /** The stores of the active files, by setting; empty before {@link #keepFilesIn}. */
    private final Map<String, LastGood> stores = new HashMap<>();

    /**
     * Checks whether an SM can start, before it opens its port and its state directory. One engine of the chain
     * suffices, because engines without usable files refuse.
     *
     * @throws ConfigurationException if no engine can use its files, and the state directory contains no previous ones
     */
    public static void check(SmOptions options) throws ConfigurationException {
        Path directory = options.files().stateDir();
        RoutingFactory.requireUsableEngine(
                options,
                engine -> directory != null
                                && names(engine)
                                        .anyMatch(name -> Files.exists(directory.resolve(
                                                stateFile(name).name())))
                        ? List.of()
                        : RoutingFactory.errors(options, engine, Map.of()));
    }

    /** Returns the settings of an engine that name files, such as {@code torus-2QoS.torus_config}. */
    private static Stream<String> names(Engine engine) {
        return engine.settings().stream()
                .filter(setting -> setting.kind() == EngineSetting.ValueFormat.FILE)
                .map(setting -> engine.name() + "." + setting.key());
    }

    /**
     * Keeps the active files in a state directory from now on. If files cannot be used, those of the directory are
     * used.
     *
     * @throws ConfigurationException if no engine can use its files or previous ones
     */
    public synchronized void keepFilesIn(StateDirectory directory, SmOptions options) throws ConfigurationException {
        for (Engine engine : Engines.ALL) {
            Map<String, EngineFile> previousFiles = new HashMap<>();
            names(engine).forEach(name -> {
                LastGood store = new LastGood(directory, stateFile(name));
                stores.put(name, store);
                store.last()
                        .filter(version -> !version.equals(LastGood.Version.NO_FILE))
                        .ifPresent(version -> previousFiles.put(name, EngineFile.read(version.name(), version.text())));
            });
            if (!previousFiles.isEmpty()
                    && RoutingFactory.errors(options, engine, previousFiles).isEmpty()) {
                usableFiles.put(engine.name(), previousFiles);
            }
        }
        RoutingFactory.requireUsableEngine(
                options,
                engine -> usableFiles.containsKey(engine.name())
                        ? List.of()
                        : RoutingFactory.errors(options, engine, Map.of()));
    }

    private static StateFile stateFile(String setting) {
        String name = setting.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "-");
        return StateFile.of("last-" + name, 1, 2 * RoutingFactory.MAX_FILE_BYTES, "the file has to be free of errors");
    }

    /** Reads the files again, and returns the active files by setting; a setting without a file is absent. */
    public synchronized Map<String, EngineFile> read(SmOptions options) {
        Map<String, EngineFile> active = new HashMap<>();
        for (Engine engine : RoutingFactory.engines(options)) {
            Map<String, EngineFile> current = RoutingFactory.files(options, engine);
            List<Finding> errors = RoutingFactory.errors(options, engine, current);
            Map<String, EngineFile> previous = usableFiles.getOrDefault(engine.name(), Map.of());
            active.putAll(current);
            if (errors.isEmpty()) {
                usableFiles.put(engine.name(), current);
                current.forEach(this::keep);
                report(engine, List.of());
            } else if (!previous.isEmpty()
                    && RoutingFactory.errors(options, engine, previous).isEmpty()) {
                active.putAll(previous);
                report(engine, errors);
            }
        }
        return active;
    }

    private void keep(String setting, EngineFile file) {
        LastGood store = stores.get(setting);
        String text = file.text();
        if (store != null && text != null) {
            store.keep(new LastGood.Version(file.name(), text));
        }
    }

    private void report(Engine engine, List<Finding> errors) {
        List<Finding> previousErrors = reportedErrors.put(engine.name(), errors);
        if (errors.equals(previousErrors == null ? List.of() : previousErrors)) {
            return;
        }
        errors.forEach(EVENTS::report);
        EVENTS.report(
                errors.isEmpty() ? SmEvent.ENGINE_FILES_TAKEN : SmEvent.ENGINE_FILES_KEPT,
                EventField.TEXT.of(engine.name()),
                EventField.REPORTER.of(engine.name()));
    }
}
