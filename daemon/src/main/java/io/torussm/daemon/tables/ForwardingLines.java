package io.torussm.daemon.tables;

import io.torussm.conf.ConfLines;
import java.util.function.Consumer;

/**
 * The grammar of linear forwarding tables: {@code opensm.fdbs} and {@code ibdiagnet2.fdbs} ({@code Switch 0x<GUID>},
 * then {@code 0x<LID> : <port> : ..}), or {@code opensm-lfts.dump} ({@code Unicast lids .. guid 0x<GUID> ..}, then
 * {@code 0x<LID> <port> .. portguid 0x<GUID>: ..}).
 */
public final class ForwardingLines implements Consumer<String> {
    private static final String FORMAT_HINT =
            " is no entry; write 0x, a LID, a colon and a port, after a line with the GUID of the switch";

    private final ConfLines conf;
    private final Sink sink;
    private long sw;
    private boolean isTable;

    /** A receiver of entries. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Receives an entry. Unreachable LIDs are left out.
         *
         * @param portGuid PortGUID of the destination; 0 if the line does not contain it
         */
        void entry(long switchGuid, int lid, int port, long portGuid);
    }

    public ForwardingLines(ConfLines conf, Sink sink) {
        this.conf = conf;
        this.sink = sink;
    }

    @Override
    public void accept(String line) {
        try {
            if (line.startsWith("0x")) {
                entry(line);
            } else if (line.startsWith("Multicast")) {
                isTable = false;
            } else if (line.startsWith("Unicast") || line.contains("dump_ucast_routes")) {
                LineScanner words = new LineScanner(line);
                isTable = words.skipPast(line.startsWith("Unicast") ? " guid " : "Switch ");
                sw = words.guid();
            } else if (line.startsWith("PLFT_NUM") && !line.strip().endsWith(" 0")) {
                conf.error(
                        "switches with several forwarding tables (PLFT) cannot be verified; prove a fabric without adaptive"
                                + " routing");
            }
        } catch (IllegalArgumentException e) {
            conf.error(ConfLines.quote(line) + ": " + e.getMessage());
        }
    }

    private void entry(String line) {
        if (!isTable) {
            return;
        }
        LineScanner words = new LineScanner(line);
        int lid = words.hex();
        words.skipIfNext(":");
        if (lid >= 0 && words.skipIfNext("UNREACHABLE")) {
            return;
        }
        int port = words.number(10);
        if (lid < 0 || port < 0) {
            conf.error(ConfLines.quote(line) + FORMAT_HINT);
        } else if (lid > 0) {
            sink.entry(sw, lid, port, words.skipPast("portguid ") ? words.guid() : 0);
        }
    }
}
