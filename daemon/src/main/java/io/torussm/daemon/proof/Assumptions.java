package io.torussm.daemon.proof;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The assumptions of a proof for data that are missing in files.
 *
 * @param sl SL, 0 to 15, of pairs of hosts that are not in the file of SLs; if empty, such pairs do not send, or have
 *     SL 0 without a file of SLs
 * @param switchSl SL, 0 to 15, of unlisted pairs with a port 0 of a switch; empty if unknown
 * @param groupSls mask of the SLs of multicast groups (bit n: SL n)
 * @param lmc LMC, 0 to 7, of all end ports whose LMC is in no file
 */
public record Assumptions(OptionalInt sl, OptionalInt switchSl, int groupSls, int lmc) {
    /** The default: no assumed SLs of pairs, SL 0 for groups, LMC 0. */
    public static final Assumptions NONE = new Assumptions(OptionalInt.empty(), OptionalInt.empty(), 1, 0);

    /** The highest LMC; IBA 4.1.3. */
    public static final int MAX_LMC = 7;

    private static final int SLS = 16;

    /** Returns the assumptions in the form of a certificate, a line of words and numbers each. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        sl.ifPresent(value -> lines.add("sl " + value));
        switchSl.ifPresent(value -> lines.add("switch-sl " + value));
        StringBuilder groups = new StringBuilder("group-sls");
        for (int each = 0; each < SLS; each++) {
            groups.append((groupSls >> each & 1) == 0 ? "" : " " + each);
        }
        lines.add(groups.toString());
        lines.add("lmc " + lmc);
        return lines;
    }

    /**
     * Returns a copy with one more assumption.
     *
     * @param words words of a line, in the form of {@link #lines}
     * @return empty if the words are no valid assumption
     */
    Optional<Assumptions> with(List<String> words) {
        List<String> values = words.subList(Math.min(1, words.size()), words.size());
        if (words.isEmpty() || !values.stream().allMatch(value -> value.matches("[0-9]{1,2}"))) {
            return Optional.empty();
        }
        int[] numbers = values.stream().mapToInt(Integer::parseInt).toArray();
        if (!Arrays.stream(numbers).allMatch(number -> number < SLS)) {
            return Optional.empty();
        } else if (words.get(0).equals("group-sls") && numbers.length > 0) {
            int mask = Arrays.stream(numbers).map(each -> 1 << each).reduce(0, (a, b) -> a | b);
            return Optional.of(new Assumptions(sl, switchSl, mask, lmc));
        } else if (numbers.length != 1) {
            return Optional.empty();
        }
        OptionalInt number = OptionalInt.of(numbers[0]);
        return switch (words.get(0)) {
            case "sl" -> Optional.of(new Assumptions(number, switchSl, groupSls, lmc));
            case "switch-sl" -> Optional.of(new Assumptions(sl, number, groupSls, lmc));
            case "lmc" ->
                numbers[0] <= MAX_LMC
                        ? Optional.of(new Assumptions(sl, switchSl, groupSls, numbers[0]))
                        : Optional.empty();
            default -> Optional.empty();
        };
    }
}
