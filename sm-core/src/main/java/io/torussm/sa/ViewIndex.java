package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.util.Arrays;
import java.util.stream.IntStream;

/** A published view and its addressed end ports, found by GUID without allocation. */
final class ViewIndex {
    private final PublishedView view;
    private final int[] endports;
    private final long[] guids;
    private final int[] portOfGuid;

    ViewIndex(PublishedView view) {
        this.view = view;
        Subnet subnet = view.subnet();
        Fabric fabric = subnet.fabric();
        endports = IntStream.range(0, fabric.portCount())
                .filter(port -> subnet.lid(port) != 0)
                .toArray();
        portOfGuid = Arrays.stream(endports)
                .boxed()
                .sorted((a, b) -> Long.compare(fabric.portGuid(a), fabric.portGuid(b)))
                .mapToInt(Integer::intValue)
                .toArray();
        guids = Arrays.stream(portOfGuid).mapToLong(fabric::portGuid).toArray();
    }

    PublishedView view() {
        return view;
    }

    Subnet subnet() {
        return view.subnet();
    }

    Fabric fabric() {
        return view.subnet().fabric();
    }

    /** All end ports that have a LID, ascending; not to be written. */
    int[] endports() {
        return endports;
    }

    /** The end port with a GUID; {@link Fabric#NONE} if there is none. */
    int portOfGuid(long guid) {
        int at = Arrays.binarySearch(guids, guid);
        return at < 0 ? Fabric.NONE : portOfGuid[at];
    }
}
