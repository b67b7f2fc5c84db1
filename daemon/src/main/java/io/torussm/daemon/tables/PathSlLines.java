package io.torussm.daemon.tables;

import io.torussm.conf.ConfLines;
import java.util.function.Consumer;

/**
 * The grammar of SLs of paths. Lines are {@code 0x<node GUID> <LID> <SL>} in {@code opensm-path-sl.dump} and ibdmchk's
 * files. Other files have sections, so that ports of one node can differ ({@code Channel Adapter 0x<port GUID>, ..} or
 * {@code Switch 0x<GUID>, ..}, then {@code 0x<LID> : <SL>}).
 */
public final class PathSlLines implements Consumer<String> {
    private static final int LAST_SL = 15;

    private final ConfLines conf;
    private final Sink sink;
    private long source;

    /** A receiver of paths. */
    @FunctionalInterface
    public interface Sink {
        /**
         * Receives a path.
         *
         * @param guid GUID of the source: of a node, for all of its ports, or of an end port
         * @param lid LID of the destination
         * @param sl SL, 0 to 15
         */
        void path(long guid, int lid, int sl);
    }

    public PathSlLines(ConfLines conf, Sink sink) {
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
            if (words.skipIfNext("Switch ") || words.skipIfNext("Channel Adapter ")) {
                source = words.guid();
                return;
            }
            long guid = source;
            int lid = line.indexOf(':') < 0 ? -1 : words.hex();
            if (line.indexOf(':') < 0) {
                guid = words.guid();
                lid = words.number(10);
            } else {
                words.skipIfNext(":");
            }
            int sl = words.number(10);
            if (lid < 0 || sl < 0 || !words.isAtEnd()) {
                throw new IllegalArgumentException("this is no path; write a node GUID, a LID and an SL");
            } else if (sl > LAST_SL) {
                throw new IllegalArgumentException("there is no SL " + sl + "; SLs are 0 to 15");
            }
            sink.path(guid, lid, sl);
        } catch (IllegalArgumentException e) {
            conf.error(ConfLines.quote(line) + ": " + e.getMessage());
        }
    }
}
