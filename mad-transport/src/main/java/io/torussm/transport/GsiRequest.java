package io.torussm.transport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.congestion.CongestionMad;
import io.torussm.mad.perf.PerfMad;

/**
 * A request to an agent behind QP1 of another port (performance management or congestion control) before it
 * is sent.
 *
 * @param to port of the agent; a redirection may lead to another
 * @param head class, method and key
 * @param value content
 * @param then continuation, called exactly once, on the loop of the client
 */
public record GsiRequest<A extends Attribute<A>>(MadAddress to, Head head, A value, Continuation<A> then) {
    /** Byte offset of the ClassPortInfo of a redirection, in a MAD of either class. */
    static final int DATA = 64;

    /**
     * What precedes the content.
     *
     * @param mgmtClass management class
     * @param method Get or Set
     * @param modifier AttributeModifier
     * @param key CC_Key of congestion control; 0 for none
     */
    record Head(int mgmtClass, int method, int modifier, long key) {
        /** Omits the key. */
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
         * @param outcome how; of an agent that was busy with every try, status Busy
         * @param atNs when the answer came in, by the clock of the loop, which may have been busy since;
         *     without an answer, now
         */
        void ended(Outcome<A> outcome, long atNs);
    }

    /** Returns a Get of performance management. The value selects the port. */
    public static <A extends Attribute<A>> GsiRequest<A> perfGet(MadAddress to, A value, Continuation<A> then) {
        return new GsiRequest<>(to, new Head(MgmtClass.PERF_MGT, Method.GET, 0, 0), value, then);
    }

    /** Returns a Set of performance management. */
    public static <A extends Attribute<A>> GsiRequest<A> perfSet(MadAddress to, A value, Continuation<A> then) {
        return new GsiRequest<>(to, new Head(MgmtClass.PERF_MGT, Method.SET, 0, 0), value, then);
    }

    /**
     * Returns a request of congestion control. It is sent to no other address.
     *
     * @param method Get or Set
     * @param key CC_Key; 0 for none
     * @param modifier AttributeModifier
     */
    public static <A extends Attribute<A>> GsiRequest<A> congestion(
            MadAddress to, int method, long key, int modifier, A value, Continuation<A> then) {
        return new GsiRequest<>(to, new Head(MgmtClass.CONGESTION_CONTROL, method, modifier, key), value, then);
    }

    AttributeType<A> type() {
        return value.type();
    }

    int mgmtClass() {
        return head.mgmtClass();
    }

    /** Checks whether a redirection may be followed. A key must not leave for an address that a device names. */
    boolean isRedirectable() {
        return head.mgmtClass() == MgmtClass.PERF_MGT;
    }

    /** Returns the content of a response. */
    A read(byte[] mad) {
        return type().read(mad, isRedirectable() ? PerfMad.DATA : CongestionMad.dataAt(type()));
    }

    /** Returns the MAD with a transaction ID. */
    byte[] mad(long tid) {
        if (!isRedirectable()) {
            return CongestionMad.request(head.method(), tid, head.key(), head.modifier(), value);
        }
        byte[] mad = MadHeader.create(
                head.mgmtClass(), PerfMad.CLASS_VERSION, head.method(), tid, type().id(), head.modifier());
        value.write(mad, PerfMad.DATA);
        return mad;
    }
}
