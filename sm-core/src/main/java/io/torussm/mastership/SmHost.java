package io.torussm.mastership;

/**
 * The location of a subnet manager, as read from the agent of its port.
 *
 * @param description NodeDescription as text; empty if it is not known
 * @param lid base LID of the port; 0 if it has none, or it is not known
 */
public record SmHost(String description, int lid) {
    /** An unknown location. */
    public static final SmHost UNKNOWN = new SmHost("", 0);

    boolean isKnown() {
        return !description.isEmpty() && lid != 0;
    }

    /** Returns this location, completed by a previous one. */
    SmHost orBefore(SmHost previous) {
        return new SmHost(description.isEmpty() ? previous.description : description, lid == 0 ? previous.lid : lid);
    }

    /** Returns a text for the operator that follows a GUID. */
    @Override
    public String toString() {
        return (description.isEmpty() ? "" : " \"" + description + "\"") + (lid == 0 ? "" : ", LID " + lid);
    }
}
