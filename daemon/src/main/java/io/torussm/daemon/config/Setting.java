package io.torussm.daemon.config;

import java.util.List;
import java.util.Locale;

/**
 * A setting: its name in the configuration file, what it may be, its default, what it means, its options on the command
 * line, and when a change takes effect. Immutable; all of them are declared in {@link Settings}. Names and units are
 * OpenSM's where the meaning is.
 *
 * <p>{@link SettingValues#as} brings values to their users. {@code reference.conf}, {@code docs/operator/options.md} and the
 * manual pages are generated from the declarations.
 *
 * @param <T> of its values
 */
public final class Setting<T> implements Comparable<Setting<?>> {
    /** When a changed value takes effect after SIGHUP. */
    public enum Reload {
        NOW("immediately"),
        NEXT_SWEEP("with the next sweep"),
        RESTART("after a restart");

        private final String text;

        Reload(String text) {
            this.text = text;
        }

        /** For people. */
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

    /** What it may be. */
    public ValueType<T> kind() {
        return draft.type;
    }

    /** The name in the configuration file. */
    public String key() {
        return draft.key;
    }

    /** The name that it had in the configuration file; empty if it had no other. */
    public String formerKey() {
        return draft.formerKey;
    }

    /** The default as the configuration file would have it, without quotes. */
    public String standard() {
        return draft.standard;
    }

    /** What it is about. */
    public SettingGroup group() {
        return draft.group;
    }

    /** When a changed value takes effect. */
    public Reload reload() {
        return draft.reload;
    }

    /** Whether its value is never shown. */
    public boolean isSecret() {
        return draft.isSecret;
    }

    /** The name of the record components that take it. */
    public String component() {
        return draft.component;
    }

    /** One line for people, without a full stop. */
    public String meaning() {
        return meaning;
    }

    /** The meaning and all that there is to know, in sentences. */
    public String description() {
        return meaning.substring(0, 1).toUpperCase(Locale.ROOT) + meaning.substring(1) + "."
                + (details.isEmpty() ? "" : " " + details);
    }

    /** Options that set it on the command line, the short one first; may be empty. */
    public List<String> options() {
        return draft.options;
    }

    /** Whether its option stands alone, without a value. */
    public boolean isFlag() {
        return draft.type instanceof ValueType.Bool;
    }

    /** How {@code --help} shows its value. */
    public String label() {
        return draft.type.label();
    }

    /** In the order of declaration. */
    @Override
    public int compareTo(Setting<?> other) {
        return Integer.compare(index, other.index);
    }

    @Override
    public String toString() {
        return draft.key;
    }
}
