package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.PortFacts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.TextTable;
import io.torussm.daemon.control.PartitionPreview;
import io.torussm.daemon.control.SmControl;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.partition.PartitionChange;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;

/** The preview of partitions.conf by the ports whose P_Keys would change, and its activation. */
final class PartitionPreviews {
    private static final int MAX_PORTS = 100;

    private final SmControl control;
    private final PublishedView view;

    private record Port(String portGuid, String name, List<String> gains, List<String> loses) {}

    private record Preview(String file, int endPorts, int changed, long losing, String applied, List<Port> ports)
            implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add(
                    changed == 0
                            ? file + " changes nothing"
                            : file + ": " + changed + " of " + endPorts + " end ports would have other P_Keys, "
                                    + losing + " would lose some");
            if (!applied.isEmpty()) {
                lines.add(applied);
            }
            TextTable table = new TextTable("port GUID", "gains", "loses", "name");
            ports.forEach(each -> table.row(each.portGuid(), list(each.gains()), list(each.loses()), each.name()));
            if (!ports.isEmpty()) {
                lines.addAll(table.lines());
            }
            if (changed > ports.size()) {
                lines.add("and " + (changed - ports.size()) + " more");
            }
            return lines;
        }

        private static String list(List<String> pKeys) {
            return pKeys.isEmpty() ? "-" : String.join(" ", pKeys);
        }
    }

    PartitionPreviews(SmControl control, PublishedView view) {
        this.control = control;
        this.view = view;
    }

    /** Returns the changes, and makes them if they are requested. */
    Answer answer(boolean isApplied) {
        PartitionPreview preview = control.partitionPreview();
        if (preview == null) {
            return Answer.from(null, none -> Answer.done(""));
        }
        PartitionChange change = preview.change();
        if (change == null) {
            return Answer.bad(
                    "the file cannot be used: " + Printable.text(String.join("; ", preview.problems()), 2000));
        }
        if (isApplied) {
            control.applyPartitions();
        }
        Fabric fabric = view.subnet().fabric();
        return Answer.of(new Preview(
                Printable.text(preview.file(), 200),
                change.endPorts(),
                change.ports().size(),
                change.losing(),
                isApplied ? "a heavy sweep is requested, and applies it" : "",
                change.ports().stream()
                        .limit(MAX_PORTS)
                        .filter(port -> port.port() < fabric.portCount())
                        .map(port -> new Port(
                                Guid.format(fabric.portGuid(port.port())),
                                PortFacts.name(fabric, fabric.nodeOf(port.port())),
                                port.gained(),
                                port.lost()))
                        .toList()));
    }
}
