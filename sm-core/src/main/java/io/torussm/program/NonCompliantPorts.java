package io.torussm.program;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import java.util.HashMap;
import java.util.Map;

/**
 * Ports that accept a Set(PortInfo) and do not take all of it: what they were asked for, and what they answered. The same
 * is not asked of them again as long as they answer the same; else every sweep would write to every such port. Owner
 * thread: the loop.
 */
public final class NonCompliantPorts {
    private final Map<Key, Exchange> exchanges = new HashMap<>();

    private record Key(long nodeGuid, int portNum) {}

    private record Exchange(PortInfo wanted, PortInfo answered) {}

    private static Key key(Fabric fabric, int port) {
        return new Key(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port));
    }

    /** A port was asked for settings, and answered without an error. */
    void heard(Fabric fabric, int port, PortInfo wanted, PortInfo answered) {
        if (wanted.equals(answered)) {
            exchanges.remove(key(fabric, port));
        } else {
            exchanges.put(key(fabric, port), new Exchange(wanted, answered));
        }
    }

    /** Whether a port that is as it is now has been asked for these settings without effect. */
    boolean hasRefused(Fabric fabric, int port, PortInfo wanted, PortInfo now) {
        return new Exchange(wanted, now).equals(exchanges.get(key(fabric, port)));
    }
}
