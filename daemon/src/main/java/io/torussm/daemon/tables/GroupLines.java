package io.torussm.daemon.tables;

import io.torussm.conf.ConfLines;
import java.util.function.Consumer;

/**
 * The grammar of multicast forwarding tables, {@code opensm.mcfdbs} and {@code ibdiagnet2.mcfdbs}: {@code Switch
 * 0x<node GUID>}, then {@code 0x<MLID> : 0x<port> 0x<port> ..}.
 */
public final class GroupLines implements Consumer<String> {
    private static final int MAX_PORT = 255;
    private static final int FIRST_MLID = 0xc000;
    private static final int LAST_MLID = 0xfffe;

    private final ConfLines conf;
    private final Sink sink;
    private long sw;
    private boolean isKnown;

    /** A receiver of entries. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Receives an entry.
         *
         * @param ports mask of port numbers, in four words: bit p % 64 of word p / 64 is port p
         */
        void group(long switchGuid, int mlid, long[] ports);
    }

    public GroupLines(ConfLines conf, Sink sink) {
        this.conf = conf;
        this.sink = sink;
    }

    @Override
    public void accept(String line) {
        LineScanner words = new LineScanner(line);
        try {
            if (line.startsWith("0x")) {
                group(line, words);
            } else if (line.contains("Switch 0x")) {
                words.skipPast("Switch ");
                sw = words.guid();
                isKnown = true;
            } else if (!line.isBlank() && !line.startsWith("LID") && !line.startsWith("#")) {
                conf.error(
                        ConfLines.quote(line) + " is no entry; write an MLID and ports, such as 0xC000 : 0x001 0x003");
            }
        } catch (IllegalArgumentException e) {
            conf.error(ConfLines.quote(line) + ": " + e.getMessage());
        }
    }

    private void group(String line, LineScanner words) {
        int mlid = words.hex();
        boolean isEntry = mlid >= FIRST_MLID && mlid <= LAST_MLID && isKnown && words.skipIfNext(":");
        long[] ports = new long[4];
        while (isEntry && !words.isAtEnd()) {
            int port = words.hex();
            isEntry = port >= 0 && port <= MAX_PORT;
            ports[isEntry ? port >> 6 : 0] |= isEntry ? 1L << port : 0;
        }
        if (isEntry) {
            sink.group(sw, mlid, ports);
        } else {
            conf.error(ConfLines.quote(line) + " is no entry; write an MLID and ports, such as 0xC000 : 0x001 0x003");
        }
    }
}
