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

    /** Whether the last try was answered with status Busy. */
    boolean isBusy;

    /** How long each try is waited for at least; 0 if the device is not known to be late. */
    int leastWaitMs;

    /** How long the last try is waited for, and all so far together. */
    int timeoutMs;

    long waitedMs;

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

    /**
     * Same class, attribute and modifier (IBA 13.4.6.4). Some agents understand the bit of PortInfo's modifier that stands for
     * extended speeds, and leave it out of the answer.
     */
    @Override
    boolean isAnsweredBy(byte[] mad) {
        return MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                && MadHeader.attributeId(mad) == request.type().id()
                && isModifier(MadHeader.attributeModifier(mad));
    }

    /** Whether the attribute is defined by a vendor (IBA 14.2.5, 0xFF00 to 0xFFFF): a device without it need not answer. */
    boolean isOfVendor() {
        return request.type().id() >= FIRST_OF_VENDORS;
    }

    private boolean isModifier(int answered) {
        int asked = request.attributeModifier();
        boolean mayLackBit = request.type().id() == PortInfo.TYPE.id();
        return answered == asked || mayLackBit && answered == (asked & ~PortInfo.SM_SUPPORTS_EXTENDED_SPEEDS);
    }
}
