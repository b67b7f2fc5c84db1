package io.torussm.mastership;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Which other subnet managers count.
 *
 * @param smKey SM_Key of this SM
 * @param trustedSmKeys other SM_Keys that are as good; if there is any, an SM must show one of them or {@code smKey}, or none
 *     if 0 is among them
 * @param trustedSmGuids port GUIDs of SMs; if there is any, all others are strangers
 */
public record Trust(long smKey, Set<Long> trustedSmKeys, Set<Long> trustedSmGuids) {
    /** What SMs have for an SM_Key, OpenSM too, until an operator sets another. */
    private static final long DEFAULT_KEY = 1;

    public Trust {
        trustedSmKeys = Collections.unmodifiableSet(new LinkedHashSet<>(trustedSmKeys));
        trustedSmGuids = Collections.unmodifiableSet(new LinkedHashSet<>(trustedSmGuids));
    }

    /**
     * Why an SM is not trusted; empty if it is. Without a list of keys, an SM that shows none is taken for a friend: it
     * may hide its key because it wants to see an M_Key first.
     */
    public String objection(long guid, long shownKey) {
        if (!isListed(guid)) {
            return "its port GUID is not among trusted_sm_guids";
        }
        if (isAccepted(shownKey) || shownKey == 0 && (trustedSmKeys.isEmpty() || trustedSmKeys.contains(0L))) {
            return "";
        }
        return trustedSmKeys.isEmpty()
                ? "its SM_Key is another; set the same sm_key at both, or name its key in trusted_sm_keys"
                : "it shows no SM_Key that is sm_key or among trusted_sm_keys";
    }

    /** Whether everybody knows the SM_Key of this SM. */
    public boolean isKeyPublic() {
        return smKey == 0 || smKey == DEFAULT_KEY;
    }

    /** Checks whether the operator has listed the SM at a port by its GUID. */
    boolean names(long guid) {
        return trustedSmGuids.contains(guid);
    }

    /** Checks whether a shown SM_Key proves that an SM belongs to the subnet: a key that any host may know proves nothing. */
    boolean isProof(long shownKey) {
        return shownKey != 0 && shownKey != DEFAULT_KEY && isAccepted(shownKey);
    }

    private boolean isAccepted(long shownKey) {
        return shownKey == smKey || shownKey != 0 && trustedSmKeys.contains(shownKey);
    }

    /** Whether the SM at a port is one of those that may be trusted. */
    boolean isListed(long guid) {
        return trustedSmGuids.isEmpty() || trustedSmGuids.contains(guid);
    }

    /** Why an SM may make no demands by SubnSet; empty if it may. None that this SM knows hides its key there. */
    String objectionToDemand(long guid, long shownKey) {
        return isListed(guid) && !isAccepted(shownKey)
                ? "it sends SubnSet(SMInfo) without the SM_Key"
                : objection(guid, shownKey);
    }

    /** Without the keys. */
    @Override
    public String toString() {
        return "Trust[" + trustedSmKeys.size() + " keys, " + trustedSmGuids.size() + " GUIDs]";
    }
}
