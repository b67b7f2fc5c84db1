package io.torussm.mastership;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.transport.MadFrame;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/** The SMInfo of this SM. Owner thread: the loop, except for {@link #smInfo}. */
final class OwnSmInfo {
    private final Supplier<Mastership> state;
    private final Supplier<Trust> trust;
    private final LongPredicate opensPort;
    private final Consumer<MadFrame> send;
    private final AtomicInteger actCount = new AtomicInteger();

    /**
     * Creates an SMInfo with ActCount 0.
     *
     * @param opensPort checks an M_Key: true if the own port has it, or may have it during a change of keys
     * @param send sends answers
     */
    OwnSmInfo(Supplier<Mastership> state, Supplier<Trust> trust, LongPredicate opensPort, Consumer<MadFrame> send) {
        this.state = state;
        this.trust = trust;
        this.opensPort = opensPort;
        this.send = send;
    }

    /** Increments SMInfo.ActCount. */
    void incrementActCount() {
        actCount.incrementAndGet();
    }

    /** Checks whether a request carries the M_Key of the own port. */
    boolean isOpenTo(MadFrame frame) {
        return opensPort.test(Smp.M_KEY.get(frame.mad(), 0));
    }

    /** Checks whether the own port has an M_Key. */
    boolean hasMKey() {
        return !opensPort.test(0);
    }

    /**
     * Sends a request back as a response with the SMInfo of this SM. In a directed-route SMP, hop pointer and paths
     * stay as they are, because the local SMI reverses the route.
     *
     * @param status MAD status
     * @param isProved whether the sender may see a secret SM_Key
     */
    void answer(MadFrame frame, int status, boolean isProved) {
        incrementActCount();
        byte[] mad = frame.mad().clone();
        MadHeader.METHOD.set(mad, 0, Method.GET_RESP);
        MadHeader.STATUS.set(mad, 0, status);
        if (MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE) {
            MadHeader.DIRECTION.set(mad, 0, 1);
        }
        smInfo(state.get().shownState(), isProved || trust.get().isKeyPublic()).write(mad, Smp.DATA_OFFSET);
        send.accept(new MadFrame(frame.peer(), mad));
    }

    /** Returns the SMInfo of this SM with a state, with or without the SM_Key. May be called from any thread. */
    SmInfo smInfo(SmState shownState, boolean withKey) {
        Mastership current = state.get();
        return SmInfo.TYPE
                .zero()
                .with(SmInfo.GUID, current.guid())
                .with(SmInfo.SM_KEY, withKey ? trust.get().smKey() : 0)
                .with(SmInfo.ACT_COUNT, Integer.toUnsignedLong(actCount.get()))
                .with(SmInfo.PRIORITY, current.priority())
                .with(SmInfo.SM_STATE, shownState.code());
    }
}
