package io.torussm.program.table;

import io.torussm.mad.smp.LinearForwardingTable;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The LIDs for which most switches in use got a first forwarding entry, or lost it. Such a change is a write to each
 * switch, also if no other route changes. Tables of which more than {@value #MAX_BLOCKS} blocks change are not
 * compared: other routes explain their writes, and the loop must not scan all LIDs of all switches. Not thread-safe.
 */
public final class LidChanges {
    private static final int MAX_BLOCKS = 4;

    /** [LID] numbers of switches that got an entry, and that lost it. */
    private int[] added = new int[0];

    private int[] removed = new int[0];
    private int switches;

    /** Compares the known entries of a switch with its target. Unknown blocks are no change. */
    void compare(DeviceTables tables, byte[] target) {
        switches++;
        if (target.length > added.length) {
            added = Arrays.copyOf(added, target.length);
            removed = Arrays.copyOf(removed, target.length);
        }
        int blocks = (target.length - 1) / LinearForwardingTable.LIDS_PER_BLOCK + 1;
        int[] changed = IntStream.range(0, blocks)
                .filter(block -> !tables.holdsTarget(block) && tables.knows(block))
                .limit(MAX_BLOCKS + 1)
                .toArray();
        if (changed.length <= MAX_BLOCKS) {
            IntStream.of(changed).forEach(block -> compareBlock(tables, target, block));
        }
    }

    private void compareBlock(DeviceTables tables, byte[] target, int block) {
        int first = block * LinearForwardingTable.LIDS_PER_BLOCK;
        int end = Math.min(target.length, first + LinearForwardingTable.LIDS_PER_BLOCK);
        for (int lid = first; lid < end; lid++) {
            compare(tables.entry(lid), target[lid], lid);
        }
    }

    private void compare(byte held, byte wanted, int lid) {
        boolean hadPath = held != LinearForwardingTable.NO_PATH_ENTRY;
        boolean hasPath = wanted != LinearForwardingTable.NO_PATH_ENTRY;
        if (hadPath != hasPath) {
            (hasPath ? added : removed)[lid]++;
        }
    }

    /** Returns words such as "LID 43 added in 972 switches"; empty without such LIDs. */
    public String text() {
        return Stream.of(words(added, "added"), words(removed, "removed"))
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining("; "));
    }

    private String words(int[] counts, String change) {
        int[] lids = IntStream.range(0, counts.length)
                .filter(lid -> counts[lid] * 2 > switches)
                .toArray();
        if (lids.length == 0) {
            return "";
        }
        int max = IntStream.of(lids).map(lid -> counts[lid]).max().orElse(0);
        return (lids.length == 1 ? "LID " + lids[0] : lids.length + " LIDs") + " " + change + " in " + max
                + (max == 1 ? " switch" : " switches");
    }
}
