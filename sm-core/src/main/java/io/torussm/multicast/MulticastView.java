package io.torussm.multicast;

import io.torussm.mad.Gid;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All groups at one moment.
 *
 * @param groups by MLID, ascending
 */
public record MulticastView(List<MulticastGroup> groups) {
    /** The first multicast LID. */
    public static final int FIRST_MLID = 0xC000;

    /** No groups. */
    public static final MulticastView EMPTY = new MulticastView(List.of());

    public MulticastView {
        groups = List.copyOf(groups);
    }

    /** The group with an MGID; null if there is none. Looks through all of them. */
    public @Nullable MulticastGroup group(Gid mgid) {
        for (MulticastGroup group : groups) {
            if (group.mgid().equals(mgid)) {
                return group;
            }
        }
        return null;
    }

    /** The highest MLID in use, one less than {@link #FIRST_MLID} if there is none. */
    public int topMlid() {
        return groups.isEmpty() ? FIRST_MLID - 1 : groups.get(groups.size() - 1).mlid();
    }
}
