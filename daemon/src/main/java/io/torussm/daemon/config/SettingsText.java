package io.torussm.daemon.config;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** The text of a configuration file for options. It contains keys, but not the address of alerts, which is secret. */
public final class SettingsText {
    private static final List<Setting<Optional<Path>>> FILES = List.of(
            Settings.TORUS_CONFIG,
            Settings.PARTITION_CONFIG_FILE,
            Settings.QOS_POLICY_FILE,
            Settings.PREFIX_ROUTES_FILE,
            Settings.NODE_NAME_MAP_NAME,
            Settings.SITE_MAP);

    private SettingsText() {}

    /** Returns a line for each setting whose value is not its default. */
    public static String of(SmOptions options) {
        StringBuilder text = new StringBuilder();
        SettingValues values = options.values();
        for (Setting<?> setting : SettingValues.defaults().changed(values)) {
            if (setting == Settings.ALERT_URL) {
                continue;
            }
            line(text, setting.key(), values.text(setting));
        }
        new TreeMap<>(values.engineSettings()).forEach((key, value) -> line(text, key, value));
        return text.toString();
    }

    private static void line(StringBuilder text, String key, String value) {
        text.append(key).append(" = ").append(quoted(value)).append('\n');
    }

    /** Returns a value in the notation of a configuration file. */
    public static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    /** Returns the existing files that the options name and that an SM reads again during its operation. */
    public static NavigableSet<Path> files(SmOptions options) {
        NavigableSet<Path> files = new TreeSet<>();
        FILES.forEach(setting -> options.values().get(setting).ifPresent(files::add));
        for (String value : options.values().engineSettings().values()) {
            path(value).ifPresent(files::add);
        }
        files.removeIf(file -> !Files.isRegularFile(file));
        return files;
    }

    /** Returns the path of a value; empty if it cannot be the name of a file. */
    private static Optional<Path> path(String value) {
        try {
            return Optional.of(Path.of(value));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }
}
