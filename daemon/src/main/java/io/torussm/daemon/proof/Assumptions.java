package io.torussm.daemon.proof;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/**
 * The assumptions for data that are missing in files.
 *
 * @param sl SL of pairs of hosts that are not listed, 0 to 15; empty if these do not send, or have SL 0 if no
 *     SLs are given
 * @param switchSl SL of pairs with a port 0 of a switch that are not listed; empty if unknown
 * @param groupSls SLs (bit n: SL n) of multicast groups
 * @param lmc LMC of all end ports whose LMC is in no file, 0 to 7
 */
public record Assumptions(OptionalInt sl, OptionalInt switchSl, int groupSls, int lmc) {
    /** No assumptions beyond the files; groups have SL 0. */
    public static final Assumptions NONE = new Assumptions(OptionalInt.empty(), OptionalInt.empty(), 1, 0);

    private static final int SLS = 16;

    /** Returns the assumptions as a certificate names them: words and numbers, a line each. */
    List<String> lines() {
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
}
