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
    private static final int MAX_WAIT_MS = 1;

    /**
     * Number of responses that the transport's thread receives after a MAD that is no SMP, before the loop receives
     * again.
     */
    private static final int HOLD_OFF_RESPONSES = 1000;

    private final MadTransport transport;
    private final Loop loop;
    private final BooleanSupplier isWaiting;
    private final Consumer<MadFrame> accept;

    /** True while a turn runs or is queued on the loop. */
    private boolean isTurnQueued;

    /** True within {@link MadTransport#receiveInline}. */
    private boolean isReceiving;

    /**
     * True if the pause of the transport's thread was requested, but this thread has neither paused nor been resumed.
     */
    private boolean isPauseRequested;

    /** Remaining responses of {@link #HOLD_OFF_RESPONSES}. */
    private int holdOffResponses;

    /** The SMP that arrived within {@link MadTransport#receiveInline}; null if none did. */
    private @Nullable MadFrame receivedSmp;

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
        if (holdOffResponses > 0) {
            holdOffResponses--;
        } else if (!isTurnQueued && isWaiting.getAsBoolean()) {
            isTurnQueued = true;
            loop.execute(this::receiveInTurn);
        } else if (isPauseRequested) {
            resumeReceiveThread();
        }
    }

    private void resumeReceiveThread() {
        isPauseRequested = false;
        transport.resumeReceiveThread();
    }

    /**
     * Keeps an SMP that arrived within {@link MadTransport#receiveInline}. Returns false for any other MAD, and on any
     * other thread. Any thread may call it.
     */
    boolean keepSmp(MadFrame frame, boolean isSmp) {
        if (!loop.isInLoop() || !isReceiving) {
            return false;
        }
        if (!isSmp) {
            holdOffResponses = HOLD_OFF_RESPONSES;
            return false;
        }
        receivedSmp = frame;
        return true;
    }

    private void receiveInTurn() {
        boolean hasMore = false;
        try {
            hasMore = receiveBatch();
        } finally {
            isTurnQueued = hasMore;
            if (hasMore) {
                loop.execute(this::receiveInTurn);
            } else if (!isPauseRequested) {
                resumeReceiveThread();
            }
        }
    }

    private boolean receiveBatch() {
        boolean hasMore = true;
        for (int i = 0; i < BATCH && hasMore; i++) {
            hasMore = isWaiting.getAsBoolean() && receive();
        }
        return hasMore;
    }

    private boolean receive() {
        isReceiving = true;
        MadTransport.ReceiveResult receipt;
        try {
            receipt = transport.receiveInline(MAX_WAIT_MS);
        } finally {
            isReceiving = false;
        }
        isPauseRequested = receipt == MadTransport.ReceiveResult.THREAD_STILL_RECEIVES;
        MadFrame frame = receivedSmp;
        receivedSmp = null;
        if (frame != null) {
            accept.accept(frame);
        }
        return receipt == MadTransport.ReceiveResult.RECEIVED && holdOffResponses == 0;
    }
}
