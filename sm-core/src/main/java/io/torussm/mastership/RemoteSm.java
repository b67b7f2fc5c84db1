package io.torussm.mastership;

import io.torussm.mad.Guid;
import io.torussm.mad.smp.DrPath;
import org.jspecify.annotations.Nullable;

/**
 * Another subnet manager that is trusted, as of its last SMInfo.
 *
 * @param guid GUID of its port
 * @param priority 0 to 15
 * @param path directed route to it; null if it made the first contact and its route is not known
 * @param host location
 * @param isProved whether it may take over the subnet and see its keys
 */
public record RemoteSm(
        long guid, int priority, SmState state, @Nullable DrPath path, SmHost host, boolean isProved) {

    /**
     * Checks whether it should be master rather than an SM with this rank (IBA 14.4.1: priority, then the lower GUID).
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
