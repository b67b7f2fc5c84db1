package io.torussm.daemon.sm;

import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.recorder.SmRecorder;

/** A listener of the journal that passes events to the flight recorder, and marks errors as problems. Any thread. */
final class JournalRecorder implements Runnable {
    private static final String ERROR_LEVEL = "ERROR";

    private final Journal journal;
    private final SmRecorder recorder;
    private long lastRecorded;

    JournalRecorder(Journal journal, SmRecorder recorder) {
        this.journal = journal;
        this.recorder = recorder;
    }

    @Override
    public synchronized void run() {
        for (Journal.Entry entry : journal.after(lastRecorded)) {
            if (entry.number() > lastRecorded) {
                lastRecorded = entry.number();
                recorder.recordEvent(entry.line(), entry.level().equals(ERROR_LEVEL));
            }
        }
    }
}
