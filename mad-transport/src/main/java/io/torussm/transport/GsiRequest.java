package io.torussm.transport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.congestion.CongestionMad;
import io.torussm.mad.firmware.FirmwareInfo;
import io.torussm.mad.perf.PerfMad;

/**
 * An unsent request to an agent behind QP1 of another port (performance management, congestion control, firmware).
 *
 * @param target port of the agent; a redirection may lead to another one
 * @param head class, method and key
 * @param value content
 * @param continuation continuation, called exactly once, on the loop of the client
 */
public record GsiRequest<A extends Attribute<A>>(MadAddress target, Head head, A value, Continuation<A> continuation) {
    /** Byte offset of the ClassPortInfo of a redirection, in a MAD of both classes. */
    static final int DATA_OFFSET = 64;

    /**
     * The fields before the content.
     *
     * @param mgmtClass management class
     * @param method Get or Set
     * @param modifier AttributeModifier
     * @param key CC_Key of congestion control; 0 for none
     */
    record Head(int mgmtClass, int method, int modifier, long key) {
        /** Returns a text without the key, which is secret. */
        @Override
        public String toString() {
            return String.format("Head[class 0x%02x, method 0x%02x, modifier 0x%x]", mgmtClass, method, modifier);
        }
    }

    /** A consumer of the outcome. */
    public interface Continuation<A> {
        /**
         * Handles the end of the transaction.
         *
         * @param outcome response or failure; status Busy if the agent was busy at every try
         * @param atNs time of the response's arrival by the clock of the loop, which may have been busy since; without
         *     a response, the current time
         */
        void ended(Outcome<A> outcome, long atNs);
    }

    /**
     * Returns a Get of performance management.
     *
     * @param value content, which selects the port
     */
    public static <A extends Attribute<A>> GsiRequest<A> perfGet(MadAddress to, A value, Continuation<A> then) {
        return new GsiRequest<>(to, new Head(MgmtClass.PERF_MGT, Method.GET, 0, 0), value, then);
    }

    /** Returns a Set of performance management. */
    public static <A extends Attribute<A>> GsiRequest<A> perfSet(MadAddress to, A value, Continuation<A> then) {
        return new GsiRequest<>(to, new Head(MgmtClass.PERF_MGT, Method.SET, 0, 0), value, then);
    }

    /**
     * Returns a request of congestion control. It follows no redirection.
     *
     * @param method Get or Set
     * @param key CC_Key; 0 for none
     * @param modifier AttributeModifier
     */
    public static <A extends Attribute<A>> GsiRequest<A> congestion(
            MadAddress to, int method, long key, int modifier, A value, Continuation<A> then) {
        return new GsiRequest<>(to, new Head(MgmtClass.CONGESTION_CONTROL, method, modifier, key), value, then);
    }

    /** Returns a Get of the class of {@link FirmwareInfo}. It is sent to no other address. */
    public static <A extends Attribute<A>> GsiRequest<A> firmwareGet(
            MadAddress to, AttributeType<A> type, Continuation<A> then) {
        return new GsiRequest<>(to, new Head(MgmtClass.MELLANOX, Method.GET, 0, 0), type.zero(), then);
    }

    AttributeType<A> type() {
        return value.type();
    }

    int mgmtClass() {
        return head.mgmtClass();
    }

    /** Checks whether a redirection may be followed: a CC_Key must not be sent to an address that a device names. */
    boolean isRedirectable() {
        return head.mgmtClass() == MgmtClass.PERF_MGT;
    }

    /** Returns the content of a response. */
    A read(byte[] mad) {
        int offset =
                switch (mgmtClass()) {
                    case MgmtClass.PERF_MGT -> PerfMad.DATA_OFFSET;
                    case MgmtClass.MELLANOX -> FirmwareInfo.dataAt(type());
                    default -> CongestionMad.dataAt(type());
                };
        return type().read(mad, offset);
    }

    /** Returns the MAD with a transaction ID. */
    byte[] mad(long tid) {
        if (mgmtClass() == MgmtClass.CONGESTION_CONTROL) {
            return CongestionMad.request(head.method(), tid, head.key(), head.modifier(), value);
        }
        boolean isOfVendor = mgmtClass() == MgmtClass.MELLANOX;
        int classVersion = isOfVendor ? FirmwareInfo.CLASS_VERSION : PerfMad.CLASS_VERSION;
        byte[] mad = MadHeader.create(mgmtClass(), classVersion, head.method(), tid, type().id(), head.modifier());
        if (!isOfVendor) {
            value.write(mad, PerfMad.DATA_OFFSET);
        }
        return mad;
    }
}
