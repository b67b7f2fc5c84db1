package io.torussm.daemon.dump;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.transport.InputFile;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The SLs of the paths between all hosts, four bits a pair, for hosts that cannot query the SA for each path.
 * It has a row for each source switch with hosts, or several if the SL2VL tables of its hosts differ. It has
 * a column for each destination switch with hosts, or for each LID if the engine chooses SLs by LID. The
 * format is in docs/operator/host-sls.md.
 */
public final class SlMap {
    private static final byte[] MAGIC = "TSMSLMAP".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;
    private static final int HEADER = 32;
    private static final int NOBODY = 0xffff;
    private static final int NO_PATH_BIT = 16;
    private static final int NO_CODE = 0xff;
    private static final long MAX_BYTES = 1L << 29;

    private final Plan plan;
    private final int wanted;

    /** By LID; {@link #NOBODY} if it belongs to no host. */
    private final int[] rowOf;

    private final int[] columnOf;

    /** By row and by column, a LID that stands for all. */
    private final int[] sources;

    private final int[] destinations;

    private final byte[][] cells;

    /** The value that means no path; {@link #NO_CODE} if all pairs have one. */
    private final int noPath;

    /**
     * Computes all SLs of a plan, on all processors.
     *
     * @param wanted SL requested, 0 to 15; the engine decides on its meaning
     * @throws IOException if the map is too large for a file, or does not fit the format
     */
    SlMap(Plan plan, int wanted) throws IOException {
        this.plan = plan;
        this.wanted = wanted;
        int[] lids = hostLids(plan.subnet());
        rowOf = new int[plan.subnet().topLid() + 1];
        columnOf = new int[rowOf.length];
        sources = number(lids, true, rowOf);
        destinations = number(lids, false, columnOf);
        long bytes = (long) sources.length * ((destinations.length + 1) / 2);
        if (bytes > MAX_BYTES) {
            throw new IOException(bytes + " bytes are too much, more than " + MAX_BYTES);
        }
        cells = new byte[sources.length][(destinations.length + 1) / 2];
        int seen = fill(15);
        if ((seen >> NO_PATH_BIT & 1) == 0) {
            noPath = NO_CODE;
        } else if ((seen >> 15 & 1) == 0) {
            noPath = 15;
        } else if ((seen & 0xffff) == 0xffff) {
            throw new IOException("paths have all 16 SLs, and no value is left for pairs without one");
        } else {
            noPath = Integer.numberOfTrailingZeros(~seen);
            fill(noPath);
        }
    }

    private static int[] hostLids(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        return IntStream.rangeClosed(1, subnet.topLid())
                .filter(lid -> subnet.portOfLid(lid) != Fabric.NONE
                        && !fabric.isSwitch(fabric.nodeOf(subnet.portOfLid(lid)))
                        && PathEnds.isOne(subnet, subnet.portOfLid(lid)))
                .toArray();
    }

    /** Numbers the LIDs, equal ones of a switch alike; returns the first LID of each number. */
    private int[] number(int[] lids, boolean areSources, int[] numberOf) {
        Arrays.fill(numberOf, NOBODY);
        int[] known = new int[plan.subnet().fabric().switchCount()];
        Arrays.fill(known, NOBODY);
        int[] first = new int[lids.length];
        int count = 0;
        for (int lid : lids) {
            int sw = plan.subnet().switchOfLid(lid);
            if (sw == Fabric.NONE || known[sw] == NOBODY || !areEqual(lid, first[known[sw]], areSources)) {
                numberOf[lid] = count;
                first[count++] = lid;
            } else {
                numberOf[lid] = known[sw];
            }
            if (sw != Fabric.NONE) {
                known[sw] = numberOf[lid];
            }
        }
        return Arrays.copyOf(first, count);
    }

    /** Checks whether two LIDs of a switch have the same SLs. As sources they have, if their SL2VL tables agree. */
    private boolean areEqual(int lid, int other, boolean areSources) {
        return plan.isSlMaskBySwitch()
                || (areSources
                        && plan.sl2vl(plan.subnet().portOfLid(lid))
                                == plan.sl2vl(plan.subnet().portOfLid(other)));
    }

    /** Returns the SLs that occur (bit n: SL n), and whether a pair has no path (bit 16). */
    private int fill(int none) {
        return IntStream.range(0, cells.length)
                .parallel()
                .map(row -> fill(row, none))
                .reduce(0, (a, b) -> a | b);
    }

    private int fill(int row, int none) {
        byte[] values = cells[row];
        Arrays.fill(values, (byte) 0);
        int seen = 0;
        for (int column = 0; column < destinations.length; column++) {
            int sl = plan.pathSl(sources[row], destinations[column], wanted);
            seen |= 1 << (sl < 0 ? NO_PATH_BIT : sl);
            values[column / 2] |= (byte) ((sl < 0 ? none : sl) << (column % 2 == 0 ? 4 : 0));
        }
        return seen;
    }

    /** Writes header, LIDs and cells. */
    void write(AsciiWriter text, long sweep) throws IOException {
        text.put(ByteBuffer.allocate(HEADER)
                .put(MAGIC)
                .putShort((short) VERSION)
                .put((byte) wanted)
                .put((byte) noPath)
                .putInt(rowOf.length - 1)
                .putInt(sources.length)
                .putInt(destinations.length)
                .putLong(sweep)
                .array());
        for (int[] numbers : new int[][] {rowOf, columnOf}) {
            ByteBuffer all = ByteBuffer.allocate(2 * numbers.length);
            for (int number : numbers) {
                all.putShort((short) number);
            }
            text.put(all.array());
        }
        for (byte[] row : cells) {
            text.put(row);
        }
    }

    /** Checks whether a file is an SL map, of any version. */
    public static boolean is(Path file) throws IOException {
        try (InputStream in = InputFile.open(file)) {
            return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
        }
    }
}
