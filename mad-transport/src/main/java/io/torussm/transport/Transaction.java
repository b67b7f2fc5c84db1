package io.torussm.transport;

import io.torussm.mad.Attribute;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.PortInfo;

/** A request from submission to its only outcome. Confined to the client's loop. */
final class Transaction<A extends Attribute<A>> extends TransactionTable.Entry {
    private static final byte[] NOT_SENT = new byte[0];

    /** The first attribute ID of vendors. */
    private static final int FIRST_VENDOR_ATTRIBUTE = 0xff00;

    final SmpRequest<A> request;
    final MadScope scope;
    final DeviceQueues.Device device;

    /** The MAD of the last try; empty before the first. */
    byte[] mad = NOT_SENT;

    /** Number of tries that the transport accepted, without those that ended with Busy. */
    int tries;

    /** True if the last try ended with status Busy. */
    boolean isBusy;

    /** Min time-out of each try to a slow device; 0 for a prompt device. */
    int minTimeoutMs;

    /** Time-out of the last try. */
    int timeoutMs;

    /** Sum of the time-outs of all tries so far. */
    long spentTimeoutMs;

    /** True if a response to the last try may still arrive. */
    boolean isOnWire;

    /** True if the wire window counts this transaction. */
    boolean isInWindow;

    /** True if the transport refused the last try. */
    boolean isRefused;

    /**
     * Times of the loop: the first try that was offered to the transport, the first and the last try that it accepted,
     * and the end of the last try.
     */
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
     * Checks whether a response has the class, attribute and modifier of this request (IBA 13.4.6.4). Some agents
     * interpret the bit for extended speeds in the modifier of PortInfo and omit it in the response.
     */
    @Override
    boolean isAnsweredBy(byte[] mad) {
        return MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                && MadHeader.attributeId(mad) == request.type().id()
                && isModifier(MadHeader.attributeModifier(mad));
    }

    /** Checks whether the attribute is a vendor's (IBA 14.2.5, 0xFF00 to 0xFFFF), which other devices may ignore. */
    boolean isOfVendor() {
        return request.type().id() >= FIRST_VENDOR_ATTRIBUTE;
    }

    private boolean isModifier(int answered) {
        int asked = request.attributeModifier();
        boolean mayLackBit = request.type().id() == PortInfo.TYPE.id();
        return answered == asked || (mayLackBit && answered == (asked & ~PortInfo.SM_SUPPORTS_EXTENDED_SPEEDS));
    }
}
