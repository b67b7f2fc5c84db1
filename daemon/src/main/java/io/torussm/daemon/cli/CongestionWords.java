package io.torussm.daemon.cli;

import io.torussm.congestion.CongestionOptions;
import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.traffic.CongestionComparison;
import io.torussm.daemon.traffic.CongestionStudy;
import io.torussm.daemon.traffic.TrafficOrder;
import io.torussm.daemon.traffic.TrafficStudy;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The options of {@code torus-sm traffic} for congestion control. */
final class CongestionWords {
    static final String CONGESTION = "--congestion";

    private static final String TUNE = "--tune-cc";
    static final String CONF = "--cc-conf";
    private static final String OFF = "off";
    private static final String SCALED_TO = CongestionStudy.SCALED + ":";
    private static final int MAX_SETTINGS = 16;
    private static final int MAX_BUDGET = 10_000;

    private CongestionWords() {}

    static void describe(CommandSpec spec) {
        CommandWords.addText(
                spec,
                "WORD|FILE[,..]",
                "instead of a curve: one load, else 1, with each of several settings of congestion control, side by"
                        + " side: off, published, scaled (for the number of hosts), scaled:N (for N hosts that send to"
                        + " a hot spot), or a configuration of torus-sm",
                CONGESTION);
        CommandWords.addText(
                spec,
                "N",
                "with --congestion: search for better settings at the cost of so many runs, and print them; the first"
                        + " run is of published, the second of scaled",
                TUNE);
        CommandWords.addText(
                spec,
                "FILE",
                "with --tune-cc: write the settings to a configuration, after a loss of the rest; no file is"
                        + " overwritten",
                CONF);
    }

    /** Checks whether settings are compared. */
    static boolean hasCongestionOption(ParseResult parsed) {
        return parsed.hasMatchedOption(CONGESTION);
    }

    /** Returns why options do not go together; empty if they do. */
    static String problem(ParseResult parsed, String groupShare, String load) {
        if (parsed.hasMatchedOption(TUNE) && !hasCongestionOption(parsed)) {
            return TUNE + " goes with " + CONGESTION + ", such as " + CONGESTION + " off,published";
        }
        if (parsed.hasMatchedOption(CONF) && !parsed.hasMatchedOption(TUNE)) {
            return CONF + " goes with " + TUNE + ", which finds the settings";
        }
        if (hasCongestionOption(parsed) && parsed.matchedOptionValue(load, "").contains(",")) {
            return load + ": " + CONGESTION + " compares settings at one load; give one, such as " + load + " 0.8";
        }
        return hasCongestionOption(parsed) && parsed.hasMatchedOption(groupShare)
                ? groupShare + ": packets to groups are not slowed down; leave out " + CONGESTION
                : "";
    }

    /** Sends the traffic with each setting, and with those of a search if the options ask for one. */
    static CongestionComparison compare(
            ParseResult parsed, TrafficStudy study, TrafficOrder order, ProgressLine progress)
            throws ConfigurationException {
        CongestionStudy congestion = new CongestionStudy(study, order);
        return congestion.compare(
                settings(parsed.matchedOptionValue(CONGESTION, ""), congestion),
                CommandWords.number(parsed, TUNE, 0, 1, MAX_BUDGET),
                line -> progress.printMessage("torus-sm: " + line));
    }

    private static Map<String, Optional<CongestionOptions>> settings(String text, CongestionStudy study)
            throws ConfigurationException {
        Map<String, Optional<CongestionOptions>> settings = new LinkedHashMap<>();
        List<String> words = Stream.of(text.split(",", -1)).map(String::strip).toList();
        if (words.size() > MAX_SETTINGS
                || words.contains("")
                || Set.copyOf(words).size() < words.size()) {
            throw CommandWords.invalidValue(
                    CONGESTION, text, "1 to " + MAX_SETTINGS + " different settings, such as off,published,cc.conf");
        }
        for (String word : words) {
            if (word.equals(OFF)) {
                settings.put(word, Optional.empty());
            } else if (word.equals(CongestionStudy.PUBLISHED)) {
                settings.put(word, Optional.of(CongestionStudy.published()));
            } else if (word.equals(CongestionStudy.SCALED)) {
                settings.put(word, Optional.of(study.scaled()));
            } else if (word.startsWith(SCALED_TO)) {
                settings.put(word, Optional.of(study.scaled(senders(word))));
            } else {
                settings.put(word, read(CommandWords.path(word)));
            }
        }
        return settings;
    }

    private static int senders(String word) throws ConfigurationException {
        String number = word.substring(SCALED_TO.length());
        if (!number.matches("[1-9][0-9]{0,4}")) {
            throw CommandWords.invalidValue(CONGESTION, word, "a number of hosts that send, such as scaled:32");
        }
        return Integer.parseInt(number);
    }

    /** Returns the settings of a configuration; empty if congestion control is off there. */
    private static Optional<CongestionOptions> read(Path file) throws ConfigurationException {
        return Optional.of(Configuration.read(file, Map.of()).congestion())
                .filter(CongestionOptions::isCongestionControlled);
    }
}
