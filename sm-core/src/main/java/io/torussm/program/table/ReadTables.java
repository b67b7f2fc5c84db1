package io.torussm.program.table;

import java.util.HashSet;
import java.util.Set;

/**
 * The known tables of devices, from sweep to sweep. Mutable; owner thread: the loop.
 *
 * @param devices contents of tables, by NodeGUID
 * @param unread NodeGUIDs of devices whose tables {@link LateReading} reads after the subnet is published
 * @param partlyRead NodeGUIDs of devices with unread tables that determine the order of the change
 * @param withoutWildcards NodeGUIDs of switches that do not comply with a Set of SL2VL rows for many ports, although
 *     they announce support
 */
record ReadTables(KnownDevices devices, Set<Long> unread, Set<Long> partlyRead, Set<Long> withoutWildcards) {
    /** Creates an instance without known tables. */
    ReadTables() {
        this(new KnownDevices(), new HashSet<>(), new HashSet<>(), new HashSet<>());
    }
}
