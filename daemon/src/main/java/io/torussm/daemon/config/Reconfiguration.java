package io.torussm.daemon.config;

import io.torussm.daemon.config.Setting.Reload;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The outcome of reading the configuration again. Settings that need a restart keep their values in all
 * parts of the program. All other settings have the values of the configuration.
 *
 * @param active the effective options from now on
 * @param applied text on the settings that take effect, with old and new values; empty if none changed
 * @param waiting text on the changed settings that need a restart; empty if there are none
 */
public record Reconfiguration(SmOptions active, Optional<String> applied, Optional<String> waiting) {
    /**
     * Returns the outcome of reading a configuration.
     *
     * @param current the effective options
     * @param read the options of the configuration
     */
    public static Reconfiguration of(SmOptions current, SmOptions read) {
        SettingValues values = read.values();
        List<Setting<?>> changed = current.values().changed(values);
        SettingValues active = values;
        for (Setting<?> setting : changed) {
            if (setting.reload() == Reload.RESTART) {
                active = active.with(setting, current.values());
            }
        }
        String applied = Stream.of(Reload.NOW, Reload.NEXT_SWEEP)
                .map(reload -> list(reload, changed, current.values(), values))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; "));
        String waiting = list(Reload.RESTART, changed, current.values(), values);
        return new Reconfiguration(SmOptions.of(active), nonEmpty(applied), nonEmpty(waiting));
    }

    private static Optional<String> nonEmpty(String text) {
        return Optional.of(text).filter(any -> !any.isEmpty());
    }

    private static String list(Reload reload, List<Setting<?>> changed, SettingValues previous, SettingValues after) {
        return changed.stream()
                .filter(setting -> setting.reload() == reload)
                .map(setting -> after.logText(setting) + previousText(setting, previous))
                .collect(Collectors.joining(", "))
                .transform(text -> text.isEmpty() ? "" : reload.text() + ": " + text);
    }

    private static String previousText(Setting<?> setting, SettingValues previous) {
        String text = previous.text(setting);
        return setting.isSecret() ? "" : " (was " + (text.isEmpty() ? "\"\"" : text) + ")";
    }
}
