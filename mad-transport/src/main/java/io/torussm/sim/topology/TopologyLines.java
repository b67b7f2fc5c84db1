package io.torussm.sim.topology;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The lines of a topology file, without messages of libibmad and libibnetdisc.
 *
 * <p>ibnetdiscover prints messages while it reads the fabric. If output and errors go to one file, a message may split
 * another line, because output is buffered and errors are not. The parts of such a line are joined again.
 */
final class TopologyLines {
    private static final char UNREADABLE = '\ufffd';

    /** Max characters of a line. Lines of a topology are shorter: a description has 64 bytes. */
    private static final int MAX_LINE = 1 << 16;

    private static final String BYTE_ORDER_MARK = "\ufeff";

    /**
     * Beginnings of messages: {@code ibwarn: [123] mad_rpc: ..}, {@code src/query_smp.c:195; ..},
     * {@code DR path slid 0; .}.
     */
    private static final Pattern MESSAGE = Pattern.compile("(?:ibwarn|ibpanic|ibdebug): \\[\\d+\\] "
            + "|(?:src|\\.{1,2}|/[\\w.+-]+)/[\\w./+-]*\\.c:\\d+;|DR path slid \\d+; dlid \\d+;");

    private final String name;
    private final BufferedReader lines;

    /** The beginning of a line that messages interrupted; empty otherwise. */
    private final StringBuilder unfinished = new StringBuilder();

    /** Number of the last line that was read. */
    private int lineNumber;

    /** Number of skipped lines. */
    private int skippedLines;

    private int firstSkippedLine;
    private String example = "";
    private boolean isText = true;

    TopologyLines(String name, Reader reader) {
        this.name = name;
        lines = new BufferedReader(reader);
    }

    /**
     * Returns the next line that is no message.
     *
     * @return null at the end of the file
     * @throws TopologyException if a line is too long
     */
    @Nullable
    String next() throws IOException, TopologyException {
        for (String text = readLine(); text != null; text = readLine()) {
            text = lineNumber == 1 && text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
            isText &= text.indexOf(UNREADABLE) < 0 && text.indexOf('\0') < 0;
            Matcher message = MESSAGE.matcher(text);
            if (message.find()) {
                unfinished.append(text, 0, message.start());
                checkLength(unfinished);
                skip(text.substring(message.start()));
            } else {
                return complete(text);
            }
        }
        return unfinished.isEmpty() ? null : complete("");
    }

    /** Reads a line that ends with LF, CR or CR LF. Returns null at the end of the file. */
    private @Nullable String readLine() throws IOException, TopologyException {
        int next = lines.read();
        if (next < 0) {
            return null;
        }
        lineNumber++;
        StringBuilder text = new StringBuilder();
        while (next >= 0 && next != '\n' && next != '\r') {
            text.append((char) next);
            checkLength(text);
            next = lines.read();
        }
        if (next == '\r') {
            lines.mark(1);
            if (lines.read() != '\n') {
                lines.reset();
            }
        }
        return text.toString();
    }

    private void checkLength(StringBuilder text) throws TopologyException {
        if (text.length() > MAX_LINE) {
            throw new TopologyException(name + ":" + lineNumber + ": more than " + MAX_LINE
                    + " characters; it should look like what ibnetdiscover prints");
        }
    }

    /** Returns a line with its unfinished beginning before it. */
    private String complete(String rest) {
        if (unfinished.isEmpty()) {
            return rest;
        }
        String rawLine = unfinished + rest;
        unfinished.setLength(0);
        return rawLine;
    }

    /** Counts the current line, or a part of it, as skipped. */
    void skip(String text) {
        if (skippedLines++ == 0) {
            firstSkippedLine = lineNumber;
            example = text.strip();
        }
    }

    /** Returns the number, from 1, of the line that {@link #next} returned last. */
    int lineNumber() {
        return lineNumber;
    }

    /** Returns the number of skipped lines. */
    int skippedLines() {
        return skippedLines;
    }

    /** Returns the number of the first skipped line; 0 if no line was skipped. */
    int firstSkippedLine() {
        return firstSkippedLine;
    }

    /** Returns the first skipped line, or the skipped part of it; empty if no line was skipped. */
    String example() {
        return example;
    }

    /** Checks whether all characters so far could be decoded, and no character is NUL. */
    boolean isText() {
        return isText;
    }
}
