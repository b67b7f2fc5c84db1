package io.torussm.sweep.state;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The ports that need ClientReregister (PortInfo.ClientReregister, IBA 14.2.5.6): all ports after another SM was
 * master, and each port that is not in the published subnet. A host may not notice that its port was absent, if the
 * host's own link stayed up.
 *
 * @param isOfAllPorts whether all ports need ClientReregister
 * @param ports PortGUIDs of ports that have not confirmed ClientReregister
 */
public record Reregistration(boolean isOfAllPorts, Set<Long> ports) {
    static final Reregistration NONE = new Reregistration(false, Set.of());

    /** Returns a copy in which all ports need ClientReregister. */
    Reregistration ofAll() {
        return new Reregistration(true, ports);
    }

    /** Returns the state after ClientReregister was written; {@code unconfirmed} are the PortGUIDs without success. */
    Reregistration afterWrite(Set<Long> unconfirmed) {
        return new Reregistration(isOfAllPorts, unconfirmed);
    }

    /** Returns the state after publication, in which only unconfirmed ports need ClientReregister. */
    Reregistration afterPublication() {
        return new Reregistration(false, ports);
    }

    /**
     * Returns a check by PortGUID whether a port needs ClientReregister.
     *
     * @param published the published view; null if there is none, so that all ports need ClientReregister
     */
    public LongPredicate predicate(@Nullable PublishedView published) {
        if (isOfAllPorts || published == null) {
            return guid -> true;
        }
        Subnet subnet = published.subnet();
        Fabric fabric = subnet.fabric();
        Set<Long> present = new HashSet<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (subnet.lid(port) != 0) {
                present.add(fabric.portGuid(port));
            }
        }
        return guid -> !present.contains(guid) || ports.contains(guid);
    }
}
