package io.torussm.mastership;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The criteria for trust in other subnet managers.
 *
 * @param smKey SM_Key of this SM
 * @param trustedSmKeys other accepted SM_Keys. If the set is not empty, an SM must show one of them or {@code smKey};
 *     if it contains 0, an SM may also show no SM_Key
 * @param trustedSmGuids PortGUIDs of trusted SMs; if the set is not empty, all other SMs are untrusted
 */
public record Trust(long smKey, Set<Long> trustedSmKeys, Set<Long> trustedSmGuids) {
    /** The default SM_Key, also of OpenSM. */
    private static final long DEFAULT_KEY = 1;

    public Trust {
        trustedSmKeys = Collections.unmodifiableSet(new LinkedHashSet<>(trustedSmKeys));
        trustedSmGuids = Collections.unmodifiableSet(new LinkedHashSet<>(trustedSmGuids));
    }

    /**
     * Returns the reason why an SM is not trusted; empty if it is trusted. Without a list of keys, an SM that shows no
     * SM_Key is trusted, because it may hide its key until it sees an M_Key.
     *
     * @param guid PortGUID of the SM
     * @param shownKey SM_Key in its SMInfo; 0 if it shows none
     */
    public String objection(long guid, long shownKey) {
        if (!isPermitted(guid)) {
            return "its port GUID is not among trusted_sm_guids";
        }
        if (isAccepted(shownKey) || (shownKey == 0 && (trustedSmKeys.isEmpty() || trustedSmKeys.contains(0L)))) {
            return "";
        }
        return trustedSmKeys.isEmpty()
                ? "its SM_Key is another; set the same sm_key at both, or name its key in trusted_sm_keys"
                : "it shows no SM_Key that is sm_key or among trusted_sm_keys";
    }

    /** Checks whether the SM_Key of this SM is no secret: 0 or the default. */
    public boolean isKeyPublic() {
        return smKey == 0 || smKey == DEFAULT_KEY;
    }

    /** Checks whether {@code trustedSmGuids} contains the PortGUID of an SM. */
    boolean containsGuid(long guid) {
        return trustedSmGuids.contains(guid);
    }

    /**
     * Checks whether a shown SM_Key proves that an SM belongs to the subnet: it is accepted, and neither 0 nor the
     * default, which any program may use.
     */
    boolean isProof(long shownKey) {
        return shownKey != 0 && shownKey != DEFAULT_KEY && isAccepted(shownKey);
    }

    private boolean isAccepted(long shownKey) {
        return shownKey == smKey || (shownKey != 0 && trustedSmKeys.contains(shownKey));
    }

    /** Checks whether {@code trustedSmGuids} permits the SM with a PortGUID. */
    boolean isPermitted(long guid) {
        return trustedSmGuids.isEmpty() || trustedSmGuids.contains(guid);
    }

    /**
     * Returns the reason why an SM may not send SubnSet(SMInfo); empty if it may. This request must show an SM_Key,
     * because no known SM hides its key there.
     */
    String objectionToSet(long guid, long shownKey) {
        return isPermitted(guid) && !isAccepted(shownKey)
                ? "it sends SubnSet(SMInfo) without the SM_Key"
                : objection(guid, shownKey);
    }

    /** Returns a text without the keys. */
    @Override
    public String toString() {
        return "Trust[" + trustedSmKeys.size() + " keys, " + trustedSmGuids.size() + " GUIDs]";
    }
}
