package io.torussm.daemon.sm;

import io.torussm.daemon.assembly.LiveSettings;
import io.torussm.daemon.config.files.GeneratedKeys;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateSuccessor;
import io.torussm.transport.Loop;
import java.util.function.Consumer;

/**
 * The generated keys. They are read at the start, changed on request of an operator, and taken over from the
 * master by a standby. New keys are effective once they are on the disk. Owner thread: sm.
 */
final class KeyRing implements StateSuccessor<GeneratedKeys> {
    private static final EventLog EVENTS = EventLog.of(KeyRing.class);

    private final StateDirectory state;
    private final LiveSettings settings;
    private final Loop sm;
    private Runnable changeListener = () -> {};

    /** Reads the keys of a state directory, which are effective from now on. */
    KeyRing(StateDirectory state, LiveSettings settings, Loop sm) {
        this.state = state;
        this.settings = settings;
        this.sm = sm;
        settings.useGeneratedKeys(
                state.read(GeneratedKeys.FILE, new GeneratedKeys.KeyLines()).orElse(GeneratedKeys.NONE));
        state.register(GeneratedKeys.FILE, GeneratedKeys.KeyLines::new, this);
    }

    /** Sets the listener that programs changed keys. */
    void setChangeListener(Runnable newListener) {
        changeListener = newListener;
    }

    /**
     * Writes new keys, then makes them effective. If the new keys cannot be written, writes the previous keys again,
     * since a peer may already have the new keys.
     *
     * @param next keys to write
     * @param then receiver of the result, called on the loop: true if the new keys are effective
     */
    void change(GeneratedKeys next, Consumer<Boolean> then) {
        GeneratedKeys previous = settings.keys();
        state.write(
                GeneratedKeys.FILE,
                next::lines,
                isWritten -> sm.execute(() -> {
                    if (isWritten) {
                        activate(next);
                    } else {
                        state.write(GeneratedKeys.FILE, previous::lines);
                    }
                    then.accept(isWritten);
                }));
    }

    private void activate(GeneratedKeys next) {
        settings.useGeneratedKeys(next);
        settings.reportKeys();
        EVENTS.report(
                SmEvent.KEYS_CHANGED, EventField.ACTION.of(next.hasKeys() ? "new keys are" : "no generated keys are"));
        changeListener.run();
    }

    @Override
    public void replace(GeneratedKeys adopted) {
        if (!adopted.equals(settings.keys())) {
            activate(adopted);
        }
    }

    /**
     * Takes over the keys of the master. Ports are programmed with these, not with the keys at the start of this SM.
     */
    @Override
    public void complete(GeneratedKeys adopted) {
        state.write(GeneratedKeys.FILE, adopted::lines);
        replace(adopted);
    }
}
