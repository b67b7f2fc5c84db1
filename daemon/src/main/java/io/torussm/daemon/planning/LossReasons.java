package io.torussm.daemon.planning;

import io.torussm.daemon.planning.WhatIf.Outcome;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The reasons why the first engine cannot route the fabric after failures: one line for each reason, independent of the
 * failed devices.
 */
final class LossReasons {
    /** GUIDs, names and numbers. They differ between failures with the same reason. */
    private static final Pattern NAMES = Pattern.compile("0x[0-9a-f]+|\"[^\"]*\"|\\d+");

    private LossReasons() {}

    /** Returns the indented lines for people, in the order of the first failure with each reason. */
    static List<String> lines(List<Outcome> losses) {
        Map<String, List<Outcome>> byReason = new LinkedHashMap<>();
        losses.forEach(
                loss -> byReason.computeIfAbsent(NAMES.matcher(reason(loss)).replaceAll("#"), key -> new ArrayList<>())
                        .add(loss));
        return byReason.values().stream().map(LossReasons::line).toList();
    }

    private static String line(List<Outcome> alike) {
        Outcome first = alike.get(0);
        return "  " + (alike.size() == 1 ? "" : alike.size() + " failures, such as ") + first.failure() + ": "
                + reason(first);
    }

    private static String reason(Outcome loss) {
        return !loss.isRouted()
                ? loss.reason()
                : loss.degraded().isEmpty() ? loss.refused() : "DEGRADED: " + loss.degraded() + "; " + loss.refused();
    }
}
