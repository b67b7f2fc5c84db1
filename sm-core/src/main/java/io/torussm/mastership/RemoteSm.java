package io.torussm.mastership;

import io.torussm.mad.Guid;
import io.torussm.mad.smp.DrPath;
import org.jspecify.annotations.Nullable;

/**
 * Another subnet manager that is trusted, as it showed itself last.
 *
 * @param guid GUID of its port
 * @param priority 0 to 15
 * @param path the way to it; null if it spoke first and its way is not known
 * @param host where it runs
 * @param isProved whether it may be handed the subnet and see keys of it
 */
public record RemoteSm(
        long guid, int priority, SmState state, @Nullable DrPath path, SmHost host, boolean isProved) {

    /** Whether it should be master rather than an SM with this rank (IBA 14.4.1: priority, then the lower GUID). */
    public boolean outranks(int otherPriority, long otherGuid) {
        return priority != otherPriority ? priority > otherPriority : Long.compareUnsigned(guid, otherGuid) < 0;
    }

    /** For the operator. */
    @Override
    public String toString() {
        return "port GUID " + Guid.format(guid) + host + ", priority " + priority + ", " + state;
    }
}
