package io.torussm.daemon.replay;

import io.torussm.recording.Entry;
import io.torussm.recording.NoteKind;
import io.torussm.recording.Recording;
import io.torussm.transport.Loop;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The recorded durations of background tasks, by executor and by number of the task in the order of submission. A task
 * that is not in the recording takes no time. A task whose end was not recorded never ends if a later task is recorded.
 *
 * <p>The number of the first replayed task is 0 if the recording begins with the SM. Otherwise it is the first one that
 * was submitted after the begin of the recording. If the end of exactly this task was not recorded, the next one is
 * taken for it, because nothing in the recording shows the difference.
 */
final class RecordedDelays {
    private static final Pattern NOTE = Pattern.compile("(.) (\\d{1,18}) (\\d{1,18})");

    /** Delay of a task that never ends. Its sum with a time in ns since 1970 does not overflow. */
    private static final long NEVER_NS = Long.MAX_VALUE / 4;

    /** The tasks of each executor, by its letter in notes. */
    private final Map<Character, RecordedTasks> tasksByLetter = new HashMap<>();

    RecordedDelays(Recording recording) {
        Map<Character, NavigableMap<Long, Task>> byNumber = new HashMap<>();
        recording.notes(NoteKind.TASK).forEach(note -> addNote(note, byNumber));
        byNumber.forEach((letter, tasks) -> tasksByLetter.put(
                letter,
                new RecordedTasks(tasks, recording.isFromStart() ? 0 : firstNumber(tasks, recording.beginNs()))));
    }

    /**
     * A recorded task.
     *
     * @param submittedNs time of submission, or later, because the note may have waited for other notes
     * @param delayNs time from submission to end
     */
    private record Task(long submittedNs, long delayNs) {}

    /**
     * The tasks of one executor.
     *
     * @param byNumber recorded tasks by number
     * @param firstNumber number of the first task that is replayed
     */
    private record RecordedTasks(NavigableMap<Long, Task> byNumber, long firstNumber) {
        static final RecordedTasks NONE = new RecordedTasks(new TreeMap<>(), 0);

        /** Returns the delay of the n-th replayed task, n from 0. */
        long delayNs(long n) {
            Task task = byNumber.get(firstNumber + n);
            boolean isEndMissing = task == null && byNumber.higherKey(firstNumber + n) != null;
            return isEndMissing ? NEVER_NS : task == null ? 0 : task.delayNs();
        }
    }

    /**
     * Returns the number of the first task that was submitted after the begin of the recording. The recorded time is
     * never too early. So a task that seems to be submitted before the begin was, as were all tasks of lower numbers.
     */
    private static long firstNumber(NavigableMap<Long, Task> tasks, long beginNs) {
        long first = tasks.firstKey();
        for (Map.Entry<Long, Task> each : tasks.entrySet()) {
            if (each.getValue().submittedNs() < beginNs) {
                first = each.getKey() + 1;
            }
        }
        return first;
    }

    /**
     * Takes a note such as {@code d 17 1340000}: letter of the executor, number of the task, nanoseconds from its
     * submission to its end. A note of another form is ignored.
     */
    private static void addNote(Entry.Note note, Map<Character, NavigableMap<Long, Task>> byNumber) {
        Matcher words = NOTE.matcher(note.text());
        if (words.matches()) {
            long delayNs = Long.parseLong(words.group(3));
            byNumber.computeIfAbsent(words.group(1).charAt(0), letter -> new TreeMap<>())
                    .put(Long.valueOf(words.group(2)), new Task(note.timeNs() - delayNs, delayNs));
        }
    }

    /**
     * Creates an executor whose tasks have the recorded durations.
     *
     * @param letter letter of the executor in notes
     * @param smLoop loop that runs the tasks
     * @param beginNs time on the clock of that loop from which the recorded durations are used
     */
    TaskLoop taskLoop(char letter, Loop smLoop, long beginNs) {
        return new TaskLoop(smLoop, tasksByLetter.getOrDefault(letter, RecordedTasks.NONE), beginNs);
    }

    /** A replayed executor of background tasks, or the loop of the disk. All tasks run on the loop of the SM. */
    static final class TaskLoop implements Loop {
        private final Loop smLoop;
        private final RecordedTasks tasks;
        private final long beginNs;

        /** Number of tasks that were submitted since {@link #beginNs}. */
        private long submitted;

        private TaskLoop(Loop smLoop, RecordedTasks tasks, long beginNs) {
            this.smLoop = smLoop;
            this.tasks = tasks;
            this.beginNs = beginNs;
        }

        @Override
        public void execute(Runnable task) {
            smLoop.schedule(smLoop.nowNs() >= beginNs ? tasks.delayNs(submitted++) : 0, task);
        }

        @Override
        public Timer schedule(long delayNs, Runnable task) {
            return smLoop.schedule(delayNs, task);
        }

        @Override
        public long nowNs() {
            return smLoop.nowNs();
        }

        @Override
        public boolean isInLoop() {
            return smLoop.isInLoop();
        }
    }
}
