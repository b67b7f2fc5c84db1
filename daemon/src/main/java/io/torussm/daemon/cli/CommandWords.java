package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.json.Json;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** Options and words of commands: how they are described, and how they are read. */
final class CommandWords {
    /** The option for answers in JSON. */
    static final String JSON = "--json";

    private CommandWords() {}

    /** Adds an option without a value. */
    static void addFlag(CommandSpec spec, String meaning, String name) {
        spec.addOption(OptionSpec.builder(name)
                .type(boolean.class)
                .arity("0")
                .description(meaning)
                .build());
    }

    /** Adds an option with a value. */
    static void addText(CommandSpec spec, String label, String meaning, String name) {
        spec.addOption(OptionSpec.builder(name)
                .type(String.class)
                .paramLabel(label)
                .description(meaning)
                .build());
    }

    /** Adds an option with a value, and the words that completion offers for it. */
    static void addChoice(CommandSpec spec, String label, String meaning, List<String> words, String name) {
        spec.addOption(OptionSpec.builder(name)
                .type(String.class)
                .paramLabel(label)
                .description(meaning)
                .completionCandidates(words)
                .build());
    }

    /** Adds an option with a value that may be given several times. */
    static void addList(CommandSpec spec, String label, String meaning, String name) {
        spec.addOption(OptionSpec.builder(name)
                .type(List.class)
                .auxiliaryTypes(String.class)
                .paramLabel(label)
                .description(meaning)
                .build());
    }

    /** Adds a required word. */
    static void addWord(CommandSpec spec, int index, String label, String meaning) {
        spec.addPositional(word(index, label, meaning).arity("1").required(true).build());
    }

    /** Adds an optional word. */
    static void addOptionalWord(CommandSpec spec, int index, String label, String meaning) {
        spec.addPositional(
                word(index, label, meaning).arity("0..1").required(false).build());
    }

    private static PositionalParamSpec.Builder word(int index, String label, String meaning) {
        return PositionalParamSpec.builder()
                .index(String.valueOf(index))
                .type(String.class)
                .paramLabel(label)
                .description(meaning);
    }

    /** Adds the option for answers in JSON. */
    static void addJson(CommandSpec spec) {
        addFlag(spec, "print JSON", JSON);
    }

    static boolean isJson(ParseResult parsed) {
        return parsed.hasMatchedOption(JSON);
    }

    /** Prints a record as JSON. */
    static void printJson(Object value, PrintStream out) {
        Json.lines(value).forEach(out::println);
    }

    /** Prints a report: as JSON if that is wanted, otherwise its lines. */
    static void print(ParseResult parsed, Object report, List<String> lines, PrintStream out) {
        if (isJson(parsed)) {
            printJson(report, out);
        } else {
            lines.forEach(out::println);
        }
    }

    /** Returns the file that an option names; null if it is not given. */
    static @Nullable Path path(ParseResult parsed, String option) throws ConfigurationException {
        String name = parsed.matchedOptionValue(option, null);
        return name == null ? null : path(name);
    }

    /**
     * Returns the file that an option names for output; null if it is not given. Called before the work, so that no
     * result is lost at its end.
     *
     * @throws ConfigurationException if the file exists
     */
    static @Nullable Path newFile(ParseResult parsed, String option) throws ConfigurationException {
        Path file = path(parsed, option);
        if (file != null) {
            NewFile.requireAbsent(file);
        }
        return file;
    }

    /**
     * Returns the file of this name.
     *
     * @throws ConfigurationException if no file can have it
     */
    static Path path(String name) throws ConfigurationException {
        try {
            return Path.of(name);
        } catch (InvalidPathException e) {
            throw new ConfigurationException(List.of("no name of a file: " + e.getMessage()));
        }
    }

    /** Returns a number from 0 to 1; 0 without the option. */
    static double share(ParseResult parsed, String option) throws ConfigurationException {
        String text = parsed.matchedOptionValue(option, "0");
        double share = parseNumber(text);
        if (!(share >= 0 && share <= 1)) {
            throw invalidValue(option, text, "a number from 0 to 1");
        }
        return share;
    }

    /** Returns a whole number; {@code otherwise} without the option. */
    static int number(ParseResult parsed, String option, int otherwise, int min, int max)
            throws ConfigurationException {
        String text = parsed.matchedOptionValue(option, "");
        if (text.isEmpty()) {
            return otherwise;
        }
        double value = parseNumber(text);
        if (!(value >= min && value <= max && value == Math.rint(value))) {
            throw invalidValue(option, text, "a whole number from " + min + " to " + max);
        }
        return (int) value;
    }

    /** Returns a number; NaN if there is none, so that no bound is met. */
    static double parseNumber(String text) {
        try {
            return Double.parseDouble(text);
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** Returns the error of a value that cannot be used. */
    static ConfigurationException invalidValue(String option, String text, String wanted) {
        return new ConfigurationException(List.of(option + " \"" + text + "\": give " + wanted));
    }
}
