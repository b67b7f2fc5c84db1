package io.torussm.mad.smp;

import java.util.Arrays;

/** A directed route (IBA 14.2.2): the egress port of each of its 0 to 63 hops, from the local port on. Immutable. */
public final class DrPath {
    /** The local node: no hop. */
    public static final DrPath LOCAL = new DrPath(new byte[0]);

    /** The most hops a directed route can have (IBA 14.2.2: HopCount 0 to 63). */
    public static final int MAX_HOPS = 63;

    private final byte[] ports;
    private final int hash;

    private DrPath(byte[] ports) {
        if (ports.length > MAX_HOPS) {
            throw new IllegalArgumentException(
                    "a directed route has at most " + MAX_HOPS + " hops, not " + ports.length);
        }
        this.ports = ports;
        this.hash = Arrays.hashCode(ports);
    }

    /**
     * Returns the route with these egress ports.
     *
     * @throws IllegalArgumentException if there are more than 63, or one is not in 0 to 255
     */
    public static DrPath of(int... egressPorts) {
        byte[] ports = new byte[egressPorts.length];
        for (int i = 0; i < ports.length; i++) {
            ports[i] = checked(egressPorts[i]);
        }
        return new DrPath(ports);
    }

    /** Reads InitialPath[1..hopCount] of an SMP. */
    static DrPath read(byte[] mad, int initialPath, int hopCount) {
        return new DrPath(Arrays.copyOfRange(mad, initialPath + 1, initialPath + 1 + hopCount));
    }

    /**
     * Returns this route and one more hop, out of the given port of the node that it reaches.
     *
     * @throws IllegalArgumentException if this route has {@link #MAX_HOPS} already, or the port is not in 0 to 255
     */
    public DrPath then(int egressPort) {
        byte[] longer = Arrays.copyOf(ports, ports.length + 1);
        longer[ports.length] = checked(egressPort);
        return new DrPath(longer);
    }

    /**
     * Returns this route without its last hop.
     *
     * @throws IllegalStateException if it has none
     */
    public DrPath parent() {
        if (ports.length == 0) {
            throw new IllegalStateException("the local node has no parent");
        }
        return new DrPath(Arrays.copyOf(ports, ports.length - 1));
    }

    /** Returns the number of hops, 0 for the local node. */
    public int hops() {
        return ports.length;
    }

    /** Returns the egress port of hop {@code i}, from 0. */
    public int port(int i) {
        return ports[i] & 0xff;
    }

    void write(byte[] mad, int initialPath) {
        System.arraycopy(ports, 0, mad, initialPath + 1, ports.length);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof DrPath path && Arrays.equals(ports, path.ports);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    private static byte checked(int port) {
        if (port < 0 || port > 0xff) {
            throw new IllegalArgumentException("no port number: " + port);
        }
        return (byte) port;
    }

    /** Formats the route as infiniband-diags take it: {@code 0,1,4}; the leading 0 is the local port. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("0");
        for (byte port : ports) {
            text.append(',').append(port & 0xff);
        }
        return text.toString();
    }
}
