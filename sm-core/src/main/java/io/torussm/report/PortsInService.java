package io.torussm.report;

import io.torussm.fabric.Fabric;
import io.torussm.view.PublishedView;
import java.util.Arrays;
import java.util.stream.LongStream;

/** The end ports of a published subnet that have an address, by GUID. Immutable; 12 bytes for each. */
final class PortsInService {
    private final PublishedView view;

    /** Ascending. */
    private final long[] guids;

    private final int[] ports;

    PortsInService(PublishedView view) {
        this.view = view;
        Fabric fabric = view.subnet().fabric();
        long[] found = new long[fabric.portCount()];
        int count = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            if (isInService(port)) {
                found[count++] = fabric.portGuid(port);
            }
        }
        guids = Arrays.copyOf(found, count);
        Arrays.sort(guids);
        ports = new int[count];
        for (int port = 0; port < fabric.portCount(); port++) {
            if (isInService(port)) {
                ports[Arrays.binarySearch(guids, fabric.portGuid(port))] = port;
            }
        }
    }

    private boolean isInService(int port) {
        return view.subnet().fabric().isEndport(port) && view.subnet().lid(port) != 0;
    }

    PublishedView view() {
        return view;
    }

    /** Returns the port with a GUID; {@link Fabric#NONE} if there is none. */
    int port(long guid) {
        int at = Arrays.binarySearch(guids, guid);
        return at < 0 ? Fabric.NONE : ports[at];
    }

    /** Returns the GUIDs of the ports that another subnet lacks. */
    LongStream goneIn(PortsInService other) {
        return Arrays.stream(guids).filter(guid -> other.port(guid) == Fabric.NONE);
    }
}
