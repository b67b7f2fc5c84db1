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
 * The SLs of the paths between all hosts, four bits for each pair, for hosts that cannot query the SA for each path.
 * It has a row for each source switch with hosts, or several if the SL2VL tables of its hosts differ. It has
 * a column for each destination switch with hosts, or for each LID if the engine chooses SLs by LID. The
 * format is in docs/operator/host-sls.md.
 */
public final class SlMap {
    private static final byte[] MAGIC = "TSMSLMAP".getBytes(StandardCharsets.US_ASCII);
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 32;
    private static final int NO_INDEX = 0xffff;
    private static final int NO_PATH_BIT = 16;
    private static final int NO_CODE = 0xff;
    private static final long MAX_BYTES = 1L << 29;

    private final Plan plan;
    private final int requestedSl;

    /** Row as source and column as destination, by LID; {@link #NO_INDEX} for a LID that belongs to no host. */
    private final int[] rowOf;

    private final int[] columnOf;

    /** One LID of each row and of each column, which represents the others. */
    private final int[] sources;

    private final int[] destinations;

    /** SLs, as {@code [row][column / 2]}. The SL of an even column is in the upper four bits. */
    private final byte[][] cells;

    /** The cell value of a pair without a path; {@link #NO_CODE} if all pairs have a path. */
    private final int noPath;

    /**
     * Computes all SLs of a plan, on all processors.
     *
     * @param wanted requested SL, 0 to 15; the engine interprets it
     * @throws IOException if the map is too large for a file, or does not fit the format
     */
    SlMap(Plan plan, int wanted) throws IOException {
        this.plan = plan;
        this.requestedSl = wanted;
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
        // The value for "no path" is 15 if no path has SL 15, else the lowest unused SL, for which the cells are filled
        // again.
        int used = fill(15);
        if ((used >> NO_PATH_BIT & 1) == 0) {
            noPath = NO_CODE;
        } else if ((used >> 15 & 1) == 0) {
            noPath = 15;
        } else if ((used & 0xffff) == 0xffff) {
            throw new IOException("paths have all 16 SLs, and no value is left for pairs without one");
        } else {
            noPath = Integer.numberOfTrailingZeros(~used);
            fill(noPath);
        }
    }

    private static int[] hostLids(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        return IntStream.rangeClosed(1, subnet.topLid())
                .filter(lid -> subnet.portOfLid(lid) != Fabric.NONE
                        && !fabric.isSwitch(fabric.nodeOf(subnet.portOfLid(lid)))
                        && PathEnds.isEnd(subnet, subnet.portOfLid(lid)))
                .toArray();
    }

    /**
     * Numbers the LIDs. Equal LIDs of a switch have the same number.
     *
     * @param numberOf receives the number, by LID
     * @return the first LID of each number
     */
    private int[] number(int[] lids, boolean areSources, int[] numberOf) {
        Arrays.fill(numberOf, NO_INDEX);
        int[] numberOfSwitch = new int[plan.subnet().fabric().switchCount()];
        Arrays.fill(numberOfSwitch, NO_INDEX);
        int[] first = new int[lids.length];
        int count = 0;
        for (int lid : lids) {
            int sw = plan.subnet().switchOfLid(lid);
            if (sw == Fabric.NONE
                    || numberOfSwitch[sw] == NO_INDEX
                    || !haveEqualSls(lid, first[numberOfSwitch[sw]], areSources)) {
                numberOf[lid] = count;
                first[count++] = lid;
            } else {
                numberOf[lid] = numberOfSwitch[sw];
            }
            if (sw != Fabric.NONE) {
                numberOfSwitch[sw] = numberOf[lid];
            }
        }
        return Arrays.copyOf(first, count);
    }

    /** Checks whether two LIDs of a switch have the same SLs. As sources they do if their SL2VL tables are equal. */
    private boolean haveEqualSls(int lid, int other, boolean areSources) {
        return plan.isSlMaskBySwitch()
                || (areSources
                        && plan.sl2vl(plan.subnet().portOfLid(lid))
                                == plan.sl2vl(plan.subnet().portOfLid(other)));
    }

    /**
     * Computes all cells.
     *
     * @param none value of a pair without a path
     * @return mask of the SLs that occur (bit n: SL n), and of pairs without a path (bit 16)
     */
    private int fill(int none) {
        return IntStream.range(0, cells.length)
                .parallel()
                .map(row -> fill(row, none))
                .reduce(0, (a, b) -> a | b);
    }

    private int fill(int row, int none) {
        byte[] values = cells[row];
        Arrays.fill(values, (byte) 0);
        int used = 0;
        for (int column = 0; column < destinations.length; column++) {
            int sl = plan.pathSl(sources[row], destinations[column], requestedSl);
            used |= 1 << (sl < 0 ? NO_PATH_BIT : sl);
            values[column / 2] |= (byte) ((sl < 0 ? none : sl) << (column % 2 == 0 ? 4 : 0));
        }
        return used;
    }

    /** Writes header, LIDs and cells. */
    void write(AsciiWriter text, long sweep) throws IOException {
        text.put(ByteBuffer.allocate(HEADER_BYTES)
                .put(MAGIC)
                .putShort((short) VERSION)
                .put((byte) requestedSl)
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
    public static boolean isSlMap(Path file) throws IOException {
        try (InputStream in = InputFile.open(file)) {
            return Arrays.equals(in.readNBytes(MAGIC.length), MAGIC);
        }
    }
}
