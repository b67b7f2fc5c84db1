package io.torussm.sim.serve;

import io.torussm.transport.datagram.DatagramEndpoint;
import java.util.ArrayDeque;

/**
 * The MADs that wait until their receiver has room. They are packed into datagrams when they are sent. Confined to the
 * loop.
 */
final class MadOutbox {
    private final int maxMads;
    private final int madsPerDatagram;
    private final ArrayDeque<byte[]> mads = new ArrayDeque<>();

    /** Datagrams that the receiver has not accepted yet, at most {@link DatagramEndpoint#BATCH}. */
    private final ArrayDeque<byte[]> packedDatagrams = new ArrayDeque<>();

    /** Number of MADs in the packed datagrams. */
    private int packedMads;

    private long sent;

    /**
     * Creates an empty outbox.
     *
     * @param max max number of waiting MADs
     * @param perDatagram max number of MADs in a datagram, 1 to {@link MadDatagram#MAX_MADS}
     */
    MadOutbox(int max, int perDatagram) {
        this.maxMads = max;
        this.madsPerDatagram = perDatagram;
    }

    /** Adds a datagram with one MAD. Returns false if the outbox is full. */
    boolean add(byte[] mad) {
        if (mads.size() + packedMads >= maxMads) {
            return false;
        }
        mads.add(mad);
        return true;
    }

    /** Sends waiting datagrams until the receiver accepts no more. */
    DatagramEndpoint.SendResult flush(DatagramEndpoint socket) {
        while (true) {
            DatagramEndpoint.SendResult outcome = socket.send(packedDatagrams);
            if (outcome != DatagramEndpoint.SendResult.ALL) {
                return outcome;
            }
            sent += packedMads;
            packedMads = 0;
            if (mads.isEmpty()) {
                return outcome;
            }
            pack();
        }
    }

    /** Packs waiting MADs into datagrams, at most one batch. */
    private void pack() {
        while (packedDatagrams.size() < DatagramEndpoint.BATCH && !mads.isEmpty()) {
            int count = Math.min(madsPerDatagram, mads.size());
            packedMads += count;
            if (count == 1) {
                packedDatagrams.add(mads.remove());
                continue;
            }
            byte[] datagram = new byte[count * MadDatagram.LENGTH];
            for (int i = 0; i < count; i++) {
                System.arraycopy(mads.remove(), 0, datagram, i * MadDatagram.LENGTH, MadDatagram.LENGTH);
            }
            packedDatagrams.add(datagram);
        }
    }

    /** Returns the number of MADs that the receiver has accepted. */
    long sent() {
        return sent;
    }

    void clear() {
        mads.clear();
        packedDatagrams.clear();
        packedMads = 0;
    }
}
