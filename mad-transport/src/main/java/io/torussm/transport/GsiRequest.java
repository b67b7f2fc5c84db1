package io.torussm.transport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.congestion.CongestionInfo;
import io.torussm.mad.congestion.CongestionMad;
import io.torussm.mad.perf.PerfMad;

/**
 * A request to an agent behind QP1 of another port (performance management or congestion control) before it
 * is sent. AttributeModifier is 0.
 *
 * @param to port of the agent; a redirection may lead to another
 * @param mgmtClass management class and its version
 * @param method Get or Set
 * @param value content at {@link #DATA}
 * @param then continuation, called exactly once, on the loop of the client
 */
public record GsiRequest<A extends Attribute<A>>(
        MadAddress to, int mgmtClass, int classVersion, int method, A value, Continuation<A> then) {
    /** Byte offset of the attribute in a MAD of either class. */
    public static final int DATA = 64;

    /** A consumer of the outcome. */
    public interface Continuation<A> {
        /**
         * The transaction has ended.
         *
         * @param outcome how; of an agent that was busy with every try, status Busy
         * @param atNs when the answer came in, by the clock of the loop, which may have been busy since;
         *     without an answer, now
         */
        void ended(Outcome<A> outcome, long atNs);
    }

    /** Returns a Get of performance management. The value selects the port. */
    public static <A extends Attribute<A>> GsiRequest<A> perfGet(MadAddress to, A value, Continuation<A> then) {
        return new GsiRequest<>(to, MgmtClass.PERF_MGT, PerfMad.CLASS_VERSION, Method.GET, value, then);
    }

    /** Returns a Set of performance management. */
    public static <A extends Attribute<A>> GsiRequest<A> perfSet(MadAddress to, A value, Continuation<A> then) {
        return new GsiRequest<>(to, MgmtClass.PERF_MGT, PerfMad.CLASS_VERSION, Method.SET, value, then);
    }

    /** Returns a Get of CongestionInfo. */
    public static GsiRequest<CongestionInfo> congestionInfo(MadAddress to, Continuation<CongestionInfo> then) {
        return new GsiRequest<>(
                to,
                MgmtClass.CONGESTION_CONTROL,
                CongestionMad.CLASS_VERSION,
                Method.GET,
                CongestionInfo.TYPE.zero(),
                then);
    }

    AttributeType<A> type() {
        return value.type();
    }

    /** Returns the MAD with a transaction ID. */
    byte[] mad(long tid) {
        byte[] mad = MadHeader.create(mgmtClass, classVersion, method, tid, type().id(), 0);
        value.write(mad, DATA);
        return mad;
    }
}
