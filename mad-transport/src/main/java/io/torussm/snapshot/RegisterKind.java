package io.torussm.snapshot;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The kinds of registers by which {@link SnapshotDifference} counts differences. */
public enum RegisterKind {
    /** LIDs and LMCs of end ports. */
    LID,
    /** Entries of linear forwarding tables, by LID, up to LinearFDBTop. */
    LFT,
    /** Entries of multicast forwarding tables, by MLID. */
    MFT,
    /** SL2VL tables of pairs of ports. */
    SL2VL,
    /** Parts of VL arbitration tables. */
    VL_ARBITRATION,
    /** P_Keys, by index in their table. */
    P_KEY,
    /** GUIDs of end ports except the first, which the device fixes. */
    GUID,
    /** The fields that a Set of PortInfo changes, except those of another kind. */
    PORT_INFO,
    /** The fields that a Set of SwitchInfo changes. */
    SWITCH_INFO,
    /** MasterSMLID and MasterSMSL, which change with the master SM and do not affect packets between hosts. */
    MASTER_SM,
    /** PortState. */
    PORT_STATE;

    /** The tables that determine the paths of packets and the permission to send them. */
    public static final Set<RegisterKind> TABLES =
            Collections.unmodifiableSet(EnumSet.of(LID, LFT, MFT, SL2VL, VL_ARBITRATION, P_KEY, GUID));

    /** Settings of ports and switches, which are also counted by field. */
    public static final Set<RegisterKind> SETTINGS = Collections.unmodifiableSet(EnumSet.of(PORT_INFO, SWITCH_INFO));

    /** Returns the name in output and JSON, such as {@code vl_arbitration}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
