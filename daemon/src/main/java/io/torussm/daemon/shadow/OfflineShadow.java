package io.torussm.daemon.shadow;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.twin.VirtualSm;
import io.torussm.names.Names;
import io.torussm.shadow.Twin;
import io.torussm.sim.RecordedFabric;
import io.torussm.sim.topology.TopologyException;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.SnapshotDifference;
import io.torussm.snapshot.SnapshotFile;
import io.torussm.transport.capture.CaptureReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The shadow report about files: snapshots, captures, or directories of dumps. */
public final class OfflineShadow {
    private OfflineShadow() {}

    /**
     * Creates the report. The files are treated as successive readings of a fabric: the last one is analysed, and the
     * changes between two successive ones are reported.
     *
     * @param files files or directories in order of time
     * @param options options of the SM whose takeover is simulated
     * @throws ConfigurationException if there is no file, or a file cannot be used; the message names the file
     */
    public static ShadowReport of(List<Path> files, SmOptions options, Names names) throws ConfigurationException {
        ShadowRecord record = new ShadowRecord();
        VirtualSm.Start start = VirtualSm.Start.of(options);
        ShadowReport report = null;
        for (Path file : files) {
            FabricSnapshot previous = record.last();
            FabricSnapshot seen = read(file);
            SnapshotDifference change = previous == null ? null : SnapshotDifference.between(previous, seen);
            ShadowStudy study = ShadowStudy.of(seen, ShadowStudy.PathGrants.NOT_QUERIED, start, names);
            ShadowReport.Response own = previous == null || change == null || change.isSameTopology()
                    ? null
                    : ShadowStudy.response(previous, seen, start);
            report = record.add(new ShadowRecord.Reading(seen, 0, 0, study, change, own, null), names);
        }
        return requireReport(report);
    }

    private static ShadowReport requireReport(@Nullable ShadowReport report) throws ConfigurationException {
        if (report == null) {
            throw new ConfigurationException(List.of("name a snapshot, a capture, or a directory of dumps"));
        }
        return report;
    }

    /**
     * Reads the snapshot of a file or a directory of dumps.
     *
     * @throws ConfigurationException if it contains no snapshot; the message names the file and the expected content
     */
    public static FabricSnapshot read(Path file) throws ConfigurationException {
        try {
            if (Files.isDirectory(file)) {
                return DumpedSnapshot.of(file);
            } else if (SnapshotFile.isSnapshot(file)) {
                return SnapshotFile.read(file);
            } else if (CaptureReader.isCapture(file)) {
                return Twin.of(RecordedFabric.of(CaptureReader.read(file), file.toString()))
                        .read();
            }
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + file + ": " + FileErrors.describe(e)));
        } catch (TopologyException | IllegalStateException e) {
            throw new ConfigurationException(List.of(String.valueOf(e.getMessage())));
        }
        throw new ConfigurationException(
                List.of(file + (Files.exists(file) ? " is neither a snapshot nor a capture" : " does not exist")
                        + "; give what torus-sm --shadow wrote, a capture, or a directory of OpenSM's dumps"));
    }
}
