package io.torussm.qos.policy;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.util.ArrayList;
import java.util.List;

/** What is wrong with a file, line by line; no more than a reader can use. */
final class ParseErrors {
    private static final int MAX_ERRORS = 100;
    private static final int MAX_SHOWN = 60;

    private final String file;
    private final List<Finding> findings = new ArrayList<>();
    private int errors;
    private int warnings;

    ParseErrors(String file) {
        this.file = file;
    }

    void error(int line, String what) {
        if (++errors <= MAX_ERRORS) {
            findings.add(SmEvent.QOS_POLICY_ERROR.says(at(line) + what));
        }
    }

    void warn(int line, String what) {
        if (++warnings <= MAX_ERRORS) {
            findings.add(SmEvent.QOS_POLICY_WARNING.says(at(line) + what));
        }
    }

    /** A line that there is not is the whole file. */
    private String at(int line) {
        return line == 0 ? file + ": " : file + ":" + line + ": ";
    }

    boolean isClean() {
        return errors == 0;
    }

    List<Finding> findings() {
        List<Finding> all = new ArrayList<>(findings);
        if (errors > MAX_ERRORS) {
            all.add(SmEvent.QOS_POLICY_ERROR.says(file + ": " + (errors - MAX_ERRORS) + " more errors"));
        }
        return all;
    }

    /** Text from the file fit for one line of a log. */
    static String quote(String text) {
        String shown = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
        return '"' + shown.strip().replaceAll("[^ -~]", "?") + '"';
    }
}
