package io.torussm.state;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/** The reading of regular files up to a limit, even if they grow meanwhile. */
public final class BoundedFile {
    /** The path by which operators name an empty file; it is no regular file. */
    private static final Path NULL_DEVICE = Path.of("/dev/null");

    private BoundedFile() {}

    /**
     * Returns all bytes of a file.
     *
     * @param maxBytes limit, below 2^31 - 1
     * @throws TooLong if the file has more than {@code maxBytes} bytes
     * @throws IOException if the file cannot be read, or is no regular file, because a FIFO would block its reader for
     *     ever
     */
    public static byte[] bytes(Path file, long maxBytes) throws IOException {
        BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
        if (!attributes.isRegularFile() && !Files.isSameFile(file, NULL_DEVICE)) {
            throw new IOException("it is " + (attributes.isDirectory() ? "a directory" : "a device, FIFO or socket")
                    + ", name a file");
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] bytes = in.readNBytes(Math.toIntExact(maxBytes + 1));
            if (bytes.length > maxBytes) {
                throw new TooLong(maxBytes);
            }
            return bytes;
        }
    }

    /**
     * Returns the text of a file in any superset of ASCII: a character for each byte.
     *
     * @param maxBytes limit, below 2^31 - 1
     * @throws TooLong if the file has more than {@code maxBytes} bytes
     */
    public static String text(Path file, long maxBytes) throws IOException {
        return new String(bytes(file, maxBytes), StandardCharsets.ISO_8859_1);
    }

    /** The failure of a file that exceeds its limit. */
    public static final class TooLong extends IOException {
        private static final long serialVersionUID = 1;

        private TooLong(long maxBytes) {
            super("it has more than " + maxBytes + " bytes");
        }
    }
}
