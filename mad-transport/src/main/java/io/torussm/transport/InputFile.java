package io.torussm.transport;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * The input of a command: a regular file, compressed with gzip or not. Messages of exceptions name the file and the
 * remedy.
 */
public final class InputFile {
    private static final int BUFFER = 1 << 16;
    private static final int GZIP = 0x1f8b;

    private InputFile() {}

    /**
     * Opens a file. The content may be compressed, see {@link #content}.
     *
     * @throws IOException if the file cannot be read or is no regular file: a FIFO would block its reader for ever
     */
    public static InputStream open(Path file) throws IOException {
        if (Files.exists(file) && !Files.isRegularFile(file)) {
            throw new IOException(
                    Files.isDirectory(file)
                            ? "it is a directory, name a file in it"
                            : "it is a device, FIFO or socket; write its content to a file and name that");
        }
        return Files.newInputStream(file);
    }

    /**
     * Returns the content of a stream that may be compressed with gzip.
     *
     * @param name name of the file, for messages
     * @throws IOException if the compressed data are damaged. The returned stream throws it, too, and an
     *     {@link EOFException} if the data end early
     */
    public static InputStream content(InputStream stream, String name) throws IOException {
        BufferedInputStream in = new BufferedInputStream(stream, BUFFER);
        in.mark(2);
        boolean isCompressed = isGzip(in.readNBytes(2));
        in.reset();
        return isCompressed ? unzipped(in, name) : in;
    }

    /**
     * Checks whether a file begins like gzip.
     *
     * @param head first bytes of the file
     */
    public static boolean isGzip(byte[] head) {
        return head.length >= 2 && ((head[0] & 0xff) << Byte.SIZE | head[1] & 0xff) == GZIP;
    }

    /** Returns the content of a stream that is compressed with gzip. Exceptions are those of {@link #content}. */
    public static InputStream unzipped(InputStream stream, String name) throws IOException {
        try {
            return new NamedStream(new GZIPInputStream(stream, BUFFER), name);
        } catch (ZipException e) {
            throw damagedFileError(name, e);
        } catch (EOFException e) {
            throw new IOException(name + ": it ends within its first bytes; copy or record it again", e);
        }
    }

    private static IOException damagedFileError(String name, ZipException e) {
        return new IOException(
                name + ": its compressed data are damaged (" + e.getMessage() + "); copy or record it again", e);
    }

    /** A stream that adds the name of the file to exceptions of decompression. */
    private static final class NamedStream extends FilterInputStream {
        private final String name;

        NamedStream(InputStream in, String name) {
            super(in);
            this.name = name;
        }

        @Override
        public int read() throws IOException {
            try {
                return super.read();
            } catch (ZipException e) {
                throw damagedFileError(name, e);
            }
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            try {
                return super.read(bytes, from, length);
            } catch (ZipException e) {
                throw damagedFileError(name, e);
            }
        }
    }
}
