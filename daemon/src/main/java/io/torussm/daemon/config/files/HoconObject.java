package io.torussm.daemon.config.files;

import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueType;
import io.torussm.daemon.config.HoconFile;
import io.torussm.daemon.config.ValueType;
import io.torussm.event.Spelling;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The values of an object in a HOCON file. If a value is invalid, the problem is recorded and its default is returned.
 */
final class HoconObject {
    private final ConfigObject object;
    private final List<String> problems;

    /**
     * Creates a reader.
     *
     * @param keys all valid keys
     * @param problems receives problems, each with file, line and remedy
     */
    HoconObject(ConfigObject object, Set<String> keys, List<String> problems) {
        this.object = object;
        this.problems = problems;
        object.forEach((key, value) -> {
            if (!keys.contains(key)) {
                problems.add(HoconFile.location(value.origin()) + ": there is no \"" + HoconFile.printable(key)
                        + "\" here; did you mean \"" + Spelling.nearest(key, keys) + "\"?");
            }
        });
    }

    boolean has(String key) {
        return object.containsKey(key);
    }

    /** Records a problem of the object. */
    void addProblem(String message) {
        problems.add(HoconFile.location(object.origin()) + ": " + message);
    }

    /**
     * Records a problem of a value.
     *
     * @param message message, which continues a sentence that begins with the key
     */
    void addProblem(String key, String message) {
        ConfigValue value = object.get(key);
        problems.add(HoconFile.location((value == null ? object : value).origin()) + ": " + key + " " + message);
    }

    /** Returns a value as text; empty if it is absent. */
    String text(String key) {
        ConfigValue value = object.get(key);
        if (value == null) {
            return "";
        }
        if (value.valueType() == ConfigValueType.LIST
                || value.valueType() == ConfigValueType.OBJECT
                || value.valueType() == ConfigValueType.NULL) {
            addProblem(key, "must be a single value");
            return "";
        }
        return String.valueOf(value.unwrapped());
    }

    private <T> T read(String key, ValueType<T> type, T standard) {
        String text = text(key);
        try {
            return text.isEmpty() ? standard : type.read(text);
        } catch (IllegalArgumentException e) {
            addProblem(key, e.getMessage() + ", not \"" + HoconFile.printable(text) + "\"");
            return standard;
        }
    }

    int integer(String key, int min, int max, int standard) {
        return read(key, ValueType.integer(min, max), standard);
    }

    boolean flag(String key, boolean standard) {
        return read(key, ValueType.bool(), standard);
    }

    long guid(String key) {
        return read(key, ValueType.bits64(), 0L);
    }

    double probability(String key, double standard) {
        String text = text(key);
        try {
            double value = text.isEmpty() ? standard : Double.parseDouble(text);
            if (value >= 0 && value <= 1) {
                return value;
            }
        } catch (NumberFormatException e) {
            // The common end of the method records the problem.
        }
        addProblem(key, "must be a probability from 0 to 1, not \"" + HoconFile.printable(text) + "\"");
        return standard;
    }

    /** Returns a time in nanoseconds, whose text has a unit. */
    long timeNs(String key, long standard) {
        if (!has(key)) {
            return standard;
        }
        try {
            long ns = object.toConfig().getDuration(key).toNanos();
            if (ns >= 0 && text(key).matches(".*[a-z]\\s*")) {
                return ns;
            }
        } catch (ConfigException | ArithmeticException e) {
            // The common end of the method records the problem.
        }
        addProblem(key, "must be a time with its unit, such as 200 ms or 30 s");
        return standard;
    }

    /** Returns the code of a number; {@code codes} has all valid numbers. */
    int code(String key, Map<Integer, Integer> codes, int standard) {
        if (!has(key)) {
            return standard;
        }
        String text = text(key);
        Integer code = text.matches("\\d{1,9}") ? codes.get(Integer.valueOf(text)) : null;
        if (code == null) {
            addProblem(
                    key,
                    "must be " + choices(codes.keySet().stream().sorted().toList()) + ", not \""
                            + HoconFile.printable(text) + "\"");
            return standard;
        }
        return code;
    }

    /**
     * Returns the value of a word in any case.
     *
     * @param word word in the file
     * @param words values by valid word
     */
    <T> T choice(String key, String word, Map<String, T> words, T standard) {
        for (Map.Entry<String, T> entry : words.entrySet()) {
            if (entry.getKey().equalsIgnoreCase(word)) {
                return entry.getValue();
            }
        }
        addProblem(key, "must be " + choices(words.keySet()) + ", not \"" + HoconFile.printable(word) + "\"");
        return standard;
    }

    private static String choices(Collection<?> all) {
        List<String> words = all.stream().map(String::valueOf).toList();
        return String.join(", ", words.subList(0, words.size() - 1)) + " or " + words.get(words.size() - 1);
    }

    /** Returns the texts of a list, or a single text as a list; empty if there is no such key. */
    List<String> texts(String key) {
        ConfigValue value = object.get(key);
        if (value == null || value.valueType() != ConfigValueType.LIST) {
            String text = text(key);
            return text.isEmpty() ? List.of() : List.of(text);
        }
        List<String> texts = new ArrayList<>();
        for (ConfigValue each : object.toConfig().getList(key)) {
            texts.add(String.valueOf(each.unwrapped()));
        }
        return texts;
    }

    /**
     * Returns the objects of a list, or a single object as a list; empty if there is no such key.
     *
     * @param keys all valid keys of these objects
     */
    List<HoconObject> objects(String key, Set<String> keys) {
        ConfigValue value = object.get(key);
        if (value == null) {
            return List.of();
        }
        List<HoconObject> objects = new ArrayList<>();
        List<? extends ConfigValue> all =
                value.valueType() == ConfigValueType.LIST ? object.toConfig().getList(key) : List.of(value);
        for (ConfigValue each : all) {
            if (each instanceof ConfigObject member) {
                objects.add(new HoconObject(member, keys, problems));
            } else {
                addProblem(key, "must be a list of objects: " + key + " = [ { .. } ]");
            }
        }
        return objects;
    }
}
