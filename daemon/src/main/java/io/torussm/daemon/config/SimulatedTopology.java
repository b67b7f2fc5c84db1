package io.torussm.daemon.config;

import io.torussm.sim.Topology;
import io.torussm.sim.TopologyException;
import io.torussm.sim.TopologyText;
import io.torussm.sim.TorusSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads the topology of an embedded fabric: a specification such as {@code torus:6x5x1,hosts=2}, or a file. */
public final class SimulatedTopology {
    private SimulatedTopology() {}

    /** The fabric that {@code --simulate} describes. */
    public static Topology read(String simulate) throws ConfigurationException {
        return read("--simulate", simulate);
    }

    /**
     * The fabric that a word of the command line describes.
     *
     * @param word what it is called there
     */
    public static Topology read(String word, String simulate) throws ConfigurationException {
        try {
            return simulate.startsWith(TorusSpec.PREFIX)
                    ? TorusSpec.parse(simulate).topology()
                    : TopologyText.read(Path.of(simulate));
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of(word + " " + simulate + ": " + e.getMessage()));
        } catch (TopologyException e) {
            throw new ConfigurationException(List.of(word + ": " + e.getMessage()));
        } catch (IOException e) {
            throw new ConfigurationException(List.of(word + ": cannot read " + simulate + " ("
                    + FileErrors.describe(e)
                    + "); give a topology file, or torus:XxYxZ[,hosts=N][,links=N][,mesh=xyz]"));
        }
    }
}
