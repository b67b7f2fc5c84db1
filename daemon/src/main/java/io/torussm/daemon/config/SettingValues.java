package io.torussm.daemon.config;

import io.torussm.qos.QosOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A value for each setting, with which the records of their users are filled by name. A record component receives the
 * setting that is declared for its name, so that no list of arguments has to match another. Immutable.
 */
public final class SettingValues {
    /**
     * The value of a setting.
     *
     * @param value parsed value
     * @param text text of the operator, or of the default
     */
    private record Entry(Object value, String text) {
        static Entry read(Setting<?> setting, String text) {
            return new Entry(Objects.requireNonNull(setting.type().read(text)), text);
        }
    }

    private final Map<Setting<?>, Entry> entries;

    /** Settings of engines, by name such as {@code dor.key}. */
    private final Map<String, String> engineSettings;

    private final List<String> warnings;

    private SettingValues(Map<Setting<?>, Entry> entries, Map<String, String> ofEngines, List<String> warnings) {
        this.entries = Collections.unmodifiableMap(entries);
        this.engineSettings = Map.copyOf(ofEngines);
        this.warnings = List.copyOf(warnings);
    }

    /** Returns the defaults of all settings. */
    public static SettingValues defaults() {
        Map<Setting<?>, Entry> entries = new TreeMap<>();
        Settings.all().forEach(setting -> entries.put(setting, Entry.read(setting, setting.defaultText())));
        return new SettingValues(entries, Map.of(), List.of());
    }

    /** Returns warnings for the operator about the values, one sentence each. */
    public List<String> warnings() {
        return warnings;
    }

    /** Returns a copy with a further warning. */
    SettingValues warning(String text) {
        return new SettingValues(
                entries,
                engineSettings,
                Stream.concat(warnings.stream(), Stream.of(text)).toList());
    }

    /** Returns a copy with other settings of engines, by name such as {@code dor.key}. */
    SettingValues with(Map<String, String> newOfEngines) {
        return new SettingValues(entries, newOfEngines, warnings);
    }

    /** Returns the settings of engines in objects of the file, by name such as {@code dor.key}. */
    public Map<String, String> engineSettings() {
        return engineSettings;
    }

    /** Returns the value of a setting. */
    @SuppressWarnings("unchecked") // The type of the setting has parsed the value.
    public <T> T get(Setting<T> setting) {
        return (T) entry(setting).value();
    }

    /** Returns the text of the value of a setting, as the operator or the declaration has it. */
    public String text(Setting<?> setting) {
        return entry(setting).text();
    }

    private Entry entry(Setting<?> setting) {
        return Objects.requireNonNull(entries.get(setting), setting::key);
    }

    /**
     * Returns a copy with another value of one setting.
     *
     * @throws IllegalArgumentException if the text is invalid; the message continues a sentence that begins with the
     *     name of the setting
     */
    public SettingValues with(Setting<?> setting, String text) {
        return with(setting, Entry.read(setting, text));
    }

    /** Returns a copy in which one setting has its value from {@code other}. */
    SettingValues with(Setting<?> setting, SettingValues other) {
        return with(setting, other.entry(setting));
    }

    private SettingValues with(Setting<?> setting, Entry entry) {
        Map<Setting<?>, Entry> changed = new TreeMap<>(entries);
        changed.put(setting, entry);
        return new SettingValues(changed, engineSettings, warnings);
    }

    /** Returns the settings whose values differ from those in {@code other}, in the order of declaration. */
    public List<Setting<?>> changed(SettingValues other) {
        return entries.keySet().stream()
                .filter(setting ->
                        !entry(setting).value().equals(other.entry(setting).value()))
                .collect(Collectors.toUnmodifiableList());
    }

    /**
     * Returns a record of the values. A component receives the setting that is declared for its name. A component of a
     * record type is filled in the same way. If an optional setting is not set, the component is null, unless its type
     * is {@link Optional}.
     *
     * @throws IllegalStateException if a component has no setting, or its type differs, which is a defect of the
     *     program
     */
    public <R extends Record> R toRecord(Class<R> type) {
        return toRecord(type, "");
    }

    /**
     * Returns a record of the settings whose names have a prefix: with {@code qos_ca_}, component {@code maxVls}
     * receives {@code qos_ca_max_vls}.
     */
    <R extends Record> R toRecord(Class<R> type, String prefix) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(type, components[i], prefix);
        }
        try {
            return type.getConstructor(types).newInstance(values);
        } catch (InvocationTargetException e) {
            throw new IllegalStateException("settings make no " + type.getName() + ": " + e.getCause(), e);
        } catch (ReflectiveOperationException | IllegalArgumentException e) {
            throw new IllegalStateException("settings do not suit the components of " + type.getName(), e);
        }
    }

    private @Nullable Object value(Class<?> owner, RecordComponent component, String prefix) {
        Class<?> type = component.getType();
        if (type == SettingValues.class) {
            return this;
        }
        if (type == QosOptions.class) {
            return ArbitrationSettings.read(this);
        }
        if (type == Map.class) {
            return EngineSettings.changedValues(engineSettings, key -> Optional.ofNullable(Settings.ofKey(key))
                    .map(this::engineText));
        }
        if (type.isRecord()) {
            return toRecord(type.asSubclass(Record.class));
        }
        Setting<?> setting = Settings.ofComponent(componentOf(prefix, component.getName()));
        if (setting == null) {
            throw new IllegalStateException(owner.getName() + ": there is no setting for " + component.getName());
        }
        Object value = entry(setting).value();
        return value instanceof Optional<?> optional && type != Optional.class ? optional.orElse(null) : value;
    }

    /** Returns a value in the notation for engines: {@code true} or {@code false}, and numbers in decimal. */
    private String engineText(Setting<?> setting) {
        Object value = get(setting);
        return value instanceof Boolean || value instanceof Integer ? value.toString() : text(setting);
    }

    private static String componentOf(String prefix, String name) {
        return prefix.isEmpty()
                ? name
                : SettingDraft.camelCase(prefix + name.substring(0, 1).toLowerCase(Locale.ROOT)) + name.substring(1);
    }

    /** Returns a setting and its value for the log, without the value of a secret. */
    public String logText(Setting<?> setting) {
        String text = text(setting);
        return setting.isSecret() ? setting.key() : setting.key() + " = " + (text.isEmpty() ? "\"\"" : text);
    }

    /** Returns all values, without secrets. */
    @Override
    public String toString() {
        return entries.keySet().stream().map(this::logText).collect(Collectors.joining(", ", "[", "]"));
    }
}
