package io.torussm.mad.smp;

import java.util.Arrays;

/** A directed route (IBA 14.2.2): the egress port of every hop, from the local port on. Immutable. */
public final class DrPath {
    /** The local node: no hop. */
    public static final DrPath LOCAL = new DrPath(new byte[0]);

    /** The most hops a directed route can have (IBA 14.2.2: HopCount 0 to 63). */
    public static final int MAX_HOPS = 63;

    private final byte[] ports;

    private DrPath(byte[] ports) {
        this.ports = ports;
    }

    /** The route with these egress ports. */
    public static DrPath of(int... egressPorts) {
        byte[] ports = new byte[egressPorts.length];
        for (int i = 0; i < ports.length; i++) {
            ports[i] = (byte) egressPorts[i];
        }
        return new DrPath(ports);
    }

    /** Reads InitialPath[1..hopCount] of an SMP. */
    static DrPath read(byte[] mad, int initialPath, int hopCount) {
        return new DrPath(Arrays.copyOfRange(mad, initialPath + 1, initialPath + 1 + hopCount));
    }

    /** This route and one more hop, out of the given port of the node that it reaches. */
    public DrPath then(int egressPort) {
        byte[] longer = Arrays.copyOf(ports, ports.length + 1);
        longer[ports.length] = (byte) egressPort;
        return new DrPath(longer);
    }

    /** Hops, 0 for the local node. */
    public int hops() {
        return ports.length;
    }

    /** The egress port of hop {@code i}, from 0. */
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
        return Arrays.hashCode(ports);
    }

    /** As infiniband-diags take it: {@code 0,1,4}; the leading 0 is the local port. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("0");
        for (byte port : ports) {
            text.append(',').append(port & 0xff);
        }
        return text.toString();
    }
}
