package io.torussm.daemon.replica;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * A message from one SM to its peers. On the wire, big-endian:
 *
 * <pre>
 *  0  "TSMR"
 *  4  format, 1
 *  5  flags: bit 0 sender is master, bit 1 request for the peer's versions
 *  6  length of the name, 0 to 40; the name, [a-z0-9-]
 *     subnet prefix, 8 bytes; term, 8; number, 8; length of the content, 4; the content
 * </pre>
 *
 * @param isMaster true if the sender is master
 * @param isReportRequested true if the sender lacks the report of a connected peer, so that all receivers must report
 *     again
 * @param subnetPrefix prefix of the subnet of the sender
 * @param name name of the file; empty if the message reports the versions of the sender
 * @param version version of the file; if the name is empty, the newest version of all files of the sender
 * @param content content of the file; if the name is empty, the versions of the sender; never changed
 */
@SuppressWarnings("ArrayRecordComponent") // not compared
record ReplicaMessage(
        boolean isMaster,
        boolean isReportRequested,
        long subnetPrefix,
        String name,
        FileVersion version,
        byte[] content) {
    static final int FORMAT = 1;

    /** Max length of a file that is sent or received. */
    static final int MAX_CONTENT_BYTES = 64 << 20;

    /**
     * Name of a message whose content is the port GUID of the sender, 8 bytes. Its version is {@link
     * FileVersion#NONE}, so an older program drops the message as a file that is not newer.
     */
    static final String PORT = "sm-port";

    private static final int MAGIC = 0x5453_4d52;
    private static final int MASTER_FLAG = 1;
    private static final int REQUEST_FLAG = 2;
    private static final int HEADER_BYTES = 4 + 1 + 1 + 1 + 3 * Long.BYTES + Integer.BYTES;
    private static final Pattern NAME = Pattern.compile("[a-z0-9-]{0,40}");

    /** The error of bytes that are no message. The text is the reason. */
    static final class Malformed extends Exception {
        private static final long serialVersionUID = 1;

        Malformed(String message) {
            super(message);
        }
    }

    /** Creates the message with the port GUID of an SM. */
    static ReplicaMessage port(long subnetPrefix, long portGuid) {
        byte[] content = ByteBuffer.allocate(Long.BYTES).putLong(portGuid).array();
        return new ReplicaMessage(false, false, subnetPrefix, PORT, FileVersion.NONE, content);
    }

    /** Checks whether the content is a port GUID. */
    boolean isPort() {
        return name.equals(PORT) && content.length == Long.BYTES;
    }

    /** Returns the port GUID; only valid if {@link #isPort}. */
    long portGuid() {
        return ByteBuffer.wrap(content).getLong();
    }

    byte[] encode() {
        byte[] nameBytes = name.getBytes(StandardCharsets.US_ASCII);
        return ByteBuffer.allocate(HEADER_BYTES + nameBytes.length + content.length)
                .putInt(MAGIC)
                .put((byte) FORMAT)
                .put((byte) ((isMaster ? MASTER_FLAG : 0) | (isReportRequested ? REQUEST_FLAG : 0)))
                .put((byte) nameBytes.length)
                .put(nameBytes)
                .putLong(subnetPrefix)
                .putLong(version.term())
                .putLong(version.number())
                .putInt(content.length)
                .put(content)
                .array();
    }

    static ReplicaMessage decode(byte[] bytes) throws Malformed {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        try {
            if (in.getInt() != MAGIC) {
                throw new Malformed("it does not come from a torus-sm");
            }
            int format = in.get();
            if (format != FORMAT) {
                throw new Malformed("it has format " + format + ", this program reads format " + FORMAT
                        + "; let both SMs run the same version of torus-sm");
            }
            int flags = in.get();
            byte[] name = take(in, in.get() & 0xff);
            long prefix = in.getLong();
            FileVersion version = new FileVersion(in.getLong(), in.getLong());
            byte[] content = take(in, in.getInt());
            String text = new String(name, StandardCharsets.US_ASCII);
            if (in.hasRemaining() || !NAME.matcher(text).matches()) {
                throw new Malformed("it is damaged");
            }
            return new ReplicaMessage(
                    (flags & MASTER_FLAG) != 0, (flags & REQUEST_FLAG) != 0, prefix, text, version, content);
        } catch (BufferUnderflowException e) {
            throw new Malformed("it ends too early");
        } catch (IllegalArgumentException e) {
            throw new Malformed("it is damaged: " + e.getMessage());
        }
    }

    private static byte[] take(ByteBuffer in, int length) throws Malformed {
        if (length < 0 || length > MAX_CONTENT_BYTES || length > in.remaining()) {
            throw new Malformed("a length in it is wrong");
        }
        byte[] taken = new byte[length];
        in.get(taken);
        return taken;
    }

    @Override
    public String toString() {
        return (name.isEmpty() ? "announcement" : name) + " " + version + (isMaster ? " of a master" : "")
                + (isReportRequested ? ", asks" : "");
    }
}
