package io.torussm.sim;

/** Why a packet did not arrive, in the order in which it is looked at on its way. */
public enum PacketLoss {
    /** The forwarding table has no port for its DLID, or one that the switch has not. */
    NO_ENTRY,
    /** SL2VL sends its SL to VL 15, by which a switch discards. */
    VL_15,
    /** The link is down: the cable is unplugged, or the other end is off. */
    LINK_DOWN,
    /** The link is trained, but not ACTIVE at both ends. */
    NOT_ACTIVE,
    /** A lossy cable spoiled it. */
    SPOILED,
    /** It came to an end that does not have its DLID. */
    WRONG_END,
    /** It passed as many switches as there are in the longest way: its route is a loop. */
    LOOP
}
