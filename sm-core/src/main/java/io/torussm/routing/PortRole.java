package io.torussm.routing;

/** What an external port of a switch is used for. */
public enum PortRole {
    /** A link between switches that carries routed traffic on all VLs of the engine. */
    FABRIC_LINK,
    /** A link to a channel adapter or router, or a port of the routed fabric with nothing behind it. */
    HOST_LINK,
    /** Not part of what was routed. */
    OTHER
}
