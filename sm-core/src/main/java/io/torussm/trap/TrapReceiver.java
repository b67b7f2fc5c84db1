package io.torussm.trap;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.Smp;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The receiver of the traps that ports send to the master SM (IBA 14.2.5.1); other SMPs are dropped. Owner
 * thread: the loop.
 */
final class TrapReceiver {
    private static final Logger LOG = LoggerFactory.getLogger(TrapReceiver.class);

    /** Byte offset in the notice of trap 256 of the method of the offending MAD (IBA 14.2.5.1). */
    private static final int BAD_M_KEY_METHOD = 16;

    private final Consumer<MadFrame> send;
    private final BooleanSupplier isMaster;
    private final IntFunction<OptionalLong> repressKey;
    private final BiConsumer<MadFrame, Notice> onTrap;

    /**
     * Creates a receiver.
     *
     * @param isMaster whether this SM handles traps
     * @param repressKey by LID, the M_Key for a TrapRepress; empty if none may be sent
     * @param onTrap receives every trap after the TrapRepress
     */
    TrapReceiver(
            Consumer<MadFrame> send,
            BooleanSupplier isMaster,
            IntFunction<OptionalLong> repressKey,
            BiConsumer<MadFrame, Notice> onTrap) {
        this.send = send;
        this.isMaster = isMaster;
        this.repressKey = repressKey;
        this.onTrap = onTrap;
    }

    /** Receives an SMP of another device. */
    void receive(MadFrame frame) {
        byte[] mad = frame.mad();
        int method = MadHeader.method(mad);
        int attribute = MadHeader.attributeId(mad);
        if (attribute == Notice.TYPE.id() && method == Method.TRAP) {
            answer(frame);
        } else {
            LOG.debug(
                    "dropped SMP method 0x{} attribute 0x{} from LID {}",
                    Integer.toHexString(method),
                    Integer.toHexString(attribute),
                    frame.peer().lid());
        }
    }

    private void answer(MadFrame frame) {
        if (!isMaster.getAsBoolean()) {
            return;
        }
        Notice notice = Notice.TYPE.read(frame.mad(), Smp.DATA_OFFSET);
        if (!isAboutARepress(frame.mad(), notice)) {
            repress(frame);
        }
        onTrap.accept(frame, notice);
    }

    /**
     * Checks whether a trap is about a TrapRepress of this SM. The exchange with a port that rejects it would
     * never end.
     */
    private static boolean isAboutARepress(byte[] mad, Notice notice) {
        return notice.isGeneric()
                && notice.trapNumber() == Notice.TRAP_BAD_M_KEY
                && mad[Smp.DATA_OFFSET + BAD_M_KEY_METHOD] == Method.TRAP_REPRESS;
    }

    /**
     * Sends TrapRepress: the same notice and transaction to the LID from which the trap came (IBA 14.2.4.3).
     */
    private void repress(MadFrame trap) {
        if (MadHeader.mgmtClass(trap.mad()) != MgmtClass.SUBN_LID) {
            return;
        }
        OptionalLong mKey = repressKey.apply(trap.peer().lid());
        if (mKey.isEmpty()) {
            return;
        }
        byte[] mad =
                Smp.lidRouted(Method.TRAP_REPRESS, MadHeader.tid(trap.mad()), Notice.TYPE.id(), 0, mKey.getAsLong());
        System.arraycopy(trap.mad(), Smp.DATA_OFFSET, mad, Smp.DATA_OFFSET, Smp.DATA_SIZE);
        MadAddress from = trap.peer();
        send.accept(new MadFrame(new MadAddress(from.lid(), 0, from.sl(), 0, from.pathBits(), from.grh()), mad));
    }
}
