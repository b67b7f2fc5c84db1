package io.torussm.daemon.config;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The search for keys that occur twice at the top level of a HOCON file. HOCON uses the last value without a warning.
 */
final class RepeatedKeys {
    private static final String NAME = "[A-Za-z0-9_.-]+";
    private static final Pattern TEXT_OR_COMMENT =
            Pattern.compile("\"\"\"[\\s\\S]*?\"\"\"|\"(?:[^\"\\\\\\n]++|\\\\.)*+\"|(?:#|//)[^\\n]*");
    private static final Pattern QUOTED_NAME = Pattern.compile("\"(" + NAME + ")\"");

    /**
     * A key at the begin of a line. Not matched: a value with a reference, which may extend the previous value, and an
     * object, which HOCON merges with the previous one.
     */
    private static final Pattern KEY = Pattern.compile("^\\s*(" + NAME + ")\\s*[=:](?!.*\\$\\{)(?!\\s*\\{)");

    private RepeatedKeys() {}

    /**
     * Returns a line for each value that is not used.
     *
     * @param file name of the file in these lines
     * @param text contents of the file
     */
    static List<String> of(String file, String text) {
        String plain =
                TEXT_OR_COMMENT.matcher(text).replaceAll(found -> Matcher.quoteReplacement(shortened(found.group())));
        int top = plain.stripLeading().startsWith("{") ? 1 : 0;
        List<String> repeated = new ArrayList<>();
        Map<String, Integer> seen = new HashMap<>();
        int depth = 0;
        int number = 0;
        for (String line : plain.split("\n", -1)) {
            number++;
            Matcher key = KEY.matcher(line);
            if (depth == top && key.find()) {
                String name = key.group(1);
                Integer previous = seen.put(name, number);
                if (previous != null) {
                    repeated.add(file + ":" + number + ": " + name + " is there twice; its value in line " + previous
                            + " is not used, remove one of them");
                }
            }
            depth += count(line, '{', '[') - count(line, '}', ']');
        }
        return repeated;
    }

    /** Returns a quoted name without its quotation marks; of other texts and comments only the ends of lines. */
    private static String shortened(String textOrComment) {
        Matcher name = QUOTED_NAME.matcher(textOrComment);
        return name.matches() ? name.group(1) : "\n".repeat(count(textOrComment, '\n', '\n'));
    }

    private static int count(String text, char one, char other) {
        return (int) text.chars().filter(c -> c == one || c == other).count();
    }
}
