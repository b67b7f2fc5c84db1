package io.torussm.transport;

import io.torussm.mad.Attribute;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.PortInfo;

/** One request from submission to its only outcome. Confined to the client's loop. */
final class Transaction<A extends Attribute<A>> extends TransactionTable.Entry {
    private static final byte[] NOT_SENT = new byte[0];

    private static final int FIRST_OF_VENDORS = 0xff00;

    final SmpRequest<A> request;
    final MadScope scope;
    final DeviceQueues.Device device;
    byte[] mad = NOT_SENT;

    /** Tries that the transport took. */
    int tries;

    /** True if the last try was answered with status Busy. */
    boolean isBusy;

    /** How long each try is waited for at least; 0 if the device is not known to be late. */
    int leastWaitMs;

    /** How long the last try is waited for, and all so far together. */
    int timeoutMs;

    long waitedMs;

    /** True if the last try may still be answered. */
    boolean isOnWire;

    /** True if the window counts this transaction. */
    boolean takesRoom;

    /** True if the transport refused the last try. */
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

    /**
     * Checks class, attribute and modifier (IBA 13.4.6.4). Some agents interpret the bit for extended speeds
     * in the modifier of PortInfo and omit it in the response.
     */
    @Override
    boolean isAnsweredBy(byte[] mad) {
        return MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                && MadHeader.attributeId(mad) == request.type().id()
                && isModifier(MadHeader.attributeModifier(mad));
    }

    /** Checks for a vendor's attribute (IBA 14.2.5, 0xFF00 to 0xFFFF), which a device without it may ignore. */
    boolean isOfVendor() {
        return request.type().id() >= FIRST_OF_VENDORS;
    }

    private boolean isModifier(int answered) {
        int asked = request.attributeModifier();
        boolean mayLackBit = request.type().id() == PortInfo.TYPE.id();
        return answered == asked || (mayLackBit && answered == (asked & ~PortInfo.SM_SUPPORTS_EXTENDED_SPEEDS));
    }
}
