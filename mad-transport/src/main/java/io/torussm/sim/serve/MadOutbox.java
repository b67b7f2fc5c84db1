package io.torussm.sim.serve;

import io.torussm.transport.datagram.DatagramEndpoint;
import java.util.ArrayDeque;

/** MADs that wait for their peer to read them, and are packed into datagrams when it does. Confined to the loop. */
final class MadOutbox {
    private final int max;
    private final int perDatagram;
    private final ArrayDeque<byte[]> mads = new ArrayDeque<>();

    /** Packed, and not yet taken by the peer: one batch at most. */
    private final ArrayDeque<byte[]> packed = new ArrayDeque<>();

    private int inPacked;
    private long sent;

    /**
     * Creates an empty outbox.
     *
     * @param max maximum number of waiting MADs
     * @param perDatagram number of MADs in a datagram that the peer understands, 1 to {@link MadDatagram#MOST}
     */
    MadOutbox(int max, int perDatagram) {
        this.max = max;
        this.perDatagram = perDatagram;
    }

    /** Adds a datagram of one MAD; false if there is no room. */
    boolean add(byte[] mad) {
        if (mads.size() + inPacked >= max) {
            return false;
        }
        mads.add(mad);
        return true;
    }

    /** Sends waiting datagrams until the peer accepts no more. */
    DatagramEndpoint.Sent flush(DatagramEndpoint socket) {
        while (true) {
            DatagramEndpoint.Sent outcome = socket.send(packed);
            if (outcome != DatagramEndpoint.Sent.ALL) {
                return outcome;
            }
            sent += inPacked;
            inPacked = 0;
            if (mads.isEmpty()) {
                return outcome;
            }
            pack();
        }
    }

    private void pack() {
        while (packed.size() < DatagramEndpoint.BATCH && !mads.isEmpty()) {
            int count = Math.min(perDatagram, mads.size());
            inPacked += count;
            if (count == 1) {
                packed.add(mads.remove());
                continue;
            }
            byte[] datagram = new byte[count * MadDatagram.LENGTH];
            for (int i = 0; i < count; i++) {
                System.arraycopy(mads.remove(), 0, datagram, i * MadDatagram.LENGTH, MadDatagram.LENGTH);
            }
            packed.add(datagram);
        }
    }

    /** Returns the number of MADs that the peer has taken. */
    long sent() {
        return sent;
    }

    void clear() {
        mads.clear();
        packed.clear();
        inPacked = 0;
    }
}
