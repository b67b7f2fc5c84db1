package io.torussm.event;

import io.torussm.mad.Guid;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The fields of events. A field has the same name and unit in texts, in JSON and in journald. */
public enum EventField {
    /** A node's or port's GUID, as {@code 0x} and 16 digits; taken as a {@code Long}. */
    GUID,
    /** A LID, decimal. */
    LID,
    /** A port number as on the wire, 0 for a switch itself. */
    PORT,
    /** A device, a port, or a file as people call it. */
    NAME,
    /** The place of a switch in its torus. */
    COORDINATES,
    /** Where a node stands, as the site map has it: row, rack, unit. */
    SITE,
    /** The label of the cable at a port, from the site map. */
    CABLE,
    /** How many. */
    COUNT,
    /** A file or a directory; with a colon and the line, where there is one. */
    FILE,
    /** Another subnet manager, or another member of the replication. */
    PEER,
    /** Why, in words. */
    REASON,
    /** A finding, in words. */
    TEXT,
    /** The reaction, in words. */
    ACTION,
    /** The number of a trap, or the device ID of a vendor's notice. */
    TRAP,
    /** A P_Key or Q_Key, in hex; never an M_Key or SM_Key. */
    KEY,
    /** The LID or name of the other end. */
    DESTINATION,
    /** The component that reports. */
    REPORTER,
    /** A multicast GID. */
    MGID,
    /** A multicast LID, in hex. */
    MLID,
    /** A service level, 0 to 15. */
    SL,
    /** The service levels that may be used instead. */
    ALLOWED,
    /** An attribute ID, in hex. */
    ATTRIBUTE,
    /** An adapter and its port. */
    DEVICE,
    /** An address and a port of IP. */
    ADDRESS,
    /** The author of a request: a name and a role of {@code https_users}, or a user of this host. */
    USER,
    /** The number of a sweep. */
    SWEEP,
    /** The state of a subnet manager. */
    STATE,
    /** The term of a mastership. */
    TERM,
    /** A level of the log. */
    LEVEL,
    /** The name of a thread. */
    THREAD,
    /** How often something was tried. */
    TRIES,
    /** A time in milliseconds. */
    MILLISECONDS,
    /** A time in seconds. */
    SECONDS,
    /** Hosts that went. */
    GONE,
    /** Hosts that came back. */
    BACK;

    private final String key = name().toLowerCase(Locale.ROOT);

    /** Returns the name in templates and in JSON. */
    public String key() {
        return key;
    }

    /**
     * Returns the field with a value.
     *
     * @param value made a text only when it is shown; an exception may have no message, which shows as null
     */
    public Value of(@Nullable Object value) {
        return new Value(this, value);
    }

    /** A field and its value. */
    public record Value(EventField field, @Nullable Object value) {
        /** Returns the name that is shown. */
        public String text() {
            return field == GUID && value instanceof Long guid ? Guid.format(guid) : String.valueOf(value);
        }
    }
}
