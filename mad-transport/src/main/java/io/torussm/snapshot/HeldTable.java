package io.torussm.snapshot;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/** The kinds of registers by which differences are counted; see {@link SnapshotDifference}. */
public enum HeldTable {
    /** LIDs and LMCs of end ports. */
    LID,
    /** Entries of linear forwarding tables, by LID, up to LinearFDBTop. */
    LFT,
    /** Entries of multicast forwarding tables, by MLID. */
    MFT,
    /** SL2VL rows. */
    SL2VL,
    /** Parts of VL arbitration tables. */
    VL_ARBITRATION,
    /** P_Keys, by place in their table. */
    P_KEY,
    /** GUIDs of end ports other than the first, which is burnt in. */
    GUID,
    /** The fields that PortInfo can set, except those with a kind of their own. */
    PORT_INFO,
    /** The fields that SwitchInfo can set. */
    SWITCH_INFO,
    /** MasterSMLID and MasterSMSL: they change with the master SM and do not affect packets between hosts. */
    MASTER_SM,
    /** PortState. */
    PORT_STATE;

    /** The tables that determine the paths of packets and the permission to send them. */
    public static final Set<HeldTable> TABLES =
            Collections.unmodifiableSet(EnumSet.of(LID, LFT, MFT, SL2VL, VL_ARBITRATION, P_KEY, GUID));

    /** Settings of ports and switches, reported by field. */
    public static final Set<HeldTable> SETTINGS = Collections.unmodifiableSet(EnumSet.of(PORT_INFO, SWITCH_INFO));

    /** Returns the word for people and JSON: {@code vl_arbitration}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
