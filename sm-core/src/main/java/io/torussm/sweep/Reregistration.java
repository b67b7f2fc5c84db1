package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Who owes a registration with the SA and is to be asked for it (PortInfo.ClientReregister, IBA 14.2.5.6): everybody after
 * another SM was master, and every port that the published subnet does not have. A port may come back without that its host
 * knows that it was away, because its own link stayed up.
 *
 * @param isAll whether everybody is
 * @param ports GUIDs of ports that were to be asked and have not confirmed it
 */
record Reregistration(boolean isAll, Set<Long> ports) {
    static final Reregistration NONE = new Reregistration(false, Set.of());

    /** Everybody is to be asked. */
    Reregistration ofAll() {
        return new Reregistration(true, ports);
    }

    /** Everybody was asked; these have not confirmed it. */
    Reregistration asked(Set<Long> unconfirmed) {
        return new Reregistration(isAll, unconfirmed);
    }

    /** What is published has everybody who was asked. */
    Reregistration published() {
        return new Reregistration(false, ports);
    }

    /**
     * Whether a port is to be asked, by GUID.
     *
     * @param published null if nothing is
     */
    LongPredicate test(@Nullable PublishedView published) {
        if (isAll || published == null) {
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
