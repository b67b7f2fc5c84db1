package io.torussm.sweep.state;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import io.torussm.view.PublishedView;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The ports that need ClientReregister (PortInfo.ClientReregister, IBA 14.2.5.6): all after another SM was
 * master, and each port that the published subnet lacks. A port may return without its host noticing the
 * absence, because the host's own link stayed up.
 *
 * @param isAll whether all ports need it
 * @param ports GUIDs of ports that have not confirmed it
 */
public record Reregistration(boolean isAll, Set<Long> ports) {
    static final Reregistration NONE = new Reregistration(false, Set.of());

    /** Returns a state in which all ports need it. */
    Reregistration ofAll() {
        return new Reregistration(true, ports);
    }

    /** Returns the state after all ports were asked; these have not confirmed it. */
    Reregistration asked(Set<Long> unconfirmed) {
        return new Reregistration(isAll, unconfirmed);
    }

    /** Returns the state after publication: the published subnet includes all asked ports. */
    Reregistration published() {
        return new Reregistration(false, ports);
    }

    /**
     * Returns a check whether a port needs it, by GUID.
     *
     * @param published null if there is none
     */
    public LongPredicate test(@Nullable PublishedView published) {
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
