package io.torussm.view;

/** The state of the active routes, as console, metrics, alerts and page show it. */
public enum RoutingState {
    /** No routes are active: no subnet is up yet, or another SM is master. */
    NONE,
    /** The active routes are those of an engine, for the present fabric. */
    ROUTED,
    /** The engine refused the fabric, and its last resort routes it. */
    DEGRADED,
    /** No engine routes the present fabric; the active routes, if any, are older. */
    REFUSED,
    /** No engine has routed the fabric yet; the active routes are the earlier tables of the switches. */
    ADOPTED,
    /** Routed, but tables or settings of devices differ from the written ones, and are not repaired yet. */
    DRIFTED
}
