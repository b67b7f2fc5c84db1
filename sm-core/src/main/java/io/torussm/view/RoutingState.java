package io.torussm.view;

/** The state of the active routes. The console, metrics, alerts and the page use these names. */
public enum RoutingState {
    /** No routes are active: no subnet is up yet, or another SM is master. */
    NONE,
    /** An engine made the active routes for the current fabric. */
    ROUTED,
    /** The engine refused the fabric, and a last resort made the active routes. */
    DEGRADED,
    /** No engine routes the current fabric; active routes, if any, are retained. */
    REFUSED,
    /** No engine has routed the fabric yet; the active routes are the tables that were read from the switches. */
    ADOPTED,
    /**
     * An engine made the active routes, but tables or settings of devices differ from the written ones and are not
     * yet repaired.
     */
    DRIFTED
}
