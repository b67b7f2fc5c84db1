package io.torussm.daemon.opensm;

import io.torussm.alias.VPortGuids;
import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongToIntFunction;

/**
 * The LIDs of subscribers, by GUID: the base LID of a port, and for a virtual port that of its port or one of its own;
 * 0 without one.
 */
public final class SubscriberLids implements LongToIntFunction {
    private final Subnet subnet;
    private final VPortGuids vports;
    private final Map<Long, Integer> lidOfPort = new HashMap<>();

    /** Reads the LIDs of all ports. */
    public SubscriberLids(Subnet subnet, VPortGuids vports) {
        this.subnet = subnet;
        this.vports = vports;
        Fabric fabric = subnet.fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (subnet.lid(port) != 0) {
                lidOfPort.putIfAbsent(fabric.portGuid(port), subnet.lid(port));
            }
        }
    }

    @Override
    public int applyAsInt(long guid) {
        Integer lid = lidOfPort.get(guid);
        if (lid != null) {
            return lid;
        }
        int own = vports.lidOf(guid);
        if (own == 0) {
            return lidOfPort.getOrDefault(vports.portOf(guid), 0);
        }
        return subnet.guidOfLid(own) == guid ? own : 0;
    }
}
