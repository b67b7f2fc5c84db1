package io.torussm.torus2qos;

/**
 * Which paths lead to the LIDs of a port at an odd distance from its base LID; those at an even distance have the paths that a port
 * of one LID has. See docs/developer/adr/0009-multipath.md.
 */
public enum Multipath {
    /** The same, as in OpenSM. */
    OFF,
    /** Those that go the other way round wherever both ways are equally long. */
    SIDES,
    /** Those that do so and take the dimensions in reversed order, on VLs of their own: there is one QoS level then. */
    ORDERS;

    /** As the setting has it. */
    public static Multipath of(String word) {
        return switch (word) {
            case "sides" -> SIDES;
            case "orders" -> ORDERS;
            default -> OFF;
        };
    }
}
