package io.torussm.names;

import io.torussm.conf.ConfLines;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A node name map: lines {@code 0xGUID "name"}. A line that infiniband-diags and OpenSM accept has the same meaning
 * here: a name without quotation marks ends at a {@code #}, numbers are those of C, and the first of two lines for a
 * node is used. Text that those programs ignore causes a warning. Immutable.
 *
 * @param file path of the file; empty without a file
 * @param names names by NodeGUID
 */
public record NodeNames(String file, Map<Long, String> names) {
    /** The map in which no node has a name. */
    public static final NodeNames NONE = new NodeNames("", Map.of());

    /** Max length of a line: infiniband-diags read the rest of a longer line as another line. */
    private static final int MAX_LINE_CHARS = 254;

    private static final Pattern LINE = Pattern.compile("([^\\s#]+)(.*)", Pattern.DOTALL);

    /** A name and the rest of the line; any number of marks before the name is ignored. */
    private static final Pattern NAME = Pattern.compile("[\"#]*([^\"#]*)(.*)", Pattern.DOTALL);

    public NodeNames {
        names = Collections.unmodifiableMap(new LinkedHashMap<>(names));
    }

    /**
     * The outcome of parsing a file.
     *
     * @param names the map; null if there is an error
     * @param findings errors and warnings, each with file, line and remedy
     */
    public record Parsed(@Nullable NodeNames names, List<Finding> findings) {
        public Parsed {
            findings = List.copyOf(findings);
        }
    }

    /** Parses the text of a file, whose path is used in findings. */
    public static Parsed parse(String file, String text) {
        ConfLines lines = new ConfLines(file, SmEvent.NAMES_ERROR, SmEvent.NAMES_WARNING);
        Map<Long, String> names = new HashMap<>();
        lines.readDump(text, "node name map", "write a GUID and a name", line -> parseLine(line.strip(), names, lines));
        return new Parsed(lines.isClean() ? new NodeNames(file, names) : null, lines.findings());
    }

    private static void parseLine(String line, Map<Long, String> names, ConfLines lines) {
        Matcher words = LINE.matcher(line);
        if (!words.matches()) {
            return;
        }
        OptionalLong guid = ConfLines.number(words.group(1));
        if (guid.isEmpty()) {
            lines.error(ConfLines.quote(words.group(1))
                    + " is no GUID; write 0x and its digits, then the name in quotation marks");
        } else if (line.length() > MAX_LINE_CHARS) {
            lines.error("the line has more than " + MAX_LINE_CHARS + " characters; shorten the name to "
                    + NameText.MAX_CHARS);
        } else {
            Matcher name = NAME.matcher(words.group(2).strip());
            if (name.matches()) {
                addName(guid.getAsLong(), name.group(1).strip(), name.group(2), names, lines);
            }
        }
    }

    private static void addName(long guid, String name, String rest, Map<Long, String> names, ConfLines lines) {
        Optional<String> fault = NameText.fault(name);
        if (fault.isPresent()) {
            lines.error("the name " + fault.get());
            return;
        }
        if (name.isEmpty()) {
            lines.warn("the line gives no name and is passed over; write it in quotation marks, or remove the line");
            return;
        }
        String shown = NameText.cut(name);
        if (!shown.equals(name)) {
            lines.warn("only the first " + NameText.MAX_CHARS + " characters of the name are shown; shorten it");
        }
        String after = rest.replaceFirst("^\"", "").strip();
        if (!after.isEmpty() && !after.startsWith("#") && !rest.startsWith("#")) {
            lines.warn("what follows the name is passed over: " + ConfLines.quote(after)
                    + "; put a # before it, or remove it");
        }
        if (names.putIfAbsent(guid, shown) != null) {
            lines.warn("the node has a name already, which counts; remove one of the two lines");
        }
    }

    /** Returns the name of a node; empty if the map has none. */
    public Optional<String> name(long nodeGuid) {
        return Optional.ofNullable(names.get(nodeGuid));
    }
}
