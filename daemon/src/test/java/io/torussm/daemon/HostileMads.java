package io.torussm.daemon;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A generator of unsolicited MADs: replays, truncated frames, responses without a request, requests and traps
 * of absent senders, noise.
 */
final class HostileMads {
    private static final int HEADER_SIZE = 24;
    private static final int TID_END = 15;
    private static final int VENDOR_CLASS = 0x09;
    private static final int MAX_ATTRIBUTE = 0x40;
    private static final int[] CLASSES = {
        MgmtClass.SUBN_LID, MgmtClass.SUBN_DIRECTED_ROUTE, MgmtClass.SUBN_ADM, VENDOR_CLASS
    };
    private static final int[] METHODS = {
        Method.GET, Method.SET, Method.TRAP, Method.TRAP_REPRESS, Method.GET_RESP, Method.GET_TABLE, Method.DELETE
    };

    private final Random random;

    HostileMads(Random random) {
        this.random = random;
    }

    /**
     * Returns another MAD.
     *
     * @param old an earlier frame for the port; null if there is none
     */
    MadFrame next(@Nullable MadFrame old) {
        MadAddress from = new MadAddress(random.nextInt(0x10000), random.nextInt(2), random.nextInt(16), 0);
        if (old != null && random.nextBoolean()) {
            return old;
        }
        return random.nextInt(4) == 0
                ? new MadFrame(from, new byte[random.nextInt(MadHeader.MAD_SIZE)])
                : new MadFrame(from, garbage(old));
    }

    private byte[] garbage(@Nullable MadFrame old) {
        byte[] mad = new byte[MadHeader.MAD_SIZE];
        random.nextBytes(mad);
        MadHeader.MGMT_CLASS.set(mad, 0, CLASSES[random.nextInt(CLASSES.length)]);
        if (old != null && random.nextBoolean()) {
            System.arraycopy(old.mad(), 0, mad, 0, HEADER_SIZE);
            mad[TID_END] ^= 0x55;
        } else if (random.nextBoolean()) {
            MadHeader.BASE_VERSION.set(mad, 0, 1);
            MadHeader.CLASS_VERSION.set(mad, 0, 1);
            MadHeader.METHOD.set(mad, 0, METHODS[random.nextInt(METHODS.length)]);
            MadHeader.ATTRIBUTE_ID.set(mad, 0, random.nextInt(MAX_ATTRIBUTE));
        }
        return mad;
    }
}
