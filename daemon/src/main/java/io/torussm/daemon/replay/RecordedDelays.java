package io.torussm.daemon.replay;

import io.torussm.recording.Entry;
import io.torussm.recording.NoteKind;
import io.torussm.recording.Recording;
import io.torussm.transport.Loop;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The recorded durations of background tasks, in the order of submission. A task that is not in the recording takes no
 * time. A task whose end was not recorded never ends if a later task is recorded.
 */
final class RecordedDelays {
    private static final int WORDS = 3;
    private static final long NEVER = Long.MAX_VALUE / 4;

    /** Durations in order of submission, by letter of the place. */
    private final Map<Character, List<Long>> delays = new HashMap<>();

    RecordedDelays(Recording recording) {
        Map<Character, NavigableMap<Integer, Task>> byNumber = new HashMap<>();
        recording.notes(NoteKind.TASK).forEach(note -> take(note, byNumber));
        long beginNs = recording.isFromStart() ? Long.MIN_VALUE : recording.beginNs();
        byNumber.forEach((where, numbered) -> delays.put(where, inOrder(numbered, beginNs)));
    }

    /**
     * A recorded task.
     *
     * @param handedOverNs time of submission; approximate, because the note may have waited for other notes
     * @param delayNs duration
     */
    private record Task(long handedOverNs, long delayNs) {}

    /**
     * Returns the durations in order of submission, without the tasks that were submitted before the begin of the
     * recording.
     */
    private static List<Long> inOrder(NavigableMap<Integer, Task> numbered, long beginNs) {
        int first = numbered.firstKey();
        for (Map.Entry<Integer, Task> each : numbered.entrySet()) {
            if (each.getValue().handedOverNs() < beginNs) {
                first = each.getKey() + 1;
            }
        }
        List<Long> inOrder = new ArrayList<>();
        for (int number = first; number <= numbered.lastKey(); number++) {
            Task task = numbered.get(number);
            inOrder.add(task == null ? NEVER : task.delayNs());
        }
        return inOrder;
    }

    private static void take(Entry.Note note, Map<Character, NavigableMap<Integer, Task>> byNumber) {
        String[] words = note.text().split(" ", -1);
        if (words.length != WORDS || words[0].length() != 1) {
            return;
        }
        try {
            long delayNs = Math.max(0, Long.parseLong(words[2]));
            byNumber.computeIfAbsent(words[0].charAt(0), any -> new TreeMap<>())
                    .put(Integer.parseInt(words[1]), new Task(note.timeNs() - delayNs, delayNs));
        } catch (NumberFormatException e) {
            return; // a note of another format is ignored
        }
    }

    /**
     * Creates a place whose tasks have the recorded durations.
     *
     * @param where letter of the place
     * @param process loop that runs the tasks
     * @param beginNs time on the clock from which the recorded durations are used
     */
    Place place(char where, Loop process, long beginNs) {
        return new Place(process, delays.getOrDefault(where, List.of()), beginNs);
    }

    /** A place of background tasks: an executor or the loop of the disk. All tasks run on the loop of the SM. */
    static final class Place implements Loop {
        private final Loop process;
        private final List<Long> delays;
        private final long beginNs;
        private int next;

        private Place(Loop process, List<Long> delays, long beginNs) {
            this.process = process;
            this.delays = delays;
            this.beginNs = beginNs;
        }

        @Override
        public void execute(Runnable task) {
            boolean isRecorded = process.nowNs() >= beginNs && next < delays.size();
            process.schedule(isRecorded ? delays.get(next++) : 0, task);
        }

        @Override
        public Timer schedule(long delayNs, Runnable task) {
            return process.schedule(delayNs, task);
        }

        @Override
        public long nowNs() {
            return process.nowNs();
        }

        @Override
        public boolean inLoop() {
            return process.inLoop();
        }
    }
}
