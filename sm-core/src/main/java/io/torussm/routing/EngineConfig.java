package io.torussm.routing;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The configuration of one engine: its own settings, with the contents of the files that they name, and the
 * common settings. Immutable.
 *
 * @param values values of settings by key of {@link EngineSetting}, defaults included
 * @param files files by key of settings of kind {@link EngineSetting.ValueFormat#FILE}; a key is absent if no
 *     file is named
 * @param simulated the embedded fabric that is routed instead of a real one, such as {@code torus:4x4x4}; empty
 *     for a real fabric
 * @param sl2vl the operator's SL2VL tables, used with QoS only
 * @param threads number of threads, at least 1; the result does not depend on it
 */
public record EngineConfig(
        Map<String, String> values, Map<String, EngineFile> files, String simulated, Sl2VlTables sl2vl, int threads) {
    /** An empty configuration. */
    public static final EngineConfig NONE = new EngineConfig(Map.of(), Map.of(), "", Sl2VlTables.DEFAULT, 1);

    public EngineConfig {
        if (threads < 1) {
            throw new IllegalArgumentException("cannot route on " + threads + " threads");
        }
        values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        files = Collections.unmodifiableMap(new LinkedHashMap<>(files));
    }

    /** Returns the value of a setting; empty if the key is absent. */
    public String value(String key) {
        return values.getOrDefault(key, "");
    }

    /** Returns the value of a setting of kind FLAG; false if the key is absent. */
    public boolean flag(String key) {
        return value(key).equals("true");
    }

    /** Returns the value of a setting of kind NUMBER; 0 if the key is absent or the value empty. */
    public int number(String key) {
        return value(key).isEmpty() ? 0 : Integer.parseInt(value(key));
    }

    /** Returns the file of a setting of kind FILE; empty if the setting names no file. */
    public Optional<EngineFile> file(String key) {
        return Optional.ofNullable(files.get(key));
    }
}
