package io.torussm.daemon.config.migration;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.state.BoundedFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * An opensm.conf, parsed as OpenSM does. A # ends a line, also between quotation marks. The rest is a name, blanks, and
 * a value; blanks around the value and one pair of quotation marks are removed. If several lines have the same name,
 * the last one is used. Immutable.
 *
 * @param file name of the file in messages
 * @param items options by present name, in the order of the used lines
 */
record OpenSmConf(String file, Map<String, Item> items) {
    private static final long MAX_BYTES = 1 << 20;

    /** Max length of a line in bytes. OpenSM splits a longer line in two. */
    private static final int MAX_LINE = 1022;

    private static final String TOO_LONG =
            "longer than " + MAX_LINE + " characters, which OpenSM takes for two lines; make it shorter";

    /** Blanks around a value: those of isspace(3) in the C locale. */
    private static final String SPACES = " \\t\\x0B\\f\\r";

    private static final Map<String, String> OLD_NAMES = Map.of("dimn_ports_file", "port_search_ordering_file");

    /** Options with a line for each SL, which become one item: SL:VALUE with commas. */
    static final Set<String> BY_SL = Set.of(
            "cc_ca_cong_setting_ccti_timer",
            "cc_ca_cong_setting_ccti_increase",
            "cc_ca_cong_setting_trigger_threshold",
            "cc_ca_cong_setting_ccti_min");

    /**
     * An option with its value.
     *
     * @param name name of the option
     * @param value value; {@code (null)} if the option is not set; empty if the line has no value
     * @param line number of the line, from 1; 0 if the option is in no line
     */
    record Item(String name, String value, int line) {
        private static final int NO_LINE = 0;

        /** Returns an option that is in no line, and therefore not set. */
        static Item absent(String name) {
            return new Item(name, OptionValues.UNSET, NO_LINE);
        }

        /** Checks whether a line of the file gives the option this value. */
        boolean isWritten() {
            return line != NO_LINE;
        }

        /** Returns the option at the same line, as one that is not set. */
        Item unset() {
            return new Item(name, OptionValues.UNSET, line);
        }

        /** Returns name and value for messages, without a secret. */
        String shown() {
            return name + " " + (isSecret() ? "..." : value);
        }

        /** Checks whether the option is not set. */
        boolean isUnset() {
            return value.equals(OptionValues.UNSET);
        }

        /** Checks whether the value must not be shown: a key, or a seed from which a vendor's SM derives keys. */
        boolean isSecret() {
            return name.endsWith("_key") || name.startsWith("key_mgr_");
        }
    }

    /**
     * Reads a file.
     *
     * @throws ConfigurationException if the file cannot be read, or is no opensm.conf
     */
    static OpenSmConf read(Path file) throws ConfigurationException {
        String text;
        try {
            text = BoundedFile.text(file, MAX_BYTES);
        } catch (BoundedFile.TooLong e) {
            throw new ConfigurationException(List.of(file + " is larger than 1 MiB; this is no opensm.conf"));
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + file + ": " + FileErrors.describe(e)));
        }
        Map<String, Item> items = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length; i++) {
            List<String> pieces = pieces(lines[i]);
            for (int j = 0; j < pieces.size(); j++) {
                boolean isCut = j + 1 < pieces.size() && !pieces.get(j).contains("#");
                String problem = isCut ? TOO_LONG : addLine(pieces.get(j), i + 1, items);
                if (!problem.isEmpty()) {
                    problems.add(file + ":" + (i + 1) + ": " + (pieces.size() > 1 ? TOO_LONG : problem));
                    break;
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigurationException(problems);
        }
        return new OpenSmConf(file.toString(), items);
    }

    /** Returns the parts into which OpenSM splits a line. */
    private static List<String> pieces(String line) {
        List<String> pieces = new ArrayList<>();
        for (int from = 0; from < line.length(); from += MAX_LINE) {
            pieces.add(line.substring(from, Math.min(line.length(), from + MAX_LINE)));
        }
        return pieces;
    }

    /** Adds the option of a line, if there is one. Returns the problem of the line; empty if there is none. */
    private static String addLine(String line, int number, Map<String, Item> items) {
        int comment = line.indexOf('#');
        String content = (comment < 0 ? line : line.substring(0, comment)).replaceAll("^[ \\t]+", "");
        if (content.matches("[" + SPACES + "]*")) {
            return "";
        }
        String[] words = content.split("[ \\t]+", 2);
        String name = words[0].replaceAll("\\r$", "");
        if (!name.matches("[A-Za-z0-9_]+")) {
            return "no line of an opensm.conf: a name, blanks and a value are expected";
        }
        String value = value(words.length == 1 ? "" : words[1]);
        if (value.chars().anyMatch(each -> Character.isISOControl(each) && each != '\t')) {
            return name + " has a value with control characters or one that is not UTF-8";
        }
        String present = OLD_NAMES.getOrDefault(name, name);
        Item former = items.remove(present);
        if (BY_SL.contains(present)) {
            String ofSl = value.replaceFirst("[ \\t]+", ":");
            value = former == null ? ofSl : former.value() + "," + ofSl;
        }
        items.put(present, new Item(present, value, number));
        return "";
    }

    private static String value(String written) {
        String bare = written.replaceAll("^[" + SPACES + "]+|[" + SPACES + "]+$", "");
        boolean isQuoted = bare.matches("\"|'|\"[^\n]*\"|'[^\n]*'");
        String value = isQuoted ? bare.substring(1, Math.max(1, bare.length() - 1)) : bare;
        // BoundedFile returns a character for each byte. U+FFFD marks bytes that are not UTF-8.
        return new String(value.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8).replace('\uFFFD', '\0');
    }

    /** Returns file and line of an option for messages; the file alone if it is in no line. */
    String location(Item item) {
        return item.isWritten() ? file + ":" + item.line() : file;
    }

    /** Returns the place, name and value of an option for messages, without a secret. */
    String shown(Item item) {
        return location(item) + ": " + item.shown();
    }
}
