package io.torussm.mad;

import org.jspecify.annotations.Nullable;

/**
 * A 128-bit global identifier (IBA 4.1.1).
 *
 * @param prefix the subnet prefix, or the upper half of a multicast GID
 * @param guid the port GUID, or the lower half of a multicast GID
 */
public record Gid(long prefix, long guid) {
    /** The prefix of a subnet to which no other was given, and of link-local addresses. */
    public static final long DEFAULT_PREFIX = 0xfe80000000000000L;

    private static final Field PREFIX = new Field("prefix", 0, 64);
    private static final Field GUID = new Field("guid", 64, 64);

    /** Reads 16 bytes. */
    public static Gid read(byte[] bytes, int offset) {
        return new Gid(PREFIX.get(bytes, offset), GUID.get(bytes, offset));
    }

    /** Returns the prefix of 16 bytes. */
    public static long prefix(byte[] bytes, int offset) {
        return PREFIX.get(bytes, offset);
    }

    /** Returns the GUID of 16 bytes. */
    public static long guid(byte[] bytes, int offset) {
        return GUID.get(bytes, offset);
    }

    /** Writes a GID, 16 bytes. */
    public static void write(long prefix, long guid, byte[] bytes, int offset) {
        PREFIX.set(bytes, offset, prefix);
        GUID.set(bytes, offset, guid);
    }

    /** Writes 16 bytes. */
    public void write(byte[] bytes, int offset) {
        write(prefix, guid, bytes, offset);
    }

    /** Checks whether the GID names a multicast group (IBA 4.1.1: first byte 0xFF). */
    public boolean isMulticast() {
        return isMulticast(prefix);
    }

    /** Checks whether GIDs with this prefix name multicast groups. */
    public static boolean isMulticast(long prefix) {
        return prefix >>> 56 == 0xff;
    }

    /**
     * Compares by hand, as does {@link #hashCode}. The JVM links the generated methods of a record at their
     * first use, which costs too much time at a start.
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
