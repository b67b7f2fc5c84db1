package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.control.PartitionPreview;
import io.torussm.daemon.control.SmControl;
import io.torussm.partition.PartitionChange;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;

/** The preview of partitions.conf, with the ports whose P_Keys would change, and the request to make it effective. */
final class PartitionPreviews {
    private final SmControl control;
    private final PublishedView view;

    /** @param vports number of virtual ports that would have other P_Keys */
    private record Preview(
            String file,
            int endPorts,
            int changed,
            long losing,
            int vports,
            String applied,
            List<ChangedMembers.Port> ports)
            implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add(
                    changed + vports == 0
                            ? file + " changes nothing"
                            : file + ": " + changed + " of " + endPorts + " end ports would have other P_Keys, "
                                    + losing + " would lose some"
                                    + (vports > 0 ? "; also " + vports + " virtual ports would have others" : ""));
            if (!applied.isEmpty()) {
                lines.add(applied);
            }
            lines.addAll(ChangedMembers.lines(ports, changed + vports));
            return lines;
        }
    }

    PartitionPreviews(SmControl control, PublishedView view) {
        this.control = control;
        this.view = view;
    }

    /**
     * Returns the changes.
     *
     * @param isApplied true to make partitions.conf effective, false for a preview
     */
    Answer answer(boolean isApplied) {
        PartitionPreview preview = control.partitionPreview();
        if (preview == null) {
            return Answer.from(null, none -> Answer.done(""));
        }
        PartitionChange change = preview.change();
        if (change == null) {
            return Answer.refusal(
                    "the file cannot be used: " + Printable.text(String.join("; ", preview.problems()), 2000));
        }
        if (isApplied) {
            control.applyPartitions();
        }
        return Answer.of(new Preview(
                Printable.text(preview.file(), 200),
                change.endPorts(),
                change.ports().size(),
                change.losingPorts(),
                change.vports().size(),
                isApplied ? "a heavy sweep is requested, and applies it" : "",
                ChangedMembers.of(control, view.subnet().fabric(), change)));
    }
}
