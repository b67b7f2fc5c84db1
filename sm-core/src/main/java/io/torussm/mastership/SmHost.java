package io.torussm.mastership;

/**
 * The location of a subnet manager, as read from the agent of its port.
 *
 * @param description NodeDescription as text; empty if it is unknown
 * @param lid base LID of the port; 0 if the port has none, or it is unknown
 */
public record SmHost(String description, int lid) {
    /** An unknown location. */
    public static final SmHost UNKNOWN = new SmHost("", 0);

    boolean isKnown() {
        return !description.isEmpty() && lid != 0;
    }

    /** Returns a copy whose unknown parts are taken from a previous location. */
    SmHost orPrevious(SmHost previous) {
        return new SmHost(description.isEmpty() ? previous.description : description, lid == 0 ? previous.lid : lid);
    }

    /** Returns a text for the operator that follows a GUID. */
    @Override
    public String toString() {
        return (description.isEmpty() ? "" : " \"" + description + "\"") + (lid == 0 ? "" : ", LID " + lid);
    }
}
