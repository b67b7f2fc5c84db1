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
 * A value for each setting, and the records of those who use them, made from it by name: a record component takes the
 * setting that is declared for its name, so no list of arguments has to be kept in step with anything. Immutable.
 */
public final class SettingValues {
    /**
     * A value.
     *
     * @param text as it was given
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

    /** Every setting at its default. */
    public static SettingValues defaults() {
        Map<Setting<?>, Entry> entries = new TreeMap<>();
        Settings.all().forEach(setting -> entries.put(setting, Entry.read(setting, setting.standard())));
        return new SettingValues(entries, Map.of(), List.of());
    }

    /** What the operator should know of how the values were given, a sentence each. */
    public List<String> warnings() {
        return warnings;
    }

    /** The same with a further warning. */
    SettingValues warning(String text) {
        return new SettingValues(
                entries,
                ofEngines,
                Stream.concat(warnings.stream(), Stream.of(text)).toList());
    }

    /** The same with settings that only engines have, by name such as {@code dor.key}. */
    SettingValues with(Map<String, String> newOfEngines) {
        return new SettingValues(entries, newOfEngines, warnings);
    }

    /** Settings that only engines have, by name such as {@code dor.key}, as they were given. */
    Map<String, String> ofEngines() {
        return ofEngines;
    }

    /** The value of a setting. */
    @SuppressWarnings("unchecked") // read by the setting's own type
    public <T> T get(Setting<T> setting) {
        return (T) entry(setting).value();
    }

    /** The value of a setting as it was given, or as its declaration has it. */
    public String text(Setting<?> setting) {
        return entry(setting).text();
    }

    private Entry entry(Setting<?> setting) {
        return Objects.requireNonNull(entries.get(setting), setting::key);
    }

    /**
     * The same with another value of one setting.
     *
     * @throws IllegalArgumentException with the end of a sentence that begins with the setting's name
     */
    public SettingValues with(Setting<?> setting, String text) {
        return with(setting, Entry.read(setting, text));
    }

    /** The same with the value that a setting has elsewhere. */
    SettingValues with(Setting<?> setting, SettingValues other) {
        return with(setting, other.entry(setting));
    }

    private SettingValues with(Setting<?> setting, Entry entry) {
        Map<Setting<?>, Entry> changed = new TreeMap<>(entries);
        changed.put(setting, entry);
        return new SettingValues(changed, ofEngines, warnings);
    }

    /** The settings that have other values elsewhere, in the order of their declaration. */
    public List<Setting<?>> changed(SettingValues other) {
        return entries.keySet().stream()
                .filter(setting ->
                        !entry(setting).value().equals(other.entry(setting).value()))
                .collect(Collectors.toUnmodifiableList());
    }

    /**
     * A record made of the values. A component takes the setting of its name; one that is a record itself, without a setting
     * of its name, is made in the same way; and where a setting may be none, the component is null then, unless it is an
     * {@link Optional}.
     *
     * @throws IllegalStateException if a component has no setting, or one of another type: a defect
     */
    public <R extends Record> R as(Class<R> type) {
        return as(type, "");
    }

    /** The same with a prefix of all names: component {@code maxVls} takes {@code qos_ca_max_vls}. */
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
            return QosSettings.read(this);
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

    /** As an engine reads it: {@code true} where the operator wrote yes, and numbers in decimal. */
    private String plain(Setting<?> setting) {
        Object value = get(setting);
        return value instanceof Boolean || value instanceof Integer ? value.toString() : text(setting);
    }

    private static String componentOf(String prefix, String name) {
        return prefix.isEmpty()
                ? name
                : SettingDraft.camelCase(prefix + name.substring(0, 1).toLowerCase(Locale.ROOT)) + name.substring(1);
    }

    /** What a setting is, for the log; nothing of a secret. */
    public String show(Setting<?> setting) {
        String text = text(setting);
        return setting.isSecret() ? setting.key() : setting.key() + " = " + (text.isEmpty() ? "\"\"" : text);
    }

    /** All of it, without secrets. */
    @Override
    public String toString() {
        return entries.keySet().stream().map(this::show).collect(Collectors.joining(", ", "[", "]"));
    }
}
