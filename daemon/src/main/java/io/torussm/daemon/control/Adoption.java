package io.torussm.daemon.control;

import io.torussm.daemon.control.ShadowReport.Takeover;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A takeover of the subnet from the master SM, and its return. Any thread; no call waits. */
public interface Adoption {
    /** The control of a process that can do neither. */
    Adoption NONE = new Adoption() {
        @Override
        public CompletableFuture<TakeOver> previewTakeOver(@Nullable Path saDump) {
            return CompletableFuture.completedFuture(TakeOver.refused("this process does not manage a subnet"));
        }

        @Override
        public CompletableFuture<TakeOver> takeOver(@Nullable Path saDump, boolean mayChange) {
            return previewTakeOver(saDump);
        }

        @Override
        public CompletableFuture<Release> previewRelease() {
            return CompletableFuture.completedFuture(Release.refused("this process does not manage a subnet"));
        }

        @Override
        public CompletableFuture<Release> release() {
            return previewRelease();
        }
    };

    /**
     * Previews the changes of a takeover, with Gets only, and by a trial on an embedded fabric with the same
     * tables.
     *
     * @param saDump OpenSM's opensm-sa.dump; null to begin with the registrations of hosts that this SM has
     */
    CompletableFuture<TakeOver> previewTakeOver(@Nullable Path saDump);

    /**
     * Takes over, after another preview: raises the priority of this SM as far as necessary, and waits for a
     * while.
     *
     * @param mayChange true to take over although entries change
     */
    CompletableFuture<TakeOver> takeOver(@Nullable Path saDump, boolean mayChange);

    /** Previews a return of the subnet. */
    CompletableFuture<Release> previewRelease();

    /** Writes files for OpenSM, then lets the best standby SM become master, and waits for a while. */
    CompletableFuture<Release> release();

    /**
     * The preview or the outcome of a takeover.
     *
     * @param outcome action taken; empty if none
     * @param objection reason against the takeover; empty if there is none
     * @param master the master SM
     * @param priority necessary priority; 0 if unknown yet
     * @param registrations registrations of hosts with which this SM begins
     * @param leftOut parts of the dump that cannot be taken over
     * @param trial changes; null if they are unknown
     */
    record TakeOver(
            String outcome,
            String objection,
            String master,
            int priority,
            List<String> registrations,
            List<String> leftOut,
            @Nullable Takeover trial) {

        /** Returns the refusal of a takeover. */
        public static TakeOver refused(String reason) {
            return new TakeOver("", reason, "", 0, List.of(), List.of(), null);
        }

        /** Returns the same, done. */
        public TakeOver done(String outcome) {
            return new TakeOver(outcome, "", master, priority, registrations, leftOut, trial);
        }

        /** Returns the same, not done. */
        public TakeOver notDone(String reason) {
            return new TakeOver("", reason, master, priority, registrations, leftOut, trial);
        }

        /** Returns the number of entries that would change; -1 if that is not known. */
        public long changes() {
            return trial == null || !trial.outcome().isEmpty() ? -1 : trial.changed();
        }

        /** Returns lines for people. After a takeover they do not repeat its preview. */
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            if (!outcome.isEmpty()) {
                leftOut.forEach(line -> lines.add("left out: " + line));
                if (changes() > 0) {
                    lines.add("entries of tables to change: " + changes() + "; the preview lists them");
                }
                lines.add(outcome);
                return lines;
            }
            if (!master.isEmpty()) {
                lines.add("master now: " + master);
                lines.add("registrations of hosts at the start of this SM: " + String.join(", ", registrations));
            }
            leftOut.forEach(line -> lines.add("left out: " + line));
            if (trial != null) {
                lines.addAll(trial.lines());
            }
            if (!objection.isEmpty()) {
                lines.add("nothing was done: " + objection);
            } else {
                lines.add("nothing was done; append " + (changes() == 0 ? "yes" : "changes yes") + " to take over"
                        + (priority == 0 ? "" : ", with priority " + priority));
            }
            return lines;
        }
    }

    /**
     * The preview or the outcome of a return.
     *
     * @param outcome action taken; empty if none
     * @param objection reason against the return; empty if there is none
     * @param successor SM that takes over; empty if there is no standby
     * @param priority new priority of this SM
     * @param directory directory of the files
     * @param files files in it
     * @param leftOut state that OpenSM's files cannot contain
     */
    record Release(
            String outcome,
            String objection,
            String successor,
            int priority,
            String directory,
            List<String> files,
            List<String> leftOut) {
        public Release {
            files = List.copyOf(files);
            leftOut = List.copyOf(leftOut);
        }

        /** Returns the refusal of a release. */
        public static Release refused(String reason) {
            return new Release("", reason, "", 0, "", List.of(), List.of());
        }

        /** Returns the same, done. */
        public Release done(String outcome) {
            return new Release(outcome, "", successor, priority, directory, files, leftOut);
        }

        /** Returns the same, not done, or not to the end. */
        public Release notDone(String reason) {
            return new Release("", reason, successor, priority, directory, files, leftOut);
        }

        /** Returns a copy with files. */
        public Release written(List<String> newFiles, List<String> newLeftOut) {
            return new Release(outcome, objection, successor, priority, directory, newFiles, newLeftOut);
        }

        /** Returns the lines for people. */
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            if (!successor.isEmpty()) {
                lines.add("takes over: " + successor + "; this SM falls to priority " + priority);
            }
            if (!files.isEmpty()) {
                lines.add("written to " + directory + ": " + String.join(", ", files));
            } else if (!directory.isEmpty()) {
                lines.add("files for OpenSM go to " + directory);
            }
            leftOut.forEach(line -> lines.add("left out: " + line));
            lines.add(
                    !outcome.isEmpty()
                            ? outcome
                            : objection.isEmpty() ? "nothing was done; append yes to do it" : "not done: " + objection);
            return lines;
        }
    }
}
