package io.torussm.mad.smp;

import java.util.Arrays;

/** A directed route (IBA 14.2.2): the egress port of each of its 0 to 63 hops, from the local port on. Immutable. */
public final class DrPath {
    /** The route to the local node, without hops. */
    public static final DrPath LOCAL = new DrPath(new byte[0]);

    /** Max number of hops of a directed route (IBA 14.2.2: HopCount 0 to 63). */
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
     * @throws IllegalArgumentException if there are more than 63 ports, or a port is not in 0 to 255
     */
    public static DrPath of(int... egressPorts) {
        byte[] ports = new byte[egressPorts.length];
        for (int i = 0; i < ports.length; i++) {
            ports[i] = checked(egressPorts[i]);
        }
        return new DrPath(ports);
    }

    /**
     * Returns the route in InitialPath[1..hopCount] of an SMP.
     *
     * @param initialPath byte offset of InitialPath[0]
     * @param hopCount number of hops, at most 63
     */
    static DrPath read(byte[] mad, int initialPath, int hopCount) {
        return new DrPath(Arrays.copyOfRange(mad, initialPath + 1, initialPath + 1 + hopCount));
    }

    /**
     * Returns this route extended by a hop.
     *
     * @param egressPort port of the node at the end of this route, 0 to 255
     * @throws IllegalArgumentException if this route has {@link #MAX_HOPS} already, or the port is not in 0 to 255
     */
    public DrPath withHop(int egressPort) {
        byte[] longer = Arrays.copyOf(ports, ports.length + 1);
        longer[ports.length] = checked(egressPort);
        return new DrPath(longer);
    }

    /**
     * Returns this route without its last hop.
     *
     * @throws IllegalStateException if this route has no hop
     */
    public DrPath parent() {
        if (ports.length == 0) {
            throw new IllegalStateException("the local node has no parent");
        }
        return new DrPath(Arrays.copyOf(ports, ports.length - 1));
    }

    /** Returns the number of hops; 0 for the local node. */
    public int hops() {
        return ports.length;
    }

    /** Returns the egress port of hop {@code i}, from 0. Hop 0 leaves the local node. */
    public int port(int i) {
        return ports[i] & 0xff;
    }

    /**
     * Writes the route to InitialPath[1..hopCount] of an SMP.
     *
     * @param initialPath byte offset of InitialPath[0]
     */
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

    /** Returns the route as infiniband-diags accept it, such as {@code 0,1,4}. The leading 0 is the local port. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("0");
        for (byte port : ports) {
            text.append(',').append(port & 0xff);
        }
        return text.toString();
    }
}
