package io.torussm.transport;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The reception of responses on the loop itself while it waits for them, which saves the wake-up of a second thread.
 * Turns of reception alternate with other tasks of the loop. Confined to the loop.
 *
 * <p>The transport's thread resumes if no request is on the wire, if no MAD arrives for a moment, or if another MAD
 * than an SMP arrives. So the load of SA clients does not burden the loop.
 */
final class OwnReceiving {
    /** Max MADs received in one turn of the loop. */
    private static final int BATCH = 32;

    /** Max wait for a MAD in milliseconds, in which no other task of the loop runs. */
    private static final int WAIT_MS = 1;

    /**
     * Number of responses that the transport's thread receives after a MAD that is no SMP, before the loop receives
     * again.
     */
    private static final int CAUTION = 1000;

    private final MadTransport transport;
    private final Loop loop;
    private final BooleanSupplier isWaiting;
    private final Consumer<MadFrame> accept;

    /** True while a turn runs or is queued on the loop. */
    private boolean isTurning;

    /** True within {@link MadTransport#receiveHere}. */
    private boolean isReceiving;

    /**
     * True if the pause of the transport's thread was requested, but this thread has neither paused nor been resumed.
     */
    private boolean isAsked;

    /** Remaining responses of {@link #CAUTION}. */
    private int caution;

    /** The SMP that arrived within {@link MadTransport#receiveHere}; null if none did. */
    private @Nullable MadFrame received;

    /**
     * Creates an idle receiver.
     *
     * @param isWaiting checks whether a request is on the wire
     * @param accept consumer of received SMPs
     */
    OwnReceiving(MadTransport transport, Loop loop, BooleanSupplier isWaiting, Consumer<MadFrame> accept) {
        this.transport = transport;
        this.loop = loop;
        this.isWaiting = isWaiting;
        this.accept = accept;
    }

    /** Begins to receive on the loop after a response from the transport's thread, since more may follow. */
    void begin() {
        if (caution > 0) {
            caution--;
        } else if (!isTurning && isWaiting.getAsBoolean()) {
            isTurning = true;
            loop.execute(this::turn);
        } else if (isAsked) {
            leave();
        }
    }

    private void leave() {
        isAsked = false;
        transport.leaveReceiving();
    }

    /**
     * Keeps an SMP that arrived within {@link MadTransport#receiveHere}. Returns false for any other MAD, and on any
     * other thread. Any thread may call it.
     */
    boolean take(MadFrame frame, boolean isSmp) {
        if (!loop.inLoop() || !isReceiving) {
            return false;
        }
        if (!isSmp) {
            caution = CAUTION;
            return false;
        }
        received = frame;
        return true;
    }

    private void turn() {
        boolean hasMore = false;
        try {
            hasMore = receiveSome();
        } finally {
            isTurning = hasMore;
            if (hasMore) {
                loop.execute(this::turn);
            } else if (!isAsked) {
                leave();
            }
        }
    }

    private boolean receiveSome() {
        boolean hasMore = true;
        for (int i = 0; i < BATCH && hasMore; i++) {
            hasMore = isWaiting.getAsBoolean() && receive();
        }
        return hasMore;
    }

    private boolean receive() {
        isReceiving = true;
        MadTransport.Receipt receipt;
        try {
            receipt = transport.receiveHere(WAIT_MS);
        } finally {
            isReceiving = false;
        }
        isAsked = receipt == MadTransport.Receipt.NOT_YET;
        MadFrame frame = received;
        received = null;
        if (frame != null) {
            accept.accept(frame);
        }
        return receipt == MadTransport.Receipt.CAME && caution == 0;
    }
}
