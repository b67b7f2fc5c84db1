package io.torussm.daemon.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Options as the text of a configuration file that gives the same options again, keys included. The address of alerts is left out: it is
 * often a secret, and no SM that runs by this text sends any.
 */
public final class SettingsText {
    /** What an SM reads again and again. */
    private static final List<Setting<Optional<Path>>> FILES = List.of(
            Settings.TORUS_CONFIG,
            Settings.PARTITION_CONFIG_FILE,
            Settings.QOS_POLICY_FILE,
            Settings.PREFIX_ROUTES_FILE,
            Settings.NODE_NAME_MAP_NAME,
            Settings.SITE_MAP);

    private SettingsText() {}

    /** A line for each setting that is not as its declaration has it. */
    public static String of(SmOptions options) {
        StringBuilder text = new StringBuilder();
        SettingValues values = options.values();
        for (Setting<?> setting : SettingValues.defaults().changed(values)) {
            if (setting == Settings.ALERT_URL) {
                continue;
            }
            line(text, setting.key(), values.text(setting));
        }
        new TreeMap<>(values.ofEngines()).forEach((key, value) -> line(text, key, value));
        return text.toString();
    }

    private static void line(StringBuilder text, String key, String value) {
        text.append(key).append(" = ").append(quoted(value)).append('\n');
    }

    /** A value as a configuration file has it. */
    public static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    /** The files that an SM reads again and again, as far as the options name them and they are there. */
    public static NavigableSet<Path> files(SmOptions options) {
        NavigableSet<Path> named = new TreeSet<>();
        FILES.forEach(setting -> options.values().get(setting).ifPresent(named::add));
        for (String value : options.values().ofEngines().values()) {
            named(value).ifPresent(named::add);
        }
        named.removeIf(file -> !Files.isRegularFile(file));
        return named;
    }

    /** Empty if this can be no file's name. */
    private static Optional<Path> named(String value) {
        try {
            return Optional.of(Path.of(value));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
