package io.torussm.sim.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A parsed line of the console: {@code ConsoleWord "nodeid"[port] "nodeid"[port] more}.
 *
 * @param text the whole line
 * @param word the first word, as written
 * @param subjects the names in quotes, in order
 * @param rest all other words, in order
 */
record ConsoleLine(String text, String word, List<Subject> subjects, List<String> rest) {
    /** Longer lines are refused. */
    static final int LONGEST = 4_095;

    private static final int MAX_PORT = 255;

    /**
     * A name in quotes.
     *
     * @param port the number in brackets that follows, {@link #NO_PORT} if none does
     */
    record Subject(String name, int port) {
        /** No number in brackets follows. */
        static final int NO_PORT = -1;

        boolean hasPort() {
            return port != NO_PORT;
        }

        @Override
        public String toString() {
            return '"' + name + '"' + (hasPort() ? "[" + port + "]" : "");
        }
    }

    /** Copies the lists. */
    ConsoleLine {
        subjects = List.copyOf(subjects);
        rest = List.copyOf(rest);
    }

    /**
     * Parses a line of a shell, which removes the quotes around names: {@code S-0000000000200000[2]}. Words from the
     * beginning that are names of nodes become subjects.
     *
     * @param isName checks whether a word is the name of a node
     */
    ConsoleLine withNames(Predicate<String> isName) throws BadLineException {
        if (!subjects.isEmpty()) {
            return this;
        }
        List<Subject> found = new ArrayList<>();
        for (String each : rest) {
            int bracket = each.endsWith("]") ? each.lastIndexOf('[') : -1;
            String name = bracket < 0 ? each : each.substring(0, bracket);
            if (!isName.test(name)) {
                break;
            }
            found.add(new Subject(
                    name,
                    bracket < 0 ? Subject.NO_PORT : Reading.number(each.substring(bracket + 1, each.length() - 1))));
        }
        return new ConsoleLine(text, word, found, rest.subList(found.size(), rest.size()));
    }

    static ConsoleLine of(String text) throws BadLineException {
        if (text.length() > LONGEST) {
            throw new BadLineException("the line is longer than " + LONGEST + " characters; make several of it");
        }
        return new Reading(text.strip()).line();
    }

    /** One reading, from left to right. */
    private static final class Reading {
        private final String text;
        private final List<Subject> subjects = new ArrayList<>();
        private final List<String> rest = new ArrayList<>();
        private int at;

        Reading(String text) {
            this.text = text;
        }

        ConsoleLine line() throws BadLineException {
            String word = word();
            skipSpace();
            while (at < text.length()) {
                if (text.charAt(at) == '"') {
                    subjects.add(subject());
                } else {
                    rest.add(word());
                }
                skipSpace();
            }
            return new ConsoleLine(text, word, subjects, rest);
        }

        private void skipSpace() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }

        private String word() {
            int from = at;
            while (at < text.length() && !Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return text.substring(from, at);
        }

        private Subject subject() throws BadLineException {
            int end = text.indexOf('"', at + 1);
            if (end < 0) {
                throw new BadLineException("a quote is missing at the end of " + text.substring(at));
            }
            String name = text.substring(at + 1, end);
            at = end + 1;
            if (at == text.length() || text.charAt(at) != '[') {
                return new Subject(name, Subject.NO_PORT);
            }
            int close = text.indexOf(']', at);
            if (close < 0) {
                throw new BadLineException("missing ']' after " + text.substring(at));
            }
            int port = number(text.substring(at + 1, close).strip());
            at = close + 1;
            return new Subject(name, port);
        }

        private static int number(String digits) throws BadLineException {
            try {
                int port = Integer.decode(digits);
                if (port >= 0 && port <= MAX_PORT) {
                    return port;
                }
            } catch (NumberFormatException e) {
                throw new BadLineException("\"" + digits + "\" is no port number; write [1]");
            }
            throw new BadLineException("bad port " + digits);
        }
    }
}
