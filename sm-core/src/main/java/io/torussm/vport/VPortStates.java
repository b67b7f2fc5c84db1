package io.torussm.vport;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The vports of a port that exist, as its table of states has them. Immutable.
 *
 * @param byIndex by VPortIndex, ascending: the state, coded as PortState, from INITIALIZE to ACTIVE
 * @param limitReason reason why the table was not read to its end; empty if it was
 */
record VPortStates(Map<Integer, Integer> byIndex, String limitReason) {
    VPortStates {
        byIndex = Collections.unmodifiableMap(new LinkedHashMap<>(byIndex)); // Map.copyOf would lose the order
    }
}
