package io.torussm.daemon.config.migration;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * An option of OpenSM, as {@code opensm-options.txt} lists it. Immutable.
 *
 * @param name name of the option
 * @param standard default of OpenSM; {@code (null)} if the option is not set by default
 * @param disposition action of a conversion
 * @param reason reason why the option has no counterpart; empty for other dispositions
 */
record OpenSmOption(String name, String standard, Disposition disposition, String reason) {
    private static final String TABLE = "/opensm-options.txt";
    private static final Map<String, OpenSmOption> ALL = read();

    /** The action of a conversion for an option. */
    enum Disposition {
        /** A setting of the same name takes the value. */
        SAME("same"),

        /** {@link OpenSmMigration} has code for this option. */
        SPECIAL("special"),

        /** The option is reported, with the reason. */
        NONE("none");

        private final String word;

        Disposition(String word) {
            this.word = word;
        }

        private static Disposition of(String word) {
            for (Disposition each : values()) {
                if (each.word.equals(word)) {
                    return each;
                }
            }
            throw new IllegalArgumentException(TABLE + ": unknown disposition " + word);
        }
    }

    /** Returns all options of OpenSM by name, in the order of the table. */
    static Map<String, OpenSmOption> all() {
        return ALL;
    }

    private static Map<String, OpenSmOption> read() {
        Map<String, OpenSmOption> options = new LinkedHashMap<>();
        try (InputStream in = Objects.requireNonNull(OpenSmOption.class.getResourceAsStream(TABLE))) {
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(OpenSmOption::parse)
                    .forEach(option -> options.put(option.name, option));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return options;
    }

    /** Parses a line: name, default, and disposition, followed by a colon and the reason if there is one. */
    private static OpenSmOption parse(String line) {
        String[] columns = line.split(" \\| ", 3);
        String[] action = columns[2].split(": ", 2);
        return new OpenSmOption(columns[0], columns[1], Disposition.of(action[0]), action.length < 2 ? "" : action[1]);
    }

    /** Checks whether a line gives the option the default of OpenSM. Flags are case-sensitive there. */
    boolean isStandard(OpenSmConf.Item item) {
        boolean isFlag = standard.equals(OptionValues.TRUE) || standard.equals(OptionValues.FALSE);
        return isFlag
                ? item.value().equals(standard)
                : OptionValues.canonical(item.value()).equals(OptionValues.canonical(standard));
    }

    /** Checks whether OpenSM has no value for the option by default. */
    boolean isUnsetByDefault() {
        return standard.equals(OptionValues.UNSET);
    }

    /** Returns the setting of the same name. Each option that is {@link Disposition#SAME} has one. */
    Setting<?> setting() {
        return Objects.requireNonNull(Settings.ofKey(name), name);
    }
}
