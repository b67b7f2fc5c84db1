package io.torussm.multicast;

import java.util.List;

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

    /** The highest MLID in use, one less than {@link #FIRST_MLID} if there is none. */
    public int topMlid() {
        return groups.isEmpty() ? FIRST_MLID - 1 : groups.get(groups.size() - 1).mlid();
    }
}
