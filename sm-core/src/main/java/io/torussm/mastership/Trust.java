package io.torussm.mastership;

import java.util.Set;

/**
 * Which other subnet managers count.
 *
 * @param ownKey SM_Key of this SM
 * @param keys other SM_Keys that are as good; if there is any, an SM must show one of them or {@code ownKey}
 * @param guids port GUIDs of SMs; if there is any, all others are strangers
 */
public record Trust(long ownKey, Set<Long> keys, Set<Long> guids) {
    public Trust {
        keys = Set.copyOf(keys);
        guids = Set.copyOf(guids);
    }

    /**
     * Why an SM is not trusted; empty if it is. Without a list of keys, an SM that shows none is taken for a friend: it
     * may hide its key because it wants to see an M_Key first.
     */
    public String objection(long guid, long shownKey) {
        if (!guids.isEmpty() && !guids.contains(guid)) {
            return "its port GUID is not among trusted_sm_guids";
        }
        if (shownKey == ownKey || keys.contains(shownKey) || shownKey == 0 && keys.isEmpty()) {
            return "";
        }
        return keys.isEmpty()
                ? "its SM_Key is another; set the same sm_key at both, or name its key in trusted_sm_keys"
                : "it shows no SM_Key that is sm_key or among trusted_sm_keys";
    }

    /** Without the keys. */
    @Override
    public String toString() {
        return "Trust[" + keys.size() + " keys, " + guids.size() + " GUIDs]";
    }
}
