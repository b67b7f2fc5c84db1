package io.torussm.view;

/** What rules the subnet, in the words of console, metrics, alerts and page. */
public enum RoutingState {
    /** No routes are in force: no subnet is up yet, or another SM is master. */
    NONE,
    /** The routes in force are those of an engine, for the fabric as it is. */
    ROUTED,
    /** The engine refused the fabric, and its last resort routes it. */
    DEGRADED,
    /** No engine routes the fabric as it is; the routes in force, if there are any, are older. */
    REFUSED,
    /** No engine has routed the fabric yet, or will: the routes in force are those that the switches held. */
    ADOPTED,
    /** As routed, but devices were found to have other tables or settings than were written to them, and are not mended yet. */
    DRIFTED
}
