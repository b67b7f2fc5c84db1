package io.torussm.daemon.sm;

import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.recorder.SmRecorder;

/** A listener of the journal that passes events to the flight recorder, and marks errors as problems. Any thread. */
final class EventNotes implements Runnable {
    private static final String TROUBLE = "ERROR";

    private final Journal journal;
    private final SmRecorder recorder;
    private long recorded;

    EventNotes(Journal journal, SmRecorder recorder) {
        this.journal = journal;
        this.recorder = recorder;
    }

    @Override
    public synchronized void run() {
        for (Journal.Entry entry : journal.after(recorded)) {
            if (entry.number() > recorded) {
                recorded = entry.number();
                recorder.event(entry.line(), entry.level().equals(TROUBLE));
            }
        }
    }
}
