package io.torussm.daemon.control;

import io.torussm.daemon.control.ShadowReport.Takeover;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A takeover of the subnet from the master SM, and its release to a standby SM. Any thread; no call waits. */
public interface Adoption {
    /** The control of a process that manages no subnet. It refuses a takeover and a release. */
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
     * Previews the changes of a takeover. It reads the fabric with Gets, and tries the takeover on an embedded fabric
     * with the same tables.
     *
     * @param saDump OpenSM's opensm-sa.dump; null to begin with the registrations of hosts that this SM has
     */
    CompletableFuture<TakeOver> previewTakeOver(@Nullable Path saDump);

    /**
     * Takes over, after another preview. Raises the priority of this SM as far as necessary, and waits until it is
     * master, at most one minute.
     *
     * @param saDump OpenSM's opensm-sa.dump; null to begin with the registrations of hosts that this SM has
     * @param mayChange true to take over although entries of tables change
     */
    CompletableFuture<TakeOver> takeOver(@Nullable Path saDump, boolean mayChange);

    /** Previews a release of the subnet to a standby SM. */
    CompletableFuture<Release> previewRelease();

    /**
     * Writes files for OpenSM, then lowers the priority of this SM, so that the best standby SM becomes master. Waits
     * for that SM, at most one minute.
     */
    CompletableFuture<Release> release();

    /**
     * The preview or the outcome of a takeover.
     *
     * @param outcome action taken; empty if nothing was done
     * @param objection reason against the takeover; empty if nothing prevents it
     * @param master the master SM
     * @param priority priority that this SM needs for the takeover; 0 if not known yet
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

        /** Returns a takeover that was refused. */
        public static TakeOver refused(String reason) {
            return new TakeOver("", reason, "", 0, List.of(), List.of(), null);
        }

        /** Returns a copy with the outcome of a successful takeover. */
        public TakeOver withOutcome(String outcome) {
            return new TakeOver(outcome, "", master, priority, registrations, leftOut, trial);
        }

        /** Returns a copy without an outcome, with the reason against the takeover. */
        public TakeOver withObjection(String reason) {
            return new TakeOver("", reason, master, priority, registrations, leftOut, trial);
        }

        /** Returns the number of entries of tables that would change; -1 if the trial did not show it. */
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
     * The preview or the outcome of a release.
     *
     * @param outcome action taken; empty if nothing was done
     * @param objection reason against the release; empty if nothing prevents it
     * @param successor SM that becomes master; empty if no standby SM is known
     * @param priority new priority of this SM
     * @param directory directory of the files
     * @param files names of the written files; empty before they are written
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

        /** Returns a release that was refused. */
        public static Release refused(String reason) {
            return new Release("", reason, "", 0, "", List.of(), List.of());
        }

        /** Returns a copy with the outcome of a successful release. */
        public Release withOutcome(String outcome) {
            return new Release(outcome, "", successor, priority, directory, files, leftOut);
        }

        /** Returns a copy without an outcome, with the reason why the release was not completed. */
        public Release withObjection(String reason) {
            return new Release("", reason, successor, priority, directory, files, leftOut);
        }

        /**
         * Returns a copy with the names of written files.
         *
         * @param newLeftOut state that the files do not contain, a line each
         */
        public Release withFiles(List<String> newFiles, List<String> newLeftOut) {
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
