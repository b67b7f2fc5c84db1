package io.torussm.conf;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The reader of the lines of a configuration file, which collects all errors, up to a limit. An instance is used once,
 * by one thread.
 */
public final class ConfLines {
    /** Max number of characters of a hand-written file. */
    private static final int MAX_CHARS = 4 << 20;

    /** Max number of characters of a dump: tables of 1,000 switches and 2,000 hosts. */
    private static final int MAX_DUMP_CHARS = 256 << 20;

    private static final int MAX_LINE_CHARS = 1 << 16;
    private static final int MAX_NUMBER = 64;

    /** Max number of reported errors, and max number of reported warnings and notes together. */
    private static final int MAX_REPORTED = 100;

    private static final int MAX_QUOTED_CHARS = 60;

    private final String file;
    private final SmEvent error;
    private final SmEvent warning;
    private final List<Finding> findings = new ArrayList<>();
    private int line;
    private int errors;
    private int warningsAndNotes;

    /**
     * Creates a reader before the first line.
     *
     * @param file name of the file in findings
     * @param error event of an error, which makes the file unusable
     * @param warning event of contents that are usable, but perhaps not as intended
     */
    public ConfLines(String file, SmEvent error, SmEvent warning) {
        this.file = file;
        this.error = error;
        this.warning = warning;
    }

    /**
     * Parses the lines of a text. A text or a line that is too long is an error.
     *
     * @param content the expected contents, such as {@code list of partitions}
     * @param shorter the remedy for a line that is too long
     * @param parser receives each line without its LF
     */
    public void read(String text, String content, String shorter, Consumer<String> parser) {
        read(text, MAX_CHARS, content, shorter, parser);
    }

    /**
     * Parses the lines of the output of a program, which may be longer, because it grows with switches times LIDs.
     *
     * @param content the expected contents, such as {@code list of partitions}
     * @param shorter the remedy for a line that is too long
     * @param parser receives each line without its LF
     */
    public void readDump(String text, String content, String shorter, Consumer<String> parser) {
        read(text, MAX_DUMP_CHARS, content, shorter, parser);
    }

    /**
     * Parses the lines of the output of a program of any size; only one line is in memory.
     *
     * @param in input in ISO 8859-1, which is read to its end and not closed
     * @param shorter the remedy for a line that is too long
     * @param parser receives each line without its LF
     * @throws IOException if the input cannot be read
     */
    public void readDump(InputStream in, String shorter, Consumer<String> parser) throws IOException {
        byte[] buffer = new byte[1 << 16];
        byte[] next = new byte[MAX_LINE_CHARS];
        int length = 0;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            for (int i = 0; i < count; i++) {
                if (buffer[i] == '\n') {
                    parseLine(next, length, shorter, parser);
                    length = 0;
                } else {
                    next[Math.min(length, MAX_LINE_CHARS - 1)] = buffer[i];
                    length = Math.min(length + 1, MAX_LINE_CHARS + 1);
                }
            }
        }
        if (length > 0) {
            parseLine(next, length, shorter, parser);
        }
    }

    private void parseLine(byte[] bytes, int length, String shorter, Consumer<String> parser) {
        line++;
        if (length > MAX_LINE_CHARS) {
            error("the line has more than " + MAX_LINE_CHARS + " characters; " + shorter);
        } else {
            parser.accept(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
        }
    }

    private void read(String text, int maxChars, String content, String shorter, Consumer<String> parser) {
        if (text.length() > maxChars) {
            error("more than " + maxChars + " characters; this is no " + content);
            return;
        }
        // An LF ends a line; a text that ends with it has no further line.
        for (int start = 0, end; start < text.length(); start = end + 1) {
            int found = text.indexOf('\n', start);
            end = found < 0 ? text.length() : found;
            String next = text.substring(start, end);
            line++;
            if (next.length() > MAX_LINE_CHARS) {
                error("the line has more than " + MAX_LINE_CHARS + " characters; " + shorter);
            } else {
                parser.accept(next);
            }
        }
    }

    /** Returns the number of the present line, from 1; 0 before the first line. */
    public int line() {
        return line;
    }

    /** Returns the position of a line, with which the text of a finding begins; line 0 is the whole file. */
    public String position(int number) {
        return number == 0 ? file + ": " : file + ":" + number + ": ";
    }

    /** Reports an error of the present line. */
    public void error(String message) {
        error(line, message);
    }

    /** Reports an error of a line; line 0 is the whole file. */
    public void error(int number, String message) {
        add(error.finding(position(number) + message));
    }

    /** Reports a warning of the present line. */
    public void warn(String message) {
        warn(line, message);
    }

    /** Reports a warning of a line; line 0 is the whole file. */
    public void warn(int number, String message) {
        add(warning.finding(position(number) + message));
    }

    /** Adds a finding of another check. */
    public void add(Finding finding) {
        boolean isError = finding.severity() == Finding.Severity.ERROR;
        if ((isError ? ++errors : ++warningsAndNotes) <= MAX_REPORTED) {
            findings.add(finding);
        }
    }

    /** Checks whether there are no errors. */
    public boolean isClean() {
        return errors == 0;
    }

    /** Returns the findings in the order of their report, then the numbers of findings beyond the limits. */
    public List<Finding> findings() {
        List<Finding> all = new ArrayList<>(findings);
        if (errors > MAX_REPORTED) {
            all.add(error.finding(file + ": " + (errors - MAX_REPORTED) + " more errors"));
        }
        if (warningsAndNotes > MAX_REPORTED) {
            int omitted = warningsAndNotes - MAX_REPORTED;
            all.add(warning.finding(file + ": " + omitted + " more warnings and notes"));
        }
        return all;
    }

    /** Returns a line without its comment, which begins with {@code #}, and without blanks at its ends. */
    public static String withoutComment(String line) {
        int comment = line.indexOf('#');
        return (comment < 0 ? line : line.substring(0, comment)).strip();
    }

    /** Returns text from a file in quotation marks, without characters that would break a log line. */
    public static String quote(String text) {
        String shown = text.length() > MAX_QUOTED_CHARS ? text.substring(0, MAX_QUOTED_CHARS) + "..." : text;
        return '"' + shown.strip().replaceAll("[^ -~]", "?") + '"';
    }

    /**
     * Returns a number of up to 64 bits in the notation of C: decimal, hexadecimal after 0x, octal after 0. Empty
     * if the text is no such number.
     */
    public static OptionalLong number(String text) {
        boolean isHex = text.startsWith("0x") || text.startsWith("0X");
        String digits = isHex ? text.substring(2) : text;
        if (digits.length() > MAX_NUMBER || !digits.matches("[0-9a-fA-F]+")) {
            return OptionalLong.empty();
        }
        try {
            return OptionalLong.of(Long.parseUnsignedLong(digits, isHex ? 16 : digits.startsWith("0") ? 8 : 10));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
