package io.torussm.program.table;

import java.util.HashSet;
import java.util.Set;

/**
 * The knowledge of the tables of devices over sweeps. Mutable; owner thread: the loop.
 *
 * @param devices contents of tables, by NodeGUID
 * @param unread NodeGUIDs of devices that are not completely read
 * @param halfRead NodeGUIDs of devices of which tables are unread that determine the order of the change
 * @param oneByOne NodeGUIDs of switches that reject SL2VL rows of many ports although they announce them
 */
record ReadTables(KnownDevices devices, Set<Long> unread, Set<Long> halfRead, Set<Long> oneByOne) {
    /** Creates the knowledge of no device. */
    ReadTables() {
        this(new KnownDevices(), new HashSet<>(), new HashSet<>(), new HashSet<>());
    }
}
