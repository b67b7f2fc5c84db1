package io.torussm.transport.datagram;

import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The address of a datagram socket: the bytes of a {@code sockaddr_un} or {@code sockaddr_in}. Addresses are equal if
 * their bytes are. Immutable.
 */
public final class DatagramAddress {
    /** Max bytes of an address: family and path of {@code sockaddr_un} (unix(7)). */
    static final int MAX_LENGTH = 110;

    private static final int FAMILY_BYTES = 2;
    private static final int PATH_SIZE = MAX_LENGTH - FAMILY_BYTES;
    private static final int INET_LENGTH = 16;
    private static final int INET_PORT = 2;
    private static final int INET_HOST = 4;
    private static final int INET_HOST_BYTES = 4;
    private static final boolean LITTLE_ENDIAN = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private final byte[] bytes;

    /** Creates an address of these bytes, which are not copied. */
    DatagramAddress(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns zeros, preceded by the family in native byte order. */
    private static byte[] withFamily(int family, int length) {
        byte[] bytes = new byte[length];
        bytes[LITTLE_ENDIAN ? 0 : 1] = (byte) family;
        return bytes;
    }

    /**
     * Returns the address of a socket of the UNIX domain.
     *
     * @param name absolute path, or {@code @} and a name in the abstract namespace of Linux
     * @throws IOException if the name has another form, or is too long
     */
    public static DatagramAddress unix(String name) throws IOException {
        boolean isAbstract = name.startsWith("@");
        if (!isAbstract && !name.startsWith("/")) {
            throw new IOException("\"" + name + "\" is neither an absolute path nor an abstract name (@...)");
        }
        byte[] path = (isAbstract ? '\0' + name.substring(1) : name + '\0').getBytes(StandardCharsets.UTF_8);
        if (path.length > PATH_SIZE) {
            throw new IOException("\"" + name + "\" is longer than " + (PATH_SIZE - 1) + " bytes");
        }
        byte[] bytes = withFamily(LibC.AF_UNIX, FAMILY_BYTES + path.length);
        System.arraycopy(path, 0, bytes, FAMILY_BYTES, path.length);
        return new DatagramAddress(bytes);
    }

    /**
     * Returns the address of a socket of UDP over IPv4.
     *
     * @param port port number, 0 to 65535; 0 lets the kernel choose it when a socket is bound
     * @throws IllegalArgumentException if the port is out of range
     */
    public static DatagramAddress inet(Inet4Address host, int port) {
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("UDP port " + port + "; use 0 to 65535");
        }
        byte[] bytes = withFamily(LibC.AF_INET, INET_LENGTH);
        bytes[INET_PORT] = (byte) (port >> Byte.SIZE);
        bytes[INET_PORT + 1] = (byte) port;
        System.arraycopy(host.getAddress(), 0, bytes, INET_HOST, INET_HOST_BYTES);
        return new DatagramAddress(bytes);
    }

    /** Checks whether this is a UDP address. */
    public boolean isInet() {
        return bytes.length == INET_LENGTH && bytes[LITTLE_ENDIAN ? 0 : 1] == LibC.AF_INET;
    }

    /**
     * Returns a copy of this UDP address with another port.
     *
     * @throws IllegalArgumentException if this is no UDP address, or the port is out of range
     */
    public DatagramAddress withPort(int port) {
        if (!isInet() || port < 0 || port > 0xffff) {
            throw new IllegalArgumentException(this + " with port " + port);
        }
        byte[] other = bytes.clone();
        other[INET_PORT] = (byte) (port >> Byte.SIZE);
        other[INET_PORT + 1] = (byte) port;
        return new DatagramAddress(other);
    }

    /**
     * Returns the name in the abstract namespace, without trailing zeros; null if the socket has no such name, or if
     * the name has control characters or is not UTF-8.
     */
    public @Nullable String abstractName() {
        if (isInet() || bytes.length <= FAMILY_BYTES || bytes[FAMILY_BYTES] != 0) {
            return null;
        }
        int end = bytes.length;
        while (end > FAMILY_BYTES + 1 && bytes[end - 1] == 0) {
            end--;
        }
        String name = new String(bytes, FAMILY_BYTES + 1, end - FAMILY_BYTES - 1, StandardCharsets.UTF_8);
        return name.indexOf('\uFFFD') >= 0 || name.chars().anyMatch(Character::isISOControl) ? null : name;
    }

    byte[] bytes() {
        return bytes;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof DatagramAddress that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Returns the address for display: {@code @name}, a path, {@code address:port}, or "a socket without a name". */
    @Override
    public String toString() {
        if (isInet()) {
            int port = (bytes[INET_PORT] & 0xff) << Byte.SIZE | bytes[INET_PORT + 1] & 0xff;
            return host() + ":" + port;
        }
        String name = abstractName();
        return name != null ? "@" + name : bytes.length <= FAMILY_BYTES ? "a socket without a name" : path();
    }

    private String host() {
        try {
            return InetAddress.getByAddress(Arrays.copyOfRange(bytes, INET_HOST, INET_HOST + INET_HOST_BYTES))
                    .getHostAddress();
        } catch (java.net.UnknownHostException e) {
            throw new IllegalStateException("four bytes are an address of IPv4", e);
        }
    }

    private String path() {
        StringBuilder text = new StringBuilder();
        for (int i = FAMILY_BYTES; i < bytes.length; i++) {
            char c = (char) (bytes[i] & 0xff);
            text.append(c < ' ' || c > '~' ? '?' : c);
        }
        return text.toString();
    }
}
