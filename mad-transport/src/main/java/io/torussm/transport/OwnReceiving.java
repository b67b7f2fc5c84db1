package io.torussm.transport;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reception of responses on the loop itself while it waits for them, which saves the wake-up of a second
 * thread. It takes turns with the other tasks of the loop. Confined to the loop.
 *
 * <p>The transport's thread resumes if no request is on the wire, no MAD arrives for a moment, or another MAD
 * than a response to an SMP arrives. So load of other clients does not burden the loop.
 */
final class OwnReceiving {
    /** MADs received in one turn of the loop. */
    private static final int BATCH = 32;

    /** How long it waits for the next answer; nothing else runs on the loop meanwhile. */
    private static final int WAIT_MS = 1;

    /** Answers in a row that are taken as they come, from the thread of the transport, after something else came. */
    private static final int CAUTION = 1000;

    private final MadTransport transport;
    private final Loop loop;
    private final BooleanSupplier isWaiting;
    private final Consumer<MadFrame> accept;

    /** True while a turn runs or is queued. */
    private boolean isTurning;

    private boolean isReceiving;

    /** True if the thread of the transport was requested to pause, has not paused yet, and was not resumed. */
    private boolean isAsked;

    private int caution;
    private @Nullable MadFrame received;

    /**
     * Creates an idle receiver.
     *
     * @param isWaiting checks whether a request is on the wire
     * @param accept consumer of responses
     */
    OwnReceiving(MadTransport transport, Loop loop, BooleanSupplier isWaiting, Consumer<MadFrame> accept) {
        this.transport = transport;
        this.loop = loop;
        this.isWaiting = isWaiting;
        this.accept = accept;
    }

    /** Begins to receive on the loop, because an answer came by the thread of the transport, so more may come. */
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

    /** Takes a frame that came within {@link MadTransport#receiveHere}; any thread, false on all others. */
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
