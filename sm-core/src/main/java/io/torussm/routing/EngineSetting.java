package io.torussm.routing;

/**
 * A setting of one engine. In the configuration file it is in an object with the engine's name.
 *
 * @param key name in the configuration file, such as {@code torus_config}
 * @param kind type of its values
 * @param byDefault default value; empty for no file
 * @param meaning explanation in one line, without a full stop
 */
public record EngineSetting(String key, ValueFormat kind, String byDefault, String meaning) {
    /** Kinds of values. */
    public enum ValueFormat {
        /** The name of a file, which is read for the engine; see {@link EngineConfig#file}. */
        FILE,
        /** {@code true} or {@code false}. */
        FLAG,
        /** A decimal number, 0 or more. */
        NUMBER,
        /** Any text. */
        TEXT
    }

    /** Declares the name of a file (default: no file). */
    public static EngineSetting file(String key, String meaning) {
        return new EngineSetting(key, ValueFormat.FILE, "", meaning);
    }

    /** Declares a setting that is true or false (default: false). */
    public static EngineSetting flag(String key, String meaning) {
        return new EngineSetting(key, ValueFormat.FLAG, "false", meaning);
    }

    /** Declares a number (default: 0). */
    public static EngineSetting number(String key, String meaning) {
        return new EngineSetting(key, ValueFormat.NUMBER, "0", meaning);
    }

    /** Declares a number with a default. */
    public static EngineSetting number(String key, int byDefault, String meaning) {
        return new EngineSetting(key, ValueFormat.NUMBER, Integer.toString(byDefault), meaning);
    }

    /** Checks whether a value is of the setting's kind. */
    public boolean accepts(String value) {
        return switch (kind) {
            case FILE, TEXT -> true;
            case FLAG -> value.equals("true") || value.equals("false");
            case NUMBER -> value.matches("[0-9]{1,9}");
        };
    }
}
