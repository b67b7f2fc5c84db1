package io.torussm.transport;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.SmInfo;

/**
 * The gate through which all Sets of a client pass. It closes after a standstill of the process, because another SM may
 * be master since, and opens when this SM is known to be master. Sets of SMInfo pass always: with them SMs agree who is
 * master.
 *
 * <p>A scope that was opened before the standstill never sends a Set again, because its values may be outdated.
 *
 * <p>Confined to the client's loop, except for {@link #refuses(byte[])}.
 */
final class SetGate {
    private volatile boolean isClosed;

    /** Number of times that the gate was closed. */
    private int closings;

    /** Returns the number of times that the gate was closed; a scope keeps the number of its begin. */
    int closings() {
        return closings;
    }

    boolean isClosed() {
        return isClosed;
    }

    void close() {
        isClosed = true;
        closings++;
    }

    void open() {
        isClosed = false;
    }

    /** Checks whether a request of a scope is a Set that must not be sent. */
    boolean refuses(SmpRequest<?> request, MadScope scope) {
        return request.isSet()
                && request.type().id() != SmInfo.TYPE.id()
                && (isClosed || scope.closingsAtBegin() != closings);
    }

    /** Checks whether a MAD without a scope is a Set that must not be sent. Any thread may call it. */
    boolean refuses(byte[] mad) {
        return isClosed && MadHeader.method(mad) == Method.SET;
    }
}
