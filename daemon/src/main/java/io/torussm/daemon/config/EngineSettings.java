package io.torussm.daemon.config;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineSetting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Reads the objects of the configuration file that hold the settings of one engine each, such as
 * {@code torus-2QoS { torus_config = ... }}.
 */
final class EngineSettings {
    private static final List<ConfigValueType> SCALARS =
            List.of(ConfigValueType.STRING, ConfigValueType.NUMBER, ConfigValueType.BOOLEAN);

    private final Map<String, String> values = new HashMap<>();

    /** Takes the value of a setting that has a name of its own, too, by which OpenSM knows it. */
    @FunctionalInterface
    interface FlatNames {
        /** Takes a value, with any error in it; false if there is no such name. */
        boolean take(String key, String text);
    }

    /** The engine whose settings an object of the file holds; empty if it holds those of none. */
    static Optional<Engine> engineOf(String key, ConfigValue value) {
        return value.valueType() == ConfigValueType.OBJECT
                ? Engines.ALL.stream()
                        .filter(engine -> engine.name().equals(key))
                        .findFirst()
                : Optional.empty();
    }

    /**
     * Takes an object.
     *
     * @param problems what is wrong, each with the key
     */
    void take(Config config, Engine engine, FlatNames flat, Consumer<String> problems) {
        for (Map.Entry<String, ConfigValue> entry :
                config.getObject(ConfigUtil.joinPath(engine.name())).entrySet()) {
            String name = engine.name() + "." + entry.getKey();
            Optional<EngineSetting> setting = engine.settings().stream()
                    .filter(each -> each.key().equals(entry.getKey()))
                    .findFirst();
            if (setting.isEmpty()) {
                problems.accept("there is no setting " + name + "; the engine has "
                        + String.join(
                                ", ",
                                engine.settings().stream()
                                        .map(EngineSetting::key)
                                        .toList()));
            } else if (!SCALARS.contains(entry.getValue().valueType())) {
                problems.accept(name + " must be a single value, not a list or an object");
            } else {
                String text = config.getString(ConfigUtil.joinPath(engine.name(), entry.getKey()));
                if (!flat.take(entry.getKey(), text)) {
                    put(name, setting.get(), text, problems);
                }
            }
        }
    }

    private void put(String name, EngineSetting setting, String text, Consumer<String> problems) {
        if (setting.accepts(text)) {
            values.put(name, text);
        } else {
            problems.accept(name + " must be "
                    + (setting.kind() == EngineSetting.Kind.FLAG ? "true or false" : "a number, 0 or more"));
        }
    }

    /** What objects of the file say, by name such as {@code torus-2QoS.torus_config}. */
    Map<String, String> values() {
        return Map.copyOf(values);
    }

    /**
     * All settings of engines that have another value than their default.
     *
     * @param given in objects of the file
     * @param flat the value of a setting that has a name of its own, by key; empty if there is no such name
     */
    static Map<String, String> changed(Map<String, String> given, Function<String, Optional<String>> flat) {
        Map<String, String> changed = new HashMap<>();
        for (Engine engine : Engines.ALL) {
            for (EngineSetting setting : engine.settings()) {
                String name = engine.name() + "." + setting.key();
                String value = flat.apply(setting.key()).orElse(given.getOrDefault(name, setting.byDefault()));
                if (!value.equals(setting.byDefault())) {
                    changed.put(name, value);
                }
            }
        }
        return changed;
    }
}
