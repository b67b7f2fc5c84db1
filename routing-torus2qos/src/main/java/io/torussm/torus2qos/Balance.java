package io.torussm.torus2qos;

/** How paths between switches on opposite sides of a ring are shared out between its two ways. */
public enum Balance {
    /** As OpenSM: none crosses the dateline. */
    OFF,
    /** Over both ways alike, as far as the VLs allow; see {@link ShortWay}. */
    TIES
}
