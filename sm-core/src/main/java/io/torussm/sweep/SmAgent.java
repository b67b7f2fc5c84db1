package io.torussm.sweep;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the SMPs that others send to this SM: SMInfo (IBA 14.2.5.13) and traps (IBA 14.2.5.1). Everything else is
 * dropped. Owner thread: the loop.
 */
final class SmAgent {
    private static final Logger LOG = LoggerFactory.getLogger(SmAgent.class);

    /** Where the notice of trap 256 names the method of the MAD that it is about (IBA 14.2.5.1). */
    private static final int BAD_M_KEY_METHOD = 16;

    private final Consumer<MadFrame> send;
    private final long portGuid;
    private final int priority;
    private final LongSupplier mKey;
    private final IntConsumer onLinkStateChange;
    private int state = SmInfo.DISCOVERING;
    private int actCount;

    /**
     * An agent that is DISCOVERING.
     *
     * @param mKey the M_Key of ports that send traps; without it they take no TrapRepress
     * @param onLinkStateChange takes the LID of a switch
     */
    SmAgent(Consumer<MadFrame> send, long portGuid, int priority, LongSupplier mKey, IntConsumer onLinkStateChange) {
        this.send = send;
        this.portGuid = portGuid;
        this.priority = priority;
        this.mKey = mKey;
        this.onLinkStateChange = onLinkStateChange;
    }

    /** The SMState that others are told. */
    void become(int newState) {
        state = newState;
    }

    /** The SM is alive: counted once a sweep and once an answer. */
    void act() {
        actCount++;
    }

    /** This SM as others see it; the SM_Key is only for those who prove that they know it. */
    SmInfo self() {
        return SmInfo.TYPE
                .zero()
                .with(SmInfo.GUID, portGuid)
                .with(SmInfo.ACT_COUNT, Integer.toUnsignedLong(actCount))
                .with(SmInfo.PRIORITY, priority)
                .with(SmInfo.SM_STATE, state);
    }

    void receive(MadFrame frame) {
        byte[] mad = frame.mad();
        int method = MadHeader.method(mad);
        int attribute = MadHeader.attributeId(mad);
        if (attribute == SmInfo.TYPE.id() && method == Method.GET) {
            act();
            byte[] answer = answer(mad, MadStatus.OK);
            self().write(answer, Smp.DATA);
            send.accept(new MadFrame(frame.peer(), answer));
        } else if (attribute == SmInfo.TYPE.id() && method == Method.SET) {
            send.accept(new MadFrame(frame.peer(), answer(mad, MadStatus.INVALID_FIELD)));
        } else if (attribute == Notice.TYPE.id() && method == Method.TRAP) {
            onTrap(frame);
        } else {
            LOG.debug(
                    "dropped SMP method 0x{} attribute 0x{} from LID {}",
                    Integer.toHexString(method),
                    Integer.toHexString(attribute),
                    frame.peer().lid());
        }
    }

    /** The request turned round; a directed route keeps its pointers and paths, the local SMI sends it back. */
    private static byte[] answer(byte[] request, int status) {
        byte[] answer = request.clone();
        MadHeader.METHOD.set(answer, 0, Method.GET_RESP);
        MadHeader.STATUS.set(answer, 0, status);
        if (MadHeader.mgmtClass(request) == MgmtClass.SUBN_DIRECTED_ROUTE) {
            MadHeader.DIRECTION.set(answer, 0, 1);
        }
        return answer;
    }

    private void onTrap(MadFrame frame) {
        if (state != SmInfo.MASTER) {
            return;
        }
        Notice notice = Notice.TYPE.read(frame.mad(), Smp.DATA);
        if (!isAboutARepress(frame.mad(), notice)) {
            repress(frame);
        }
        LOG.info("trap {} from LID {}", notice.trapNumber(), notice.issuerLid());
        if (notice.isGeneric() && notice.trapNumber() == Notice.TRAP_LINK_STATE_CHANGE) {
            onLinkStateChange.accept(notice.issuerLid());
        }
    }

    /** A port that takes no TrapRepress of ours answers each with another trap: two parties that never stop. */
    private static boolean isAboutARepress(byte[] mad, Notice notice) {
        return notice.isGeneric()
                && notice.trapNumber() == Notice.TRAP_BAD_M_KEY
                && mad[Smp.DATA + BAD_M_KEY_METHOD] == Method.TRAP_REPRESS;
    }

    /** TrapRepress: the same notice and transaction to the LID that the trap came from (IBA 14.2.4.3). */
    private void repress(MadFrame trap) {
        if (MadHeader.mgmtClass(trap.mad()) != MgmtClass.SUBN_LID) {
            return;
        }
        byte[] mad =
                Smp.lidRouted(Method.TRAP_REPRESS, MadHeader.tid(trap.mad()), Notice.TYPE.id(), 0, mKey.getAsLong());
        System.arraycopy(trap.mad(), Smp.DATA, mad, Smp.DATA, Smp.DATA_SIZE);
        send.accept(
                new MadFrame(new MadAddress(trap.peer().lid(), 0, trap.peer().sl(), 0), mad));
    }
}
