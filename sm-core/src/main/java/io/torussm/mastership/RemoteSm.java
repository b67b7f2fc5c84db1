package io.torussm.mastership;

import io.torussm.mad.Guid;
import io.torussm.mad.smp.DrPath;
import org.jspecify.annotations.Nullable;

/**
 * Another subnet manager that is trusted, as its last SMInfo describes it. Immutable.
 *
 * @param guid PortGUID
 * @param priority priority, 0 to 15
 * @param state state of the SM
 * @param path directed route to the SM; null if only the SM has sent a request, and the route is unknown
 * @param host location of the SM
 * @param isProved whether the SM may take over the subnet and see keys
 */
public record RemoteSm(
        long guid, int priority, SmState state, @Nullable DrPath path, SmHost host, boolean isProved) {

    /**
     * Checks whether this SM has a higher rank than an SM with a priority and PortGUID (IBA 14.4.1: the higher
     * priority, then the lower GUID).
     */
    public boolean outranks(int otherPriority, long otherGuid) {
        return priority != otherPriority ? priority > otherPriority : Long.compareUnsigned(guid, otherGuid) < 0;
    }

    /** Returns a text for the operator. */
    @Override
    public String toString() {
        return "port GUID " + Guid.format(guid) + host + ", priority " + priority + ", " + state;
    }
}
