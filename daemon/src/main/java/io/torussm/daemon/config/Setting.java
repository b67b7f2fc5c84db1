package io.torussm.daemon.config;

import java.util.List;
import java.util.Locale;

/**
 * A setting: its name in the configuration file, valid values, default, meaning, options on the command line,
 * and the time when a change takes effect. All settings are declared in {@link Settings}. If a setting has the meaning
 * of an OpenSM option, it has the same name and unit. Immutable.
 *
 * <p>{@link SettingValues#toRecord} passes values to their users. {@code reference.conf}, {@code
 * docs/operator/options.md} and the manual pages are generated from the declarations.
 *
 * @param <T> type of the values
 */
public final class Setting<T> implements Comparable<Setting<?>> {
    /** The time when a changed value takes effect after SIGHUP. */
    public enum Reload {
        NOW("immediately"),
        NEXT_SWEEP("with the next sweep"),
        RESTART("after a restart");

        private final String text;

        Reload(String text) {
            this.text = text;
        }

        /** Returns a text for the operator. */
        public String text() {
            return text;
        }
    }

    private final int index;
    private final SettingDraft<T> draft;
    private final String meaning;
    private final String details;

    Setting(SettingDraft<T> draft, int index, String meaning, String details) {
        this.index = index;
        this.draft = draft;
        this.meaning = meaning;
        this.details = details;
    }

    /** Returns the type of the values. */
    public ValueType<T> type() {
        return draft.type;
    }

    /** Returns the name in the configuration file. */
    public String key() {
        return draft.key;
    }

    /** Returns the former name in the configuration file; empty if there is none. */
    public String formerKey() {
        return draft.formerKey;
    }

    /** Returns the default in the notation of the configuration file, without quotation marks. */
    public String defaultText() {
        return draft.defaultText;
    }

    /** Returns the group of this setting. */
    public SettingGroup group() {
        return draft.group;
    }

    /** Returns the time when a changed value takes effect. */
    public Reload reload() {
        return draft.reload;
    }

    /** Checks whether the value is never shown. */
    public boolean isSecret() {
        return draft.isSecret;
    }

    /** Returns the name of the record components that receive the value. */
    public String component() {
        return draft.component;
    }

    /** Returns the meaning for the operator, one line without a full stop. */
    public String meaning() {
        return meaning;
    }

    /** Returns the meaning with all details, in sentences. */
    public String description() {
        return meaning.substring(0, 1).toUpperCase(Locale.ROOT) + meaning.substring(1) + "."
                + (details.isEmpty() ? "" : " " + details);
    }

    /** Returns the options of the command line that set the value, the short one first; may be empty. */
    public List<String> options() {
        return draft.options;
    }

    /** Checks whether the options of the command line have no value. */
    public boolean isFlag() {
        return draft.type instanceof ValueType.Bool;
    }

    /** Returns the placeholder of the value in {@code --help}. */
    public String label() {
        return draft.type.label();
    }

    /** Compares by the order of declaration. */
    @Override
    public int compareTo(Setting<?> other) {
        return Integer.compare(index, other.index);
    }

    @Override
    public String toString() {
        return draft.key;
    }
}
