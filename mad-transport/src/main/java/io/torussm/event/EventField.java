package io.torussm.event;

import io.torussm.mad.Guid;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The fields of events. A field has the same name and unit in texts, in JSON and in journald. */
public enum EventField {
    /** The GUID of a node or port, as {@code 0x} and 16 digits. The value is a {@code Long}. */
    GUID,
    /** A LID, decimal. */
    LID,
    /** A port number; 0 for port 0 of a switch. */
    PORT,
    /** The name of a device, a port, or a file for operators. */
    NAME,
    /** The coordinates of a switch in its torus. */
    COORDINATES,
    /** The place of a node in the site map: row, rack, unit. */
    SITE,
    /** The label of the cable at a port in the site map. */
    CABLE,
    /** A number of things. */
    COUNT,
    /** A file or directory, followed by a colon and the line if it is known. */
    FILE,
    /** Another subnet manager, or another member of the replication. */
    PEER,
    /** A reason in words. */
    REASON,
    /** A finding in words. */
    TEXT,
    /** The reaction in words. */
    ACTION,
    /** The number of a trap, or the device ID of a vendor's notice. */
    TRAP,
    /** A P_Key or Q_Key in hexadecimal; never an M_Key or SM_Key. */
    KEY,
    /** The LID or name of a destination. */
    DESTINATION,
    /** The component that reports. */
    REPORTER,
    /** A multicast GID. */
    MGID,
    /** A multicast LID in hexadecimal. */
    MLID,
    /** A service level, 0 to 15. */
    SL,
    /** The service levels that are permitted instead. */
    ALLOWED,
    /** An attribute ID in hexadecimal. */
    ATTRIBUTE,
    /** An adapter and its port. */
    DEVICE,
    /** An IP address and port. */
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
    /** A number of tries. */
    TRIES,
    /** A time in milliseconds. */
    MILLISECONDS,
    /** A time in seconds. */
    SECONDS,
    /** A number or list of hosts that left. */
    GONE,
    /** A number or list of hosts that returned. */
    BACK,
    /** A number of blocks of tables that were written. */
    BLOCKS,
    /** A number of ports that became ACTIVE. */
    ACTIVATED,
    /** A number of SMPs that were sent. */
    SMPS;

    private final String key = name().toLowerCase(Locale.ROOT);

    /** Returns the name in templates and JSON, in lower case. */
    public String key() {
        return key;
    }

    /**
     * Returns the field with a value.
     *
     * @param value value, converted to text only when it is shown; null is shown as "null"
     */
    public Value of(@Nullable Object value) {
        return new Value(this, value);
    }

    /** A field and its value. */
    public record Value(EventField field, @Nullable Object value) {
        /** Returns the value as text. A GUID has {@code 0x} and 16 digits. */
        public String text() {
            return field == GUID && value instanceof Long guid ? Guid.format(guid) : String.valueOf(value);
        }
    }
}
