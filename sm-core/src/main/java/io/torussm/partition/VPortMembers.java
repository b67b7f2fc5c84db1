package io.torussm.partition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** The virtual ports of the moment, whose P_Keys a switch must let pass at their physical port. Any thread. */
public interface VPortMembers {
    /** Returns the GUIDs of the virtual ports of a physical port, without its own; null while they are unknown. */
    @Nullable
    List<Long> guidsAt(long portGuid);
}
