package io.torussm.transport;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The loop receives by itself while it waits for answers: an answer need not wake one thread that wakes another. It takes turns with
 * everything else that the loop has to do, and leaves receiving to the thread of the transport as soon as nothing is on the wire, nothing
 * comes for a moment, or something comes that is no answer to an SMP: the load of others is not the loop's. Confined to the loop.
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

    /** Whether a turn runs or is to come. */
    private boolean isTurning;

    private boolean isReceiving;

    /** Whether the thread of the transport was asked to stand aside, is not yet, and was not told to go on. */
    private boolean isAsked;

    private int caution;
    private @Nullable MadFrame received;

    /**
     * Receives nothing yet.
     *
     * @param isWaiting whether any request is on the wire
     * @param accept takes an answer
     */
    OwnReceiving(MadTransport transport, Loop loop, BooleanSupplier isWaiting, Consumer<MadFrame> accept) {
        this.transport = transport;
        this.loop = loop;
        this.isWaiting = isWaiting;
        this.accept = accept;
    }

    /** An answer came by the thread of the transport, so more may come. */
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
        boolean goesOn = false;
        try {
            goesOn = receiveSome();
        } finally {
            isTurning = goesOn;
            if (goesOn) {
                loop.execute(this::turn);
            } else if (!isAsked) {
                leave();
            }
        }
    }

    private boolean receiveSome() {
        boolean goesOn = true;
        for (int i = 0; i < BATCH && goesOn; i++) {
            goesOn = isWaiting.getAsBoolean() && receive();
        }
        return goesOn;
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
