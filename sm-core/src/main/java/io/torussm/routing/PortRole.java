package io.torussm.routing;

/** The use of an external port of a switch. */
public enum PortRole {
    /** A link between switches that carries routed traffic on all VLs of the engine. */
    FABRIC_LINK,
    /** A link to a channel adapter or router, or a port of the routed fabric without a peer. */
    HOST_LINK,
    /** A port outside the routed fabric. */
    OTHER
}
