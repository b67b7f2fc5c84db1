package io.torussm.partition;

import io.torussm.mad.Gid;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The text form of 128-bit addresses (RFC 4291 2.2): eight groups of hexadecimal digits, one run of zeros as {@code
 * ::}.
 */
final class Ipv6 {
    private static final int GROUPS = 8;
    private static final int MAX_LENGTH = 39;

    private Ipv6() {}

    /** Parses an address; null if the text is none. No name is looked up. */
    static @Nullable Gid parse(String text) {
        if (text.length() > MAX_LENGTH) {
            return null;
        }
        int gap = text.indexOf("::");
        List<Integer> head = groups(gap < 0 ? text : text.substring(0, gap));
        List<Integer> tail = gap < 0 ? List.of() : groups(text.substring(gap + 2));
        if (head == null || tail == null) {
            return null;
        }
        int zeros = GROUPS - head.size() - tail.size();
        if (gap < 0 ? zeros != 0 : zeros < 1) {
            return null;
        }
        List<Integer> all = new ArrayList<>(head);
        for (int i = 0; i < zeros; i++) {
            all.add(0);
        }
        all.addAll(tail);
        return new Gid(packedHalf(all, 0), packedHalf(all, GROUPS / 2));
    }

    private static long packedHalf(List<Integer> groups, int from) {
        long half = 0;
        for (int i = from; i < from + GROUPS / 2; i++) {
            half = half << 16 | groups.get(i);
        }
        return half;
    }

    private static @Nullable List<Integer> groups(String text) {
        List<Integer> groups = new ArrayList<>();
        if (text.isEmpty()) {
            return groups;
        }
        for (String group : text.split(":", -1)) {
            if (!group.matches("[0-9a-fA-F]{1,4}")) {
                return null;
            }
            groups.add(Integer.parseInt(group, 16));
        }
        return groups;
    }
}
