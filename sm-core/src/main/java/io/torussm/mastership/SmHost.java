package io.torussm.mastership;

/**
 * Where a subnet manager runs, as the agent of its port says.
 *
 * @param description NodeDescription as text; empty if it is not known
 * @param lid base LID of the port; 0 if it has none, or it is not known
 */
public record SmHost(String description, int lid) {
    /** Nothing is known of it yet. */
    public static final SmHost UNKNOWN = new SmHost("", 0);

    boolean isKnown() {
        return !description.isEmpty() && lid != 0;
    }

    /** This, and what it lacks as it was before. */
    SmHost orBefore(SmHost before) {
        return new SmHost(description.isEmpty() ? before.description : description, lid == 0 ? before.lid : lid);
    }

    /** For the operator, after a GUID. */
    @Override
    public String toString() {
        return (description.isEmpty() ? "" : " \"" + description + "\"") + (lid == 0 ? "" : ", LID " + lid);
    }
}
