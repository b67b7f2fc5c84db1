package io.torussm.torus2qos.discovery;

/**
 * The paths to the LIDs of a port at an odd distance from its base LID. LIDs at an even distance have the
 * paths of a port with one LID. See docs/developer/adr/0009-multipath.md.
 */
public enum Multipath {
    /** The same path as to the first LID, as in OpenSM. */
    OFF,
    /** Odd LIDs take the other direction around a ring if both ways are equally long. */
    SIDES,
    /** Odd LIDs also take the dimensions in reversed order, on VLs of their own; then there is one QoS level. */
    ORDERS;

    /** Returns the value of the setting. */
    public static Multipath of(String word) {
        return switch (word) {
            case "sides" -> SIDES;
            case "orders" -> ORDERS;
            default -> OFF;
        };
    }
}
