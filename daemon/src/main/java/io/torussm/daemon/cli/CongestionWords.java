package io.torussm.daemon.cli;

import io.torussm.congestion.CongestionOptions;
import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.traffic.CongestionComparison;
import io.torussm.daemon.traffic.CongestionStudy;
import io.torussm.daemon.traffic.TrafficOrder;
import io.torussm.daemon.traffic.TrafficStudy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The options of {@code torus-sm traffic} for congestion control. */
final class CongestionWords {
    static final String CONGESTION = "--congestion";

    private static final String TUNE = "--tune-cc";
    private static final String CONF = "--cc-conf";
    private static final String OFF = "off";
    private static final int MAX_SETTINGS = 16;
    private static final int MAX_BUDGET = 10_000;

    private CongestionWords() {}

    static void describe(CommandSpec spec) {
        CommandWords.addText(
                spec,
                "WORD|FILE[,..]",
                "instead of a curve: the highest load with each of several settings of congestion control, side by"
                        + " side: off, published, or a configuration of torus-sm",
                CONGESTION);
        CommandWords.addText(
                spec, "N", "with --congestion: search for better settings in so many runs, and print them", TUNE);
        CommandWords.addText(
                spec, "FILE", "with --tune-cc: write the settings to a configuration; no file is overwritten", CONF);
    }

    /** Checks whether settings are compared. */
    static boolean isAsked(ParseResult parsed) {
        return parsed.hasMatchedOption(CONGESTION);
    }

    /** Returns why options do not go together; empty if they do. */
    static String problem(ParseResult parsed, String groupShare) {
        if (parsed.hasMatchedOption(TUNE) && !isAsked(parsed)) {
            return TUNE + " goes with " + CONGESTION + ", such as " + CONGESTION + " off,published";
        }
        if (parsed.hasMatchedOption(CONF) && !parsed.hasMatchedOption(TUNE)) {
            return CONF + " goes with " + TUNE + ", which finds the settings";
        }
        return isAsked(parsed) && parsed.hasMatchedOption(groupShare)
                ? groupShare + ": packets to groups are not slowed down; leave out " + CONGESTION
                : "";
    }

    static CongestionComparison played(
            ParseResult parsed, TrafficStudy study, TrafficOrder order, ProgressLine progress)
            throws ConfigurationException {
        Path conf = CommandWords.path(parsed, CONF);
        CongestionComparison result = new CongestionStudy(study, order)
                .compare(
                        settings(parsed.matchedOptionValue(CONGESTION, "")),
                        CommandWords.number(parsed, TUNE, 0, 1, MAX_BUDGET),
                        line -> progress.say("torus-sm: " + line));
        if (conf != null) {
            String text = String.join("\n", result.settings()) + "\n";
            NewFile.create(conf, text.getBytes(StandardCharsets.UTF_8), NewFile.READABLE);
        }
        return result;
    }

    private static Map<String, Optional<CongestionOptions>> settings(String text) throws ConfigurationException {
        Map<String, Optional<CongestionOptions>> settings = new LinkedHashMap<>();
        for (String name : text.split(",", MAX_SETTINGS)) {
            String word = name.strip();
            if (word.equals(OFF)) {
                settings.put(word, Optional.empty());
            } else if (word.equals(CongestionStudy.PUBLISHED)) {
                settings.put(word, Optional.of(CongestionStudy.published()));
            } else {
                settings.put(word, read(CommandWords.path(word)));
            }
        }
        return settings;
    }

    /** Returns the settings of a configuration; empty if congestion control is off there. */
    private static Optional<CongestionOptions> read(Path file) throws ConfigurationException {
        return Optional.of(Configuration.read(file, Map.of()).congestion())
                .filter(CongestionOptions::isCongestionControlled);
    }
}
