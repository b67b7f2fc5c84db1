package io.torussm.daemon.tables;

import io.torussm.conf.ConfLines;
import java.util.function.Consumer;

/**
 * The grammar of SL2VL tables: {@code opensm-sl2vl.dump} ({@code Switch 0x<node GUID>, ..} or {@code Channel Adapter
 * 0x<port GUID>, ..}, then rows {@code <in> <out> : <16 VLs>}), or ibdmchk's and ibdiagnet2's ({@code 0x<switch GUID>
 * <in> <out>}, then eight times 0x and the VLs of two SLs).
 */
public final class Sl2VlLines implements Consumer<String> {
    private static final int SLS = 16;
    private static final String FORMAT_HINT =
            " is no row; write ports in and out, a colon and a VL for each of 16 SLs, or the GUID of a switch,"
                    + " ports in and out, and eight times 0x with two VLs";

    private final ConfLines conf;
    private final Sink sink;
    private boolean isOfSwitch;
    private boolean isKnown;
    private long guid;

    /** A receiver of rows. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Receives a row.
         *
         * @param isOfSwitch true for a switch, false for an end port
         * @param guid NodeGUID of a switch, or PortGUID of an end port
         * @param in port number of the input
         * @param out port number of the output
         * @param vls VLs, 0 to 15, by SL
         */
        void row(boolean isOfSwitch, long guid, int in, int out, int[] vls);
    }

    public Sl2VlLines(ConfLines conf, Sink sink) {
        this.conf = conf;
        this.sink = sink;
    }

    @Override
    public void accept(String line) {
        if (line.isBlank() || line.startsWith("#")) {
            return;
        }
        LineScanner words = new LineScanner(line);
        try {
            if (words.skipIfNext("Switch ") || words.skipIfNext("Channel Adapter ") || words.skipIfNext("Router ")) {
                isOfSwitch = line.startsWith("Switch");
                guid = words.guid();
                isKnown = true;
            } else if (line.startsWith("0x")) {
                long rowGuid = words.guid();
                row(line, true, rowGuid, words, true);
            } else {
                row(line, isOfSwitch, guid, words, false);
            }
        } catch (IllegalArgumentException e) {
            conf.error(ConfLines.quote(line) + ": " + e.getMessage());
        }
    }

    private void row(String line, boolean ofSwitch, long rowGuid, LineScanner words, boolean isPacked) {
        int in = words.number(10);
        int out = words.number(10);
        boolean isRow = in >= 0 && out >= 0 && (isPacked || (isKnown && words.skipIfNext(":")));
        int[] vls = new int[SLS];
        for (int sl = 0; isRow && sl < SLS; sl += isPacked ? 2 : 1) {
            int value = isPacked ? words.hex() : words.number(10);
            isRow = value >= 0;
            if (isPacked) {
                vls[sl] = value >> 4;
                vls[sl + 1] = value & 0xf;
            } else {
                vls[sl] = value;
            }
            if (isRow && vls[sl] >= SLS) {
                throw new IllegalArgumentException("there is no VL " + vls[sl] + "; VLs are 0 to 15");
            }
        }
        if (isRow && words.isAtEnd()) {
            sink.row(ofSwitch, rowGuid, in, out, vls);
        } else {
            conf.error(ConfLines.quote(line) + FORMAT_HINT);
        }
    }
}
