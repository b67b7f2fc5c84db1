package io.torussm.sim.fault;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * A parsed line of the console: {@code ConsoleWord "nodeid"[port] "nodeid"[port] more}.
 *
 * @param text whole line
 * @param word first word, as written
 * @param subjects names in quotes, in order
 * @param rest all other words, in order
 */
record ConsoleLine(String text, String word, List<Subject> subjects, List<String> rest) {
    /** Max characters of a line. */
    static final int MAX_LENGTH = 4_095;

    private static final int MAX_PORT = 255;

    /**
     * A name in quotes.
     *
     * @param name name without quotes
     * @param port number in brackets behind the name, 0 to 255; {@link #NO_PORT} without brackets
     */
    record Subject(String name, int port) {
        /** The port of a name without brackets. */
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
     * Returns this line with subjects that have no quotes, since a shell removes them: {@code S-0000000000200000[2]}.
     * The first words that are names of nodes become subjects. A line with quotes is returned unchanged.
     *
     * @param isName checks whether a word is the name of a node
     * @throws BadLineException if the text in brackets is no port number
     */
    ConsoleLine withNames(Predicate<String> isName) throws BadLineException {
        if (!subjects.isEmpty()) {
            return this;
        }
        List<Subject> found = new ArrayList<>();
        for (String token : rest) {
            int bracket = token.endsWith("]") ? token.lastIndexOf('[') : -1;
            String name = bracket < 0 ? token : token.substring(0, bracket);
            if (!isName.test(name)) {
                break;
            }
            found.add(new Subject(
                    name,
                    bracket < 0
                            ? Subject.NO_PORT
                            : LineParser.number(token.substring(bracket + 1, token.length() - 1))));
        }
        return new ConsoleLine(text, word, found, rest.subList(found.size(), rest.size()));
    }

    /**
     * Parses a line.
     *
     * @throws BadLineException if the line is too long, or has a quote, bracket or port number that is wrong
     */
    static ConsoleLine of(String text) throws BadLineException {
        if (text.length() > MAX_LENGTH) {
            throw new BadLineException("the line is longer than " + MAX_LENGTH + " characters; make several of it");
        }
        return new LineParser(text.strip()).line();
    }

    /** A parser that reads one line from left to right. */
    private static final class LineParser {
        private final String text;
        private final List<Subject> subjects = new ArrayList<>();
        private final List<String> rest = new ArrayList<>();

        /** Index of the next character. */
        private int position;

        LineParser(String text) {
            this.text = text;
        }

        ConsoleLine line() throws BadLineException {
            String word = word();
            skipSpace();
            while (position < text.length()) {
                if (text.charAt(position) == '"') {
                    subjects.add(subject());
                } else {
                    rest.add(word());
                }
                skipSpace();
            }
            return new ConsoleLine(text, word, subjects, rest);
        }

        private void skipSpace() {
            while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
                position++;
            }
        }

        private String word() {
            int start = position;
            while (position < text.length() && !Character.isWhitespace(text.charAt(position))) {
                position++;
            }
            return text.substring(start, position);
        }

        private Subject subject() throws BadLineException {
            int end = text.indexOf('"', position + 1);
            if (end < 0) {
                throw new BadLineException("a quote is missing at the end of " + text.substring(position));
            }
            String name = text.substring(position + 1, end);
            position = end + 1;
            if (position == text.length() || text.charAt(position) != '[') {
                return new Subject(name, Subject.NO_PORT);
            }
            int close = text.indexOf(']', position);
            if (close < 0) {
                throw new BadLineException("missing ']' after " + text.substring(position));
            }
            int port = number(text.substring(position + 1, close).strip());
            position = close + 1;
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
