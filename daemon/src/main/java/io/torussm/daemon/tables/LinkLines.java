package io.torussm.daemon.tables;

import io.torussm.conf.ConfLines;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The grammar of links with the ports at both ends: {@code opensm-subnet.lst}, {@code ibdiagnet2.lst} and ibdmchk's.
 */
public final class LinkLines implements Consumer<String> {
    private static final String SIDE =
            "\\{\\s*(CA|SW|Rt|RT|ROUTER)(?:-SM)?\\s+Ports:(\\p{XDigit}{1,2})\\s+SystemGUID:\\S+"
                    + "\\s+NodeGUID:(\\p{XDigit}{1,16})\\s+PortGUID:(\\p{XDigit}{1,16})\\s.*?\\{(.*?)\\}\\s+LID:(\\p{XDigit}{1,4})"
                    + "\\s+PN:(\\p{XDigit}{1,2})\\s*\\}";
    private static final Pattern LINK = Pattern.compile("\\s*" + SIDE + "\\s*" + SIDE + ".*");
    private static final int GROUPS = 7; // groups of SIDE

    private final ConfLines conf;
    private final Sink sink;

    /**
     * One end of a link.
     *
     * @param ports number of external ports of the node
     * @param lid LID of the port, or of port 0 of a switch; 0 if it has no LID
     * @param portNum port number
     */
    public record LinkEnd(
            boolean isSwitch, int ports, long nodeGuid, long portGuid, String name, int lid, int portNum) {}

    /** A receiver of links. */
    @FunctionalInterface
    public interface Sink {
        /** Receives a link. Some files list a link twice, once from each end. */
        void link(LinkEnd one, LinkEnd other);
    }

    public LinkLines(ConfLines conf, Sink sink) {
        this.conf = conf;
        this.sink = sink;
    }

    @Override
    public void accept(String line) {
        Matcher link = LINK.matcher(line);
        if (link.matches()) {
            try {
                sink.link(end(link, 0), end(link, GROUPS));
            } catch (IllegalArgumentException e) {
                conf.error(String.valueOf(e.getMessage()));
            }
        } else if (!line.isBlank() && !line.startsWith("#")) {
            conf.error(ConfLines.quote(line)
                    + " is no link; it should be { CA|SW Ports:.. NodeGUID:.. {name} LID:.. PN:.. } { .. } PHY=..");
        }
    }

    private static LinkEnd end(Matcher link, int offset) {
        return new LinkEnd(
                link.group(offset + 1).equals("SW"),
                Integer.parseInt(link.group(offset + 2), 16),
                Long.parseUnsignedLong(link.group(offset + 3), 16),
                Long.parseUnsignedLong(link.group(offset + 4), 16),
                link.group(offset + 5).replaceAll("[^ -~]", "?"),
                Integer.parseInt(link.group(offset + 6), 16),
                Integer.parseInt(link.group(offset + 7), 16));
    }
}
