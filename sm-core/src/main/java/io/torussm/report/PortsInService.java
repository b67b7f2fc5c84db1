package io.torussm.report;

import io.torussm.fabric.Fabric;
import io.torussm.view.PublishedView;
import java.util.Arrays;
import java.util.stream.LongStream;

/** The end ports of a published subnet that have a LID, by GUID. Immutable; 12 bytes for each port. */
final class PortsInService {
    private final PublishedView view;

    /** Port GUIDs, ascending as signed numbers. */
    private final long[] guids;

    /** [index of the GUID in {@link #guids}] port index. */
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

    /** Returns the index of the port with a GUID; {@link Fabric#NONE} without such a port. */
    int port(long guid) {
        int index = Arrays.binarySearch(guids, guid);
        return index < 0 ? Fabric.NONE : ports[index];
    }

    /** Returns the GUIDs of ports of this subnet that another subnet lacks. */
    LongStream missingIn(PortsInService other) {
        return Arrays.stream(guids).filter(guid -> other.port(guid) == Fabric.NONE);
    }
}
