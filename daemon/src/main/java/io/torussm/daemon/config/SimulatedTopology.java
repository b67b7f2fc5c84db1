package io.torussm.daemon.config;

import io.torussm.routing.EngineFile;
import io.torussm.sim.RecordedFabric;
import io.torussm.sim.shape.TopologySpec;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyException;
import io.torussm.sim.topology.TopologyText;
import io.torussm.snapshot.SnapshotFile;
import io.torussm.transport.capture.CaptureReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The reader of the topology of the embedded fabric: a specification, a topology file, a capture, or a snapshot. */
public final class SimulatedTopology {
    private SimulatedTopology() {}

    /** Returns the fabric that {@code --simulate} describes. */
    public static Topology read(String simulate) throws ConfigurationException {
        return read("--simulate", simulate);
    }

    /**
     * Returns the generated files of a specified fabric, which are used if settings of engines name no files.
     *
     * @return files by setting, such as {@code torus-2QoS.torus_config}; empty for a topology file
     */
    public static Map<String, EngineFile> files(String simulate) {
        return torus(simulate)
                .map(torus -> Map.of("torus-2QoS.torus_config", EngineFile.read(simulate, torus.torus2QosConf())))
                .orElse(Map.of());
    }

    /** Checks whether {@code --simulate} specifies a torus or mesh that has a torus-2QoS.conf. */
    public static boolean isTorus(String simulate) {
        return TopologySpec.isTorusWithConf(simulate);
    }

    private static Optional<TorusSpec> torus(String simulate) {
        return isTorus(simulate) ? Optional.of(TorusSpec.parse(simulate)) : Optional.empty();
    }

    /**
     * Returns the capture or snapshot that {@code --simulate} names, as a fabric that can be started.
     *
     * @return fabric; null if {@code --simulate} names neither a capture nor a snapshot
     */
    public static @Nullable RecordedFabric recordedFabric(String simulate) throws ConfigurationException {
        Path file = Path.of(simulate);
        if (TopologySpec.isSpec(simulate) || !isRecord(file)) {
            return null;
        }
        try {
            return recordedFabric(file);
        } catch (IOException | TopologyException e) {
            throw new ConfigurationException(List.of("--simulate: " + e.getMessage()));
        }
    }

    private static boolean isRecord(Path file) {
        return SnapshotFile.isSnapshot(file) || CaptureReader.isCapture(file);
    }

    private static RecordedFabric recordedFabric(Path file) throws IOException, TopologyException {
        if (SnapshotFile.isSnapshot(file)) {
            return RecordedFabric.of(SnapshotFile.read(file));
        }
        return RecordedFabric.of(CaptureReader.read(file), file.toString());
    }

    /**
     * Returns the topology that an option of the command line describes.
     *
     * @param word name of the option in errors
     * @param simulate value of the option
     */
    public static Topology read(String word, String simulate) throws ConfigurationException {
        try {
            if (TopologySpec.isSpec(simulate)) {
                return TopologySpec.of(simulate).topology();
            }
            Path file = Path.of(simulate);
            return isRecord(file) ? recordedFabric(file).topology() : TopologyText.read(file);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of(word + " " + simulate + ": " + e.getMessage()));
        } catch (TopologyException e) {
            throw new ConfigurationException(List.of(word + ": " + e.getMessage()));
        } catch (IOException e) {
            throw new ConfigurationException(List.of(word + ": cannot read " + simulate + " ("
                    + FileErrors.describe(e)
                    + "); give a topology file, a capture, or a specification: " + TopologySpec.GRAMMAR));
        }
    }
}
