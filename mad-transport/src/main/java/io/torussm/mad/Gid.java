package io.torussm.mad;

import org.jspecify.annotations.Nullable;

/**
 * A 128-bit global identifier (IBA 4.1.1).
 *
 * @param prefix subnet prefix, or the upper half of a multicast GID
 * @param guid port GUID, or the lower half of a multicast GID
 */
public record Gid(long prefix, long guid) {
    /** The prefix of link-local addresses, and of a subnet without another prefix. */
    public static final long DEFAULT_PREFIX = 0xfe80000000000000L;

    private static final Field PREFIX = new Field("prefix", 0, 64);
    private static final Field GUID = new Field("guid", 64, 64);

    /** Returns the GID in the 16 bytes from an offset. */
    public static Gid read(byte[] bytes, int offset) {
        return new Gid(PREFIX.get(bytes, offset), GUID.get(bytes, offset));
    }

    /** Returns the prefix of the GID in the 16 bytes from an offset. */
    public static long prefix(byte[] bytes, int offset) {
        return PREFIX.get(bytes, offset);
    }

    /** Returns the GUID of the GID in the 16 bytes from an offset. */
    public static long guid(byte[] bytes, int offset) {
        return GUID.get(bytes, offset);
    }

    /** Writes the 16 bytes of a GID from an offset. */
    public static void write(long prefix, long guid, byte[] bytes, int offset) {
        PREFIX.set(bytes, offset, prefix);
        GUID.set(bytes, offset, guid);
    }

    /** Writes the 16 bytes of this GID from an offset. */
    public void write(byte[] bytes, int offset) {
        write(prefix, guid, bytes, offset);
    }

    /** Checks whether this is the GID of a multicast group (IBA 4.1.1: first byte 0xFF). */
    public boolean isMulticast() {
        return isMulticast(prefix);
    }

    /** Checks whether a prefix is the upper half of multicast GIDs. */
    public static boolean isMulticast(long prefix) {
        return prefix >>> 56 == 0xff;
    }

    /**
     * Compares without the generated method of a record, as {@link #hashCode} does: the JVM links generated methods at
     * their first use, which costs too much time at a start.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Gid gid && gid.prefix == prefix && gid.guid == guid;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(prefix) + Long.hashCode(guid);
    }

    @Override
    public String toString() {
        return Guid.format(prefix) + ":" + Guid.format(guid).substring(2);
    }
}
