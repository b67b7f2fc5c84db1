package io.torussm.quarantine;

/**
 * A device, one of its ports, or its multicast forwarding table.
 *
 * @param portNum port number, {@link #WHOLE} or {@link #MULTICAST}
 */
record Part(long nodeGuid, int portNum) {
    /** The port number that stands for the whole device. */
    static final int WHOLE = -1;

    /** The port number that stands for the multicast forwarding table of a switch. */
    static final int MULTICAST = -2;

    boolean isDevice() {
        return portNum == WHOLE;
    }

    boolean isMulticast() {
        return portNum == MULTICAST;
    }

    boolean isPort() {
        return portNum >= 0;
    }
}
