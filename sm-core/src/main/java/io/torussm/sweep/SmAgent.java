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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the SMPs that others send to this SM: SMInfo (IBA 14.2.5.13) and traps (IBA 14.2.5.1). Everything else is
 * dropped. Owner thread: the loop.
 */
final class SmAgent {
    private static final Logger LOG = LoggerFactory.getLogger(SmAgent.class);

    private final Consumer<MadFrame> send;
    private final long portGuid;
    private final int priority;
    private final Runnable onLinkStateChange;
    private int state = SmInfo.DISCOVERING;
    private int actCount;

    SmAgent(Consumer<MadFrame> send, long portGuid, int priority, Runnable onLinkStateChange) {
        this.send = send;
        this.portGuid = portGuid;
        this.priority = priority;
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
        repress(frame);
        LOG.info("trap {} from LID {}", notice.trapNumber(), notice.issuerLid());
        if (notice.isGeneric() && notice.trapNumber() == Notice.TRAP_LINK_STATE_CHANGE) {
            onLinkStateChange.run();
        }
    }

    /** TrapRepress: the same notice and transaction to the LID that the trap came from (IBA 14.2.4.3). */
    private void repress(MadFrame trap) {
        if (MadHeader.mgmtClass(trap.mad()) != MgmtClass.SUBN_LID) {
            return;
        }
        byte[] mad = Smp.lidRouted(
                Method.TRAP_REPRESS, MadHeader.tid(trap.mad()), Notice.TYPE.id(), 0, Smp.M_KEY.get(trap.mad(), 0));
        System.arraycopy(trap.mad(), Smp.DATA, mad, Smp.DATA, Smp.DATA_SIZE);
        send.accept(
                new MadFrame(new MadAddress(trap.peer().lid(), 0, trap.peer().sl(), 0), mad));
    }
}
