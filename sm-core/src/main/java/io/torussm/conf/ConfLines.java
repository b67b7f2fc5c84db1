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
 * The reader of the lines of a configuration file, with its errors: all errors together, up to a limit. Used
 * once, by one thread.
 */
public final class ConfLines {
    /** Limit of hand-written files. */
    private static final int MAX_CHARS = 4 << 20;

    /** Limit of dumps: tables of 1,000 switches and 2,000 hosts. */
    private static final int MAX_DUMP_CHARS = 256 << 20;

    private static final int MAX_LINE = 1 << 16;
    private static final int MAX_NUMBER = 64;

    /** Limit of the reported errors, and likewise of warnings and notes together. */
    private static final int MAX_SHOWN = 100;

    private static final int MAX_QUOTED = 60;

    private final String file;
    private final SmEvent error;
    private final SmEvent warning;
    private final List<Finding> findings = new ArrayList<>();
    private int line;
    private int errors;
    private int others;

    /**
     * Starts before the first line.
     *
     * @param file name in findings
     * @param error the event of an error, which makes the file unusable
     * @param warning the event of contents that are usable, but perhaps not as intended
     */
    public ConfLines(String file, SmEvent error, SmEvent warning) {
        this.file = file;
        this.error = error;
        this.warning = warning;
    }

    /**
     * Parses the lines of a text. If the text or a line is too long, that is an error.
     *
     * @param content the expected contents, such as {@code list of partitions}
     * @param shorter the remedy for a line that is too long
     * @param parser receives each line without its LF
     */
    public void read(String text, String content, String shorter, Consumer<String> parser) {
        read(text, MAX_CHARS, content, shorter, parser);
    }

    /** Parses the same of a program's output, which grows with switches times LIDs. */
    public void readDump(String text, String content, String shorter, Consumer<String> parser) {
        read(text, MAX_DUMP_CHARS, content, shorter, parser);
    }

    /**
     * Parses the same of dumps of any size, of which no more than a line is kept in memory.
     *
     * @param in a byte for each character; read to its end, not closed
     * @throws IOException if it cannot be read
     */
    public void readDump(InputStream in, String shorter, Consumer<String> parser) throws IOException {
        byte[] buffer = new byte[1 << 16];
        byte[] next = new byte[MAX_LINE];
        int length = 0;
        for (int count = in.read(buffer); count >= 0; count = in.read(buffer)) {
            for (int i = 0; i < count; i++) {
                if (buffer[i] == '\n') {
                    take(next, length, shorter, parser);
                    length = 0;
                } else {
                    next[Math.min(length, MAX_LINE - 1)] = buffer[i];
                    length = Math.min(length + 1, MAX_LINE + 1);
                }
            }
        }
        if (length > 0) {
            take(next, length, shorter, parser);
        }
    }

    private void take(byte[] bytes, int length, String shorter, Consumer<String> parser) {
        line++;
        if (length > MAX_LINE) {
            error("the line has more than " + MAX_LINE + " characters; " + shorter);
        } else {
            parser.accept(new String(bytes, 0, length, StandardCharsets.ISO_8859_1));
        }
    }

    private void read(String text, int maxChars, String content, String shorter, Consumer<String> parser) {
        if (text.length() > maxChars) {
            error("more than " + maxChars + " characters; this is no " + content);
            return;
        }
        int end;
        for (int start = 0; start <= text.length(); start = end + 1) {
            int found = text.indexOf('\n', start);
            end = found < 0 ? text.length() : found;
            String next = text.substring(start, end);
            line++;
            if (next.length() > MAX_LINE) {
                error("the line has more than " + MAX_LINE + " characters; " + shorter);
            } else {
                parser.accept(next);
            }
        }
    }

    /** Returns the number of the present line, from 1; 0 before the first. */
    public int line() {
        return line;
    }

    /** Returns the position of a line, with which findings begin; line 0 is the whole file. */
    public String at(int where) {
        return where == 0 ? file + ": " : file + ":" + where + ": ";
    }

    /** Reports an error of the present line. */
    public void error(String message) {
        error(line, message);
    }

    /** Reports an error of a line. */
    public void error(int where, String message) {
        add(error.says(at(where) + message));
    }

    /** Reports a warning of the present line. */
    public void warn(String message) {
        warn(line, message);
    }

    /** Reports a warning of a line. */
    public void warn(int where, String message) {
        add(warning.says(at(where) + message));
    }

    /** Reports a finding of another check. */
    public void add(Finding finding) {
        boolean isError = finding.severity() == Finding.Severity.ERROR;
        if ((isError ? ++errors : ++others) <= MAX_SHOWN) {
            findings.add(finding);
        }
    }

    /** Checks whether there are no errors. */
    public boolean isClean() {
        return errors == 0;
    }

    /** Returns the findings, in the order of their report. */
    public List<Finding> findings() {
        List<Finding> all = new ArrayList<>(findings);
        if (errors > MAX_SHOWN) {
            all.add(error.says(file + ": " + (errors - MAX_SHOWN) + " more errors"));
        }
        return all;
    }

    /** Returns the line without a comment after {@code #}, and without blanks at its ends. */
    public static String withoutComment(String line) {
        int comment = line.indexOf('#');
        return (comment < 0 ? line : line.substring(0, comment)).strip();
    }

    /** Returns text from a file in quotation marks, without characters that would break a log line. */
    public static String quote(String text) {
        String shown = text.length() > MAX_QUOTED ? text.substring(0, MAX_QUOTED) + "..." : text;
        return '"' + shown.strip().replaceAll("[^ -~]", "?") + '"';
    }

    /**
     * Returns a number of up to 64 bits as C writes it: decimal, hexadecimal after 0x, octal after 0; empty
     * if the text is none.
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
