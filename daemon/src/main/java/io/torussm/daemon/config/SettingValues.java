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
 * A value for each setting, and the records of their users, filled by name. A record component takes the
 * setting that is declared for its name, so no list of arguments has to match another one. Immutable.
 */
public final class SettingValues {
    /**
     * A value.
     *
     * @param text the text of the operator
     */
    private record Entry(Object value, String text) {
        static Entry read(Setting<?> setting, String text) {
            return new Entry(Objects.requireNonNull(setting.kind().read(text)), text);
        }
    }

    private final Map<Setting<?>, Entry> entries;
    private final Map<String, String> ofEngines;
    private final List<String> warnings;

    private SettingValues(Map<Setting<?>, Entry> entries, Map<String, String> ofEngines, List<String> warnings) {
        this.entries = Collections.unmodifiableMap(entries);
        this.ofEngines = Map.copyOf(ofEngines);
        this.warnings = List.copyOf(warnings);
    }

    /** Returns every setting at its default. */
    public static SettingValues defaults() {
        Map<Setting<?>, Entry> entries = new TreeMap<>();
        Settings.all().forEach(setting -> entries.put(setting, Entry.read(setting, setting.standard())));
        return new SettingValues(entries, Map.of(), List.of());
    }

    /** Returns warnings for the operator about the given values, a sentence each. */
    public List<String> warnings() {
        return warnings;
    }

    /** Returns these values with a further warning. */
    SettingValues warning(String text) {
        return new SettingValues(
                entries,
                ofEngines,
                Stream.concat(warnings.stream(), Stream.of(text)).toList());
    }

    /** Returns these values with settings of engines, by name such as {@code dor.key}. */
    SettingValues with(Map<String, String> newOfEngines) {
        return new SettingValues(entries, newOfEngines, warnings);
    }

    /** Returns the settings of engines as they were given, by name such as {@code dor.key}. */
    public Map<String, String> ofEngines() {
        return ofEngines;
    }

    /** Returns the value of a setting. */
    @SuppressWarnings("unchecked") // parsed by the setting's own type
    public <T> T get(Setting<T> setting) {
        return (T) entry(setting).value();
    }

    /** Returns the text of a setting's value as it was given or declared. */
    public String text(Setting<?> setting) {
        return entry(setting).text();
    }

    private Entry entry(Setting<?> setting) {
        return Objects.requireNonNull(entries.get(setting), setting::key);
    }

    /**
     * Returns these values with another value of one setting.
     *
     * @throws IllegalArgumentException with the end of a sentence that begins with the setting's name
     */
    public SettingValues with(Setting<?> setting, String text) {
        return with(setting, Entry.read(setting, text));
    }

    /** Returns these values with the value of one setting in other values. */
    SettingValues with(Setting<?> setting, SettingValues other) {
        return with(setting, other.entry(setting));
    }

    private SettingValues with(Setting<?> setting, Entry entry) {
        Map<Setting<?>, Entry> changed = new TreeMap<>(entries);
        changed.put(setting, entry);
        return new SettingValues(changed, ofEngines, warnings);
    }

    /** Returns the settings with different values in other values, in the order of their declaration. */
    public List<Setting<?>> changed(SettingValues other) {
        return entries.keySet().stream()
                .filter(setting ->
                        !entry(setting).value().equals(other.entry(setting).value()))
                .collect(Collectors.toUnmodifiableList());
    }

    /**
     * Returns a record of the values. A component takes the setting of its name. A component of a record type
     * without a setting of its name is filled in the same way. If an optional setting is not set, the
     * component is null, unless it is an {@link Optional}.
     *
     * @throws IllegalStateException if a component has no setting, or one of another type: a defect
     */
    public <R extends Record> R as(Class<R> type) {
        return as(type, "");
    }

    /** Returns a record with a prefix of names: component {@code maxVls} takes {@code qos_ca_max_vls}. */
    <R extends Record> R as(Class<R> type, String prefix) {
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
            return EngineSettings.changed(
                    ofEngines, key -> Optional.ofNullable(Settings.ofKey(key)).map(this::plain));
        }
        if (type.isRecord()) {
            return as(type.asSubclass(Record.class));
        }
        Setting<?> setting = Settings.ofComponent(componentOf(prefix, component.getName()));
        if (setting == null) {
            throw new IllegalStateException(owner.getName() + ": there is no setting for " + component.getName());
        }
        Object value = entry(setting).value();
        return value instanceof Optional<?> optional && type != Optional.class ? optional.orElse(null) : value;
    }

    /** Returns a value in the notation for engines: {@code true} in place of yes, and numbers in decimal. */
    private String plain(Setting<?> setting) {
        Object value = get(setting);
        return value instanceof Boolean || value instanceof Integer ? value.toString() : text(setting);
    }

    private static String componentOf(String prefix, String name) {
        return prefix.isEmpty()
                ? name
                : SettingDraft.camelCase(prefix + name.substring(0, 1).toLowerCase(Locale.ROOT)) + name.substring(1);
    }

    /** Returns a setting and its value for the log, without the value of a secret. */
    public String show(Setting<?> setting) {
        String text = text(setting);
        return setting.isSecret() ? setting.key() : setting.key() + " = " + (text.isEmpty() ? "\"\"" : text);
    }

    /** Returns all values, without secrets. */
    @Override
    public String toString() {
        return entries.keySet().stream().map(this::show).collect(Collectors.joining(", ", "[", "]"));
    }
}
