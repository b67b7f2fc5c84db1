package io.torussm.sim.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A script of faults: lines of the console with times, probabilities and random subjects. Immutable. Times count from
 * the beginning of the script. The same seed leads to the same random choices.
 *
 * <pre>
 * seed 7
 * 10 s                                Unlink "S-0000000000200000"[2]
 * after 20 s                          ReLink "S-0000000000200000"[2]
 * every 30 s from 1 m until 10 m      random cable down for 5 s
 * every 1 s probability 0.1           random switch Busy 0.5 for 2 s
 * </pre>
 *
 * @param name name of the file, for messages
 * @param seed seed of random choices (default: 1)
 * @param entries lines in the order of the file
 */
public record FaultScript(String name, long seed, List<Entry> entries) {
    private static final int MAX_LINES = 10_000;
    private static final int MAX_PROBLEMS = 20;
    private static final Pattern SEED = Pattern.compile("(?i)seed\\s+(-?\\d{1,18})");

    /**
     * A time at the beginning of a line: group 1 is the clause (default: after), 2 the number, 3 the unit, 4 the rest.
     */
    private static final Pattern TIME =
            Pattern.compile("(?is)(?:(after|at|every|from|until)\\s+)?" + TimeSpans.PATTERN + "(\\s.*|$)");

    /** A probability at the beginning of a line: group 1 is the number, 2 the rest. */
    private static final Pattern PROBABILITY = Pattern.compile("(?is)(?:with\\s+)?probability\\s+(\\S+)(\\s.*|$)");

    /** A random subject: group 1 is its kind, 2 the command, 3 the rest. */
    private static final Pattern RANDOM_SUBJECT = Pattern.compile("(?is)random\\s+(\\S+)\\s+(\\S+)(.*)");

    /** The kind of a random subject. */
    public enum RandomSubject {
        /** A cable between switches. */
        CABLE,
        /** A cable of a host. */
        LEAF,
        SWITCH,
        HOST
    }

    /**
     * A line.
     *
     * @param number number of the line in the file, from 1
     * @param firstNs time of the first execution, from the beginning of the script
     * @param everyNs time between two executions; 0 for one execution
     * @param untilNs time of the last execution
     * @param probability probability of each execution
     * @param randomSubject kind of the random subject, which is inserted behind the command; null if the line names its
     *     subject
     * @param line line of the console
     */
    public record Entry(
            int number,
            long firstNs,
            long everyNs,
            long untilNs,
            double probability,
            @Nullable RandomSubject randomSubject,
            String line) {
        /** Returns the line for display, with the kind of its random subject. */
        String displayText() {
            return randomSubject == null
                    ? line
                    : "random " + randomSubject.name().toLowerCase(Locale.ROOT) + " " + line;
        }

        /** Returns the line of the console with a subject behind its command. */
        String withSubject(String subject) {
            int space = line.indexOf(' ');
            return space < 0 ? line + " " + subject : line.substring(0, space) + " " + subject + line.substring(space);
        }
    }

    /** Copies the list. */
    public FaultScript {
        entries = List.copyOf(entries);
    }

    /**
     * Parses a script.
     *
     * @param name name of the file, for messages
     * @param text content of the file
     * @param console console that checks the lines
     * @throws BadLineException with up to 20 problems, one per line, each with file, line and remedy
     */
    public static FaultScript parse(String name, String text, FaultConsole console) throws BadLineException {
        List<Entry> entries = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        long seed = 1;
        List<String> lines = text.lines().limit(MAX_LINES + 1L).toList();
        if (lines.size() > MAX_LINES) {
            throw new BadLineException(name + " has more than " + MAX_LINES + " lines; make several files of it");
        }
        for (int i = 0; i < lines.size() && problems.size() < MAX_PROBLEMS; i++) {
            String line = lines.get(i).strip();
            Matcher seeded = SEED.matcher(line);
            if (seeded.matches()) {
                seed = Long.parseLong(seeded.group(1));
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                try {
                    entries.add(new EntryParser(i + 1, console).entry(line));
                } catch (BadLineException e) {
                    problems.add(name + ":" + (i + 1) + ": " + e.getMessage());
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new BadLineException(String.join("\n", problems));
        }
        return new FaultScript(name, seed, entries);
    }

    /** A parser of one line: clauses of time and probability, followed by the command. */
    private static final class EntryParser {
        private final int number;
        private final FaultConsole console;

        /** Time of the first execution; negative if the line names no time. */
        private long firstNs = -1;

        private long everyNs;
        private long untilNs = Long.MAX_VALUE;
        private double probability = 1;
        private String rest = "";

        EntryParser(int number, FaultConsole console) {
            this.number = number;
            this.console = console;
        }

        Entry entry(String line) throws BadLineException {
            if (line.length() > ConsoleLine.MAX_LENGTH) {
                throw new BadLineException("the line is longer than " + ConsoleLine.MAX_LENGTH + " characters");
            }
            rest = line;
            while (tryParseTime() || tryParseProbability()) {
                rest = rest.strip();
            }
            if (rest.isEmpty()) {
                throw new BadLineException(
                        "nothing is done at that time; add a line of the console, such as Unlink \"nodeid\"[1]");
            }
            if (untilNs != Long.MAX_VALUE && everyNs == 0) {
                throw new BadLineException("until needs every: write every 30 s until 10 m");
            }
            Matcher random = RANDOM_SUBJECT.matcher(rest);
            RandomSubject victim = null;
            if (random.matches()) {
                victim = randomSubject(random.group(1));
                rest = word(random.group(2)) + " " + random.group(3).strip();
                rest = rest.strip();
            }
            Entry entry =
                    new Entry(number, firstNs >= 0 ? firstNs : everyNs, everyNs, untilNs, probability, victim, rest);
            console.check(
                    victim == null ? rest : entry.withSubject(console.schedule().anySubject(victim)));
            return entry;
        }

        /** Removes a clause of time from the beginning of the rest. Returns false without such a clause. */
        private boolean tryParseTime() throws BadLineException {
            Matcher time = TIME.matcher(rest);
            if (!time.matches()) {
                return false;
            }
            long ns = TimeSpans.ns(time.group(2), time.group(3));
            String kind = time.group(1) == null ? "after" : time.group(1).toLowerCase(Locale.ROOT);
            switch (kind) {
                case "every" -> everyNs = ns;
                case "until" -> untilNs = ns;
                default -> firstNs = ns;
            }
            if (kind.equals("every") && everyNs < 1_000_000) {
                throw new BadLineException(
                        "every " + time.group(2) + " " + time.group(3) + " is too often; use 1 ms or more");
            }
            rest = time.group(4);
            return true;
        }

        /** Removes a clause of probability from the beginning of the rest. Returns false without such a clause. */
        private boolean tryParseProbability() throws BadLineException {
            Matcher chance = PROBABILITY.matcher(rest);
            if (!chance.matches()) {
                return false;
            }
            try {
                probability = Double.parseDouble(chance.group(1));
            } catch (NumberFormatException e) {
                throw new BadLineException("\"" + chance.group(1) + "\" is no probability; use 0 to 1");
            }
            if (!(probability >= 0 && probability <= 1)) {
                throw new BadLineException(chance.group(1) + " is no probability; use 0 to 1");
            }
            rest = chance.group(2);
            return true;
        }

        private static RandomSubject randomSubject(String word) throws BadLineException {
            try {
                return RandomSubject.valueOf(word.toUpperCase(Locale.ROOT));
            } catch (IllegalArgumentException e) {
                throw new BadLineException("there is no random " + word + "; use cable, leaf, switch or host");
            }
        }

        /** Returns the command of the console for a word that only scripts have. */
        private static String word(String word) {
            return switch (word.toLowerCase(Locale.ROOT)) {
                case "down" -> "Unlink";
                case "lossy" -> "Loss";
                default -> word;
            };
        }
    }
}
