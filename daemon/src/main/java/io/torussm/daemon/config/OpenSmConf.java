package io.torussm.daemon.config;

import io.torussm.state.BoundedFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An opensm.conf, read as OpenSM reads it: a name, blanks, and the rest of the line without blanks around it and without
 * quotes; of several lines with a name the last one counts. A line that begins with # is a comment.
 *
 * @param file its name, for messages
 * @param items by name, in the order of the file
 */
record OpenSmConf(String file, Map<String, Item> items) {
    private static final long MAX_BYTES = 1 << 20;
    /** OpenSM takes what is longer for two lines. */
    private static final int MAX_LINE = 1022;

    /**
     * A line.
     *
     * @param value {@code (null)} where nothing is set
     * @param line counted from 1
     */
    record Item(String name, String value, int line) {
        boolean isUnset() {
            return value.equals("(null)");
        }
    }

    /**
     * Reads a file.
     *
     * @throws ConfigurationException if it cannot be read, or is none
     */
    static OpenSmConf read(Path file) throws ConfigurationException {
        List<String> lines;
        try {
            lines = BoundedFile.text(file, MAX_BYTES).lines().toList();
        } catch (BoundedFile.TooLong e) {
            throw new ConfigurationException(List.of(file + " is larger than 1 MiB; this is no opensm.conf"));
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + file + ": " + FileErrors.describe(e)));
        }
        Map<String, Item> items = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).replaceAll("^[ \\t]+", "");
            String where = file + ":" + (i + 1) + ": ";
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] words = line.split("[ \\t]+", 2);
            String value = unquoted(words.length == 1 ? "" : words[1].strip());
            if (line.length() > MAX_LINE) {
                problems.add(where + "longer than " + MAX_LINE + " characters, which OpenSM takes for two lines");
            } else if (!words[0].matches("[A-Za-z0-9_]+")) {
                problems.add(where + "no line of an opensm.conf: a name, blanks and a value are expected");
            } else if (words.length == 1 || value.chars().anyMatch(Character::isISOControl)) {
                problems.add(where + words[0] + " has no value, or one with control characters");
            } else {
                items.remove(words[0]);
                items.put(words[0], new Item(words[0], value, i + 1));
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        return new OpenSmConf(file.toString(), items);
    }

    private static String unquoted(String value) {
        return value.length() > 1 && value.startsWith("\"") && value.endsWith("\"")
                ? value.substring(1, value.length() - 1)
                : value;
    }

    /** Where an item stands, for messages. */
    String where(Item item) {
        return file + ":" + item.line();
    }
}
