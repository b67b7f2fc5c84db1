package io.torussm.sim;

/** The reasons why a packet does not arrive, in the order in which they are checked on its route. */
public enum PacketLoss {
    /** The forwarding table has no port for the DLID, or a port that the switch does not have. */
    NO_ENTRY,
    /** SL2VL maps the SL to VL 15, so that the switch discards the packet. */
    VL_15,
    /** The link is down: the cable is unplugged, or the other end has no power. */
    LINK_DOWN,
    /** The link is trained, but not ACTIVE at both ends. */
    NOT_ACTIVE,
    /** A lossy cable made the packet undecodable. */
    SPOILED,
    /** The packet arrived at an end port without the DLID. */
    WRONG_END,
    /** The packet passed more switches than the longest route has: its route is a loop. */
    LOOP
}
