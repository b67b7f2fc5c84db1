package io.torussm.multicast;

import io.torussm.mad.Gid;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * All multicast groups at one moment. Immutable.
 *
 * @param groups groups by ascending MLID
 * @param inherited PortGUIDs of the ports to which entries of a previous master SM forward, by MLID; the groups of
 *     these entries are unknown
 */
public record MulticastView(List<MulticastGroup> groups, SortedMap<Integer, Set<Long>> inherited) {
    /** The first multicast LID. */
    public static final int FIRST_MLID = 0xC000;

    /** The view without groups. */
    public static final MulticastView EMPTY = new MulticastView(List.of());

    public MulticastView {
        groups = List.copyOf(groups);
        inherited = Collections.unmodifiableSortedMap(new TreeMap<>(inherited));
    }

    /** Creates a view without inherited entries. */
    public MulticastView(List<MulticastGroup> groups) {
        this(groups, new TreeMap<>());
    }

    /** Returns the group with an MGID; null if there is none. Searches all groups. */
    public @Nullable MulticastGroup group(Gid mgid) {
        for (MulticastGroup group : groups) {
            if (group.mgid().equals(mgid)) {
                return group;
            }
        }
        return null;
    }

    /** Returns the highest MLID in use; {@link #FIRST_MLID} - 1 if no MLID is in use. */
    public int topMlid() {
        int none = FIRST_MLID - 1;
        int top = groups.isEmpty() ? none : groups.get(groups.size() - 1).mlid();
        return Math.max(top, inherited.isEmpty() ? none : inherited.lastKey());
    }
}
