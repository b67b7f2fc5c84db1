package io.torussm.transport;

import io.torussm.mad.Attribute;

/** One request from submission to its only outcome. Confined to the client's loop. */
final class Transaction<A extends Attribute<A>> {
    private static final byte[] NOT_SENT = new byte[0];

    final SmpRequest<A> request;
    final MadScope scope;
    final DeviceQueues.Device device;
    byte[] mad = NOT_SENT;

    /** Lower 32 bits of the transaction ID, while it has a slot. */
    long tid;

    /** Its place in {@link TransactionTable}; negative while it has none. */
    int slot = -1;

    /** Tries that the transport took. */
    int tries;

    /** Whether the last try was answered with status Busy. */
    boolean isBusy;

    /** Whether any try was: then a later answer shows no loss. */
    boolean wasBusy;

    /** Whether the last of them may still be answered. */
    boolean isOnWire;

    /** Whether the window counts it. */
    boolean takesRoom;

    /** Whether the transport refused the last attempt. */
    boolean isRefused;

    long startedNs;
    long firstSentNs;
    long sentNs;
    long deadlineNs;

    Transaction(SmpRequest<A> request, MadScope scope, DeviceQueues.Device device) {
        this.request = request;
        this.scope = scope;
        this.device = device;
    }
}
