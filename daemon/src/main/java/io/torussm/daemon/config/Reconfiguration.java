package io.torussm.daemon.config;

import io.torussm.daemon.config.Setting.Reload;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a configuration that was read again changes. Settings that need a restart keep the values that they have, everywhere,
 * and whatever asks for options may ask for the newest.
 *
 * @param inForce the options from now on
 * @param applied which settings take effect, with old and new values; empty if none changed
 * @param waiting which changed settings wait for a restart; empty if none does
 */
public record Reconfiguration(SmOptions inForce, Optional<String> applied, Optional<String> waiting) {
    /**
     * Compares.
     *
     * @param now the options in force
     * @param read what the configuration says now
     */
    public static Reconfiguration of(SmOptions now, SmOptions read) {
        SettingValues values = read.values();
        List<Setting<?>> changed = now.values().changed(values);
        SettingValues inForce = values;
        for (Setting<?> setting : changed) {
            if (setting.reload() == Reload.RESTART) {
                inForce = inForce.with(setting, now.values());
            }
        }
        String applied = Stream.of(Reload.NOW, Reload.NEXT_SWEEP)
                .map(reload -> list(reload, changed, now.values(), values))
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining("; "));
        String waiting = list(Reload.RESTART, changed, now.values(), values);
        return new Reconfiguration(SmOptions.of(inForce), given(applied), given(waiting));
    }

    private static Optional<String> given(String text) {
        return Optional.of(text).filter(any -> !any.isEmpty());
    }

    private static String list(Reload reload, List<Setting<?>> changed, SettingValues before, SettingValues after) {
        return changed.stream()
                .filter(setting -> setting.reload() == reload)
                .map(setting -> after.show(setting) + was(setting, before))
                .collect(Collectors.joining(", "))
                .transform(text -> text.isEmpty() ? "" : reload.text() + ": " + text);
    }

    private static String was(Setting<?> setting, SettingValues before) {
        String text = before.text(setting);
        return setting.isSecret() ? "" : " (was " + (text.isEmpty() ? "\"\"" : text) + ")";
    }
}
