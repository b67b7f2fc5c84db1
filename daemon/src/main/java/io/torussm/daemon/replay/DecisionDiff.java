package io.torussm.daemon.replay;

import java.util.ArrayList;
import java.util.List;

/**
 * The comparison of the decisions of two runs, independent of time. Its result is the shortest list of decisions that
 * only one of the runs has made.
 */
public final class DecisionDiff {
    /**
     * Max number of decisions of a part that is compared in detail. If a part is longer, all its decisions count as
     * different.
     */
    private static final int MAX_PART = 4_000;

    private DecisionDiff() {}

    /**
     * Compares two runs.
     *
     * @param first decisions of the first run, in order
     * @param second decisions of the second run, in order
     * @return lines that begin with - for a decision of only the first run, and with + for one of only the second run;
     *     empty if the runs have the same decisions
     */
    public static List<String> of(List<Decision> first, List<Decision> second) {
        int head = 0;
        int shorter = Math.min(first.size(), second.size());
        while (head < shorter && isSame(first.get(head), second.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head
                && isSame(first.get(first.size() - 1 - tail), second.get(second.size() - 1 - tail))) {
            tail++;
        }
        List<Decision> one = first.subList(head, first.size() - tail);
        List<Decision> other = second.subList(head, second.size() - tail);
        if (one.size() > MAX_PART || other.size() > MAX_PART) {
            List<String> lines = new ArrayList<>();
            one.forEach(decision -> lines.add("-" + decision.line()));
            other.forEach(decision -> lines.add("+" + decision.line()));
            return lines;
        }
        return difference(one, other);
    }

    private static boolean isSame(Decision one, Decision other) {
        return one.kind() == other.kind() && one.text().equals(other.text());
    }

    private static List<String> difference(List<Decision> one, List<Decision> other) {
        int[][] common =
                new int[one.size() + 1][other.size() + 1]; // longest common subsequence of the remaining decisions
        for (int i = one.size() - 1; i >= 0; i--) {
            for (int j = other.size() - 1; j >= 0; j--) {
                common[i][j] = isSame(one.get(i), other.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        List<String> lines = new ArrayList<>();
        int i = 0;
        int j = 0;
        while (i < one.size() || j < other.size()) {
            if (i < one.size() && j < other.size() && isSame(one.get(i), other.get(j))) {
                i++;
                j++;
            } else if (j == other.size() || (i < one.size() && common[i + 1][j] >= common[i][j + 1])) {
                lines.add("-" + one.get(i++).line());
            } else {
                lines.add("+" + other.get(j++).line());
            }
        }
        return lines;
    }
}
