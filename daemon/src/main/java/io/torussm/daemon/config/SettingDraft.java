package io.torussm.daemon.config;

import java.util.List;

/** A {@link Setting} whose declaration is not finished. Used by one thread, while {@link Settings} is loaded. */
final class SettingDraft<T> {
    final SettingGroup group;
    final Setting.Reload reload;
    final String key;
    final ValueType<T> type;
    final String defaultText;
    String component;
    String formerKey = "";
    List<String> options = List.of();
    boolean isSecret;

    SettingDraft(SettingGroup group, Setting.Reload reload, String key, ValueType<T> type, String standard) {
        this.group = group;
        this.reload = reload;
        this.key = key;
        this.type = type;
        this.defaultText = standard;
        this.component = camelCase(key);
    }

    /** Converts {@code max_op_vls} to {@code maxOpVls}. */
    static String camelCase(String key) {
        StringBuilder name = new StringBuilder();
        int from = 0;
        for (int end = key.indexOf('_'); end >= 0; end = key.indexOf('_', from)) {
            name.append(key, from, end).append(Character.toUpperCase(key.charAt(end + 1)));
            from = end + 2;
        }
        return name.append(key, from, key.length()).toString();
    }

    /** Sets the name of the record components that receive the value (default: the name in camel case). */
    SettingDraft<T> componentName(String name) {
        component = name;
        return this;
    }

    /** Sets a former name in the configuration file, which is still accepted with a warning. */
    SettingDraft<T> formerly(String former) {
        formerKey = former;
        return this;
    }

    /** Sets the options of the command line, the short one first. */
    SettingDraft<T> options(String... names) {
        options = List.of(names);
        return this;
    }

    /** Marks the value as secret, so that it is never shown. */
    SettingDraft<T> secret() {
        isSecret = true;
        return this;
    }

    /** Ends the declaration with the meaning, one line without a full stop. */
    Setting<T> means(String meaning) {
        return means(meaning, "");
    }

    /**
     * Ends the declaration.
     *
     * @param meaning meaning, one line without a full stop
     * @param details further sentences for the documentation
     */
    Setting<T> means(String meaning, String details) {
        Setting<T> setting = new Setting<>(this, Settings.keys().size(), meaning, details);
        Settings.register(setting);
        return setting;
    }
}
