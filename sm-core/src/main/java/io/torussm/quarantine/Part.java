package io.torussm.quarantine;

/** A device, a port of it, or its multicast forwarding table. */
record Part(long nodeGuid, int portNum) {
    static final int WHOLE = -1;
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
