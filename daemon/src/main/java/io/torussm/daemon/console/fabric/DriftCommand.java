package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.EndportNames;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.sweep.idle.DriftReport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The command that compares tables and settings of devices with the values that were written. */
public final class DriftCommand {
    private static final String ALL = "all";

    private final SmControl control;

    private record Drifted(Instant since, String name, String guid, String text) {
        static Drifted of(DriftReport.Drift drift) {
            return new Drifted(drift.at(), drift.name(), Guid.format(drift.nodeGuid()), drift.text());
        }
    }

    private record Report(
            boolean isRunning,
            int devicesLeft,
            @Nullable Instant lastPassEnded,
            long lastPassSeconds,
            long passes,
            long reads,
            long differences,
            List<Drifted> devices)
            implements Facts {
        static Report of(DriftReport report) {
            return new Report(
                    report.isRunning(),
                    report.remainingDevices(),
                    report.lastPassEnd(),
                    report.seconds(),
                    report.passes(),
                    report.reads(),
                    report.differences(),
                    report.openDrifts().stream().map(Drifted::of).toList());
        }

        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add(
                    lastPassEnded == null
                            ? "no pass over all devices has ended yet"
                            : "last pass over all devices: ended " + lastPassEnded + ", took " + lastPassSeconds
                                    + " s");
            if (devicesLeft > 0) {
                lines.add(devicesLeft + " devices are still to be read");
            }
            lines.add("entries that differed, since the start: " + differences + " (" + reads + " answers)");
            devices.forEach(each -> lines.add(
                    each.since() + " " + Printable.text(each.name(), Integer.MAX_VALUE) + ": " + each.text()));
            if (devices.isEmpty()) {
                lines.add("all devices that were read have the programmed tables");
            }
            return lines;
        }
    }

    public DriftCommand(SmControl control) {
        this.control = control;
    }

    public Command command() {
        return Command.setting(
                "drift [NODE|all]",
                "differences of devices from the programmed tables; with NODE or all: read them now",
                this::drift,
                "NODE is a node description (in quotes if it has blanks), a GUID, a LID, or the place of a switch, x,y,z.",
                "Devices are read at drift_check_rate while the SM is idle; the next sweep writes the differences again.",
                "drift without an argument shows the progress.");
    }

    private Answer drift(List<String> words) {
        if (words.size() > 1) {
            throw new UsageException();
        } else if (words.isEmpty()) {
            return Answer.of(Report.of(control.drift()));
        }
        return Answer.from(control.view(), view -> {
            Fabric fabric = view.subnet().fabric();
            if (words.get(0).equals(ALL)) {
                control.requestReadBack(0);
                return Answer.done(fabric.nodeCount() + " devices are read; drift shows the progress");
            }
            EndportNames.Node found = new EndportNames(view.placed()).node(words.get(0));
            if (found.node() == Fabric.NONE) {
                return Answer.refusal(found.problem());
            }
            control.requestReadBack(fabric.nodeGuid(found.node()));
            return Answer.done(Printable.text(fabric.name(found.node()), Integer.MAX_VALUE)
                    + " is read next; drift shows the result");
        });
    }
}
