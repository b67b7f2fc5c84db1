package io.torussm.daemon.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineSetting;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The reader of the objects of the configuration file, each of which has the settings of one engine. */
final class EngineSettings {
    /** The types of single values. */
    static final List<ConfigValueType> SCALARS =
            List.of(ConfigValueType.STRING, ConfigValueType.NUMBER, ConfigValueType.BOOLEAN);

    /**
     * OpenSM's command line options for settings of engines, if they differ from the name in its configuration file.
     */
    private static final Map<String, List<String>> OPTIONS = Map.ofEntries(
            Map.entry("root_guid_file", List.of("-a", "--root_guid_file")),
            Map.entry("ids_guid_file", List.of("-m", "--ids_guid_file")),
            Map.entry("connect_roots", List.of("-z", "--connect_roots")),
            Map.entry("guid_routing_order_file", List.of("-X", "--guid_routing_order_file")),
            Map.entry("port_prof_ignore_file", List.of("-i", "--ignore_guids", "--port_prof_ignore_file")),
            Map.entry("hop_weights_file", List.of("-w", "--hop_weights_file")),
            Map.entry("port_search_ordering_file", List.of("-O", "--port_search_ordering_file", "--dimn_ports_file")),
            Map.entry("port_shifting", List.of("--port-shifting", "--port_shifting")),
            Map.entry("scatter_ports", List.of("--scatter-ports", "--scatter_ports")),
            Map.entry("cn_guid_file", List.of("-u", "--cn_guid_file")),
            Map.entry("io_guid_file", List.of("-G", "--io_guid_file")),
            Map.entry("lfts_file", List.of("-U", "--lfts_file")),
            Map.entry("lid_matrix_dump_file", List.of("-M", "--lid_matrix_file", "--lid_matrix_dump_file")));

    private final Map<String, String> values = new HashMap<>();

    /** A consumer of the values of settings that also exist outside an object, under the name of OpenSM. */
    @FunctionalInterface
    interface FlatSettings {
        /**
         * Takes a value, and records its error, if any. Returns false if no setting has the key.
         *
         * @param where file and line
         * @param name the key with the name of the engine
         */
        boolean tryPut(String key, String where, String name, String text);
    }

    /** Declares the settings of engines that are not declared yet; engines with a setting of the same name share it. */
    static void declare() {
        Map<String, EngineSetting> settings = new LinkedHashMap<>();
        Map<String, StringBuilder> engines = new HashMap<>();
        for (Engine engine : Engines.ALL) {
            for (EngineSetting setting : engine.settings()) {
                settings.putIfAbsent(setting.key(), setting);
                StringBuilder engineNames = engines.computeIfAbsent(setting.key(), key -> new StringBuilder());
                engineNames.append(engineNames.isEmpty() ? "" : ", ").append(engine.name());
            }
        }
        settings.forEach((key, setting) -> {
            if (Settings.ofKey(key) == null) {
                declare(setting, "Of " + engines.get(key) + ".");
            }
        });
    }

    private static void declare(EngineSetting setting, String details) {
        new SettingDraft<>(
                        SettingGroup.ROUTING,
                        Setting.Reload.NEXT_SWEEP,
                        setting.key(),
                        valueType(setting),
                        setting.byDefault())
                .options(OPTIONS.getOrDefault(setting.key(), List.of("--" + setting.key()))
                        .toArray(String[]::new))
                .means(setting.meaning(), details);
    }

    private static ValueType<?> valueType(EngineSetting setting) {
        return switch (setting.kind()) {
            case FILE -> ValueType.file("FILE");
            case FLAG -> ValueType.bool();
            case NUMBER -> ValueType.integer(0, Integer.MAX_VALUE);
            case TEXT -> ValueType.text("TEXT");
        };
    }

    /** Returns the engine whose settings an object of the file contains; empty if the value is no such object. */
    static Optional<Engine> engineOf(String key, ConfigValue value) {
        return value.valueType() == ConfigValueType.OBJECT
                ? Engines.ALL.stream()
                        .filter(engine -> engine.name().equals(key))
                        .findFirst()
                : Optional.empty();
    }

    /**
     * Takes the values of an object.
     *
     * @param flat receives the values of settings that also exist outside the object
     * @param problems receives problems, each with file, line and key
     */
    void readEngineObject(Config config, Engine engine, FlatSettings flat, Consumer<String> problems) {
        for (Map.Entry<String, ConfigValue> entry :
                config.getObject(ConfigUtil.joinPath(engine.name())).entrySet()) {
            String where = HoconFile.location(entry.getValue().origin());
            String name = engine.name() + "." + entry.getKey();
            Optional<EngineSetting> setting = engine.settings().stream()
                    .filter(each -> each.key().equals(entry.getKey()))
                    .findFirst();
            if (setting.isEmpty()) {
                String keys = engine.settings().stream().map(EngineSetting::key).collect(Collectors.joining(", "));
                problems.accept(where + ": there is no setting " + name + "; the engine has " + keys);
            } else if (!SCALARS.contains(entry.getValue().valueType())) {
                problems.accept(where + ": " + name + " must be a single value, not a list or an object");
            } else {
                String text = config.getString(ConfigUtil.joinPath(engine.name(), entry.getKey()));
                if (!flat.tryPut(entry.getKey(), where, name, text)) {
                    put(name, setting.get(), text, problem -> problems.accept(where + ": " + problem));
                }
            }
        }
    }

    private void put(String name, EngineSetting setting, String text, Consumer<String> problems) {
        if (setting.accepts(text)) {
            values.put(name, text);
        } else {
            problems.accept(name + " must be "
                    + (setting.kind() == EngineSetting.ValueFormat.FLAG ? "true or false" : "a number, 0 or more"));
        }
    }

    /** Returns the values in objects of the file, by name such as {@code torus-2QoS.torus_config}. */
    Map<String, String> values() {
        return Map.copyOf(values);
    }

    /**
     * Returns all settings of engines with a value other than their default.
     *
     * @param objectValues values in objects of the file, by name such as {@code torus-2QoS.torus_config}
     * @param flat returns the value of the setting outside an object, by key; empty if there is no such setting
     * @return values by name such as {@code torus-2QoS.torus_config}
     */
    static Map<String, String> changedValues(
            Map<String, String> objectValues, Function<String, Optional<String>> flat) {
        Map<String, String> changed = new HashMap<>();
        for (Engine engine : Engines.ALL) {
            for (EngineSetting setting : engine.settings()) {
                String name = engine.name() + "." + setting.key();
                String value = flat.apply(setting.key()).orElse(objectValues.getOrDefault(name, setting.byDefault()));
                if (!value.equals(setting.byDefault())) {
                    changed.put(name, value);
                }
            }
        }
        return changed;
    }
}
