package io.torussm.mastership;

import java.util.Set;

/**
 * Which other subnet managers count.
 *
 * @param smKey SM_Key of this SM
 * @param trustedSmKeys other SM_Keys that are as good; if there is any, an SM must show one of them or {@code smKey}
 * @param trustedSmGuids port GUIDs of SMs; if there is any, all others are strangers
 */
public record Trust(long smKey, Set<Long> trustedSmKeys, Set<Long> trustedSmGuids) {
    public Trust {
        trustedSmKeys = Set.copyOf(trustedSmKeys);
        trustedSmGuids = Set.copyOf(trustedSmGuids);
    }

    /**
     * Why an SM is not trusted; empty if it is. Without a list of keys, an SM that shows none is taken for a friend: it
     * may hide its key because it wants to see an M_Key first.
     */
    public String objection(long guid, long shownKey) {
        if (!trustedSmGuids.isEmpty() && !trustedSmGuids.contains(guid)) {
            return "its port GUID is not among trusted_sm_guids";
        }
        if (shownKey == smKey || trustedSmKeys.contains(shownKey) || shownKey == 0 && trustedSmKeys.isEmpty()) {
            return "";
        }
        return trustedSmKeys.isEmpty()
                ? "its SM_Key is another; set the same sm_key at both, or name its key in trusted_sm_keys"
                : "it shows no SM_Key that is sm_key or among trusted_sm_keys";
    }

    /** Without the keys. */
    @Override
    public String toString() {
        return "Trust[" + trustedSmKeys.size() + " keys, " + trustedSmGuids.size() + " GUIDs]";
    }
}
