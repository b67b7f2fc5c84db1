package io.torussm.torus2qos.conf;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.mad.smp.NodeInfo;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A torus-2QoS.conf that has passed every check that needs no fabric: the sizes are within limits, and every
 * seed has the links that {@link SeedRules} require. A draft ({@link Parsed}) may lack links of seeds.
 * Immutable.
 */
public final class Torus2QosConf {
    /**
     * The maximum number of positions of a torus. Every switch needs a unicast LID, and 0xBFFF is the highest (IBA
     * 4.1.3).
     */
    public static final int MAX_POSITIONS = 0xBFFF;

    /** Entries of {@code port_order}: every port number, from 0 on. */
    public static final int PORT_ORDER_LENGTH = NodeInfo.MAX_PORT_NUM + 1;

    private final String file;
    private final int[] radix;
    private final boolean[] mesh;
    private final List<Seed> seeds;
    private final int[] portOrder;
    private final int portOrderLine;
    private final int portgroupMaxPorts;
    private final int maxChanges;
    private final Balance balance;

    /**
     * The outcome of parsing a file.
     *
     * @param file the name of the file in findings
     * @param conf null if the file has errors
     * @param draft content of the file if its only faults are missing or wrong links of seeds, else null
     * @param findings findings with file and line; one has severity ERROR if and only if {@code conf} is null
     */
    public record Parsed(
            String file,
            @Nullable Torus2QosConf conf,
            @Nullable Torus2QosConf draft,
            List<Finding> findings) {
        public Parsed {
            findings = List.copyOf(findings);
        }
    }

    /**
     * A switch from which discovery can start, and its neighbours.
     *
     * @param line number of the line of the file where the seed begins; 0 without a file
     * @param links by group, 0 (-x) to 5 (+z); null if the seed has no link in that direction
     * @param dateline by dimension: steps from the seed switch to the origin, above -radix and below radix
     */
    public record Seed(int line, @Nullable Link[] links, int[] dateline) {
        /** Returns the link that the file names for a group. */
        @Nullable
        public Link link(int group) {
            return links[group];
        }
    }

    /**
     * Two neighbours that a line of the file names.
     *
     * @param line number of the line
     * @param from NodeGUID of the seed switch
     * @param to NodeGUID of its neighbour
     */
    public record Link(int line, long from, long to) {}

    Torus2QosConf(
            String file,
            int[] radix,
            boolean[] mesh,
            List<Seed> seeds,
            int[] portOrder,
            int portOrderLine,
            int portgroupMaxPorts,
            int maxChanges,
            Balance balance) {
        this.file = file;
        this.radix = radix;
        this.mesh = mesh;
        this.seeds = List.copyOf(seeds);
        this.portOrder = portOrder;
        this.portOrderLine = portOrderLine;
        this.portgroupMaxPorts = portgroupMaxPorts;
        this.maxChanges = maxChanges;
        this.balance = balance;
    }

    /**
     * Reads the text of a configuration file. All lines are read, all errors reported.
     *
     * @param file name, for findings
     * @param text content; bytes above 0x7F may be decoded in any way, because they occur only in comments
     */
    public static Parsed parse(String file, String text) {
        return new ConfParser(file).parse(text);
    }

    /**
     * Returns the outcome for a file that cannot be read. The engine refuses every fabric with this outcome.
     *
     * @param reason reason in the words of the operating system
     */
    public static Parsed unreadable(String file, String reason) {
        return new Parsed(
                file,
                null,
                null,
                List.of(SmEvent.TORUS_CONF_ERROR.finding("cannot read " + file + " (" + reason
                        + "); torus-2QoS needs a file that gives the sizes and a seed, name it with torus_config")));
    }

    /**
     * Returns a copy with other sizes. Its seeds may lack links that these sizes require.
     *
     * @param otherRadix by dimension: number of switches, at least 1
     * @param otherMesh by dimension: true if it does not wrap
     */
    public Torus2QosConf withSizes(int[] otherRadix, boolean[] otherMesh) {
        return new Torus2QosConf(
                file, otherRadix, otherMesh, seeds, portOrder, portOrderLine, portgroupMaxPorts, maxChanges, balance);
    }

    /** Returns a copy with one seed only. */
    public Torus2QosConf withSeed(Seed seed) {
        return new Torus2QosConf(
                file, radix, mesh, List.of(seed), portOrder, portOrderLine, portgroupMaxPorts, maxChanges, balance);
    }

    /** Returns a copy with another balance. The file has no keyword for the balance, since its format is OpenSM's. */
    public Torus2QosConf with(Balance other) {
        return new Torus2QosConf(
                file, radix, mesh, seeds, portOrder, portOrderLine, portgroupMaxPorts, maxChanges, other);
    }

    /** Returns the name of the file. */
    public String file() {
        return file;
    }

    /** Returns the maximum number of reported changes from one torus to the next, at least 0. */
    public int maxChanges() {
        return maxChanges;
    }

    /** Returns the direction of paths around rings. */
    public Balance balance() {
        return balance;
    }

    /** Returns the number of switches in a dimension, at least 1. */
    public int radix(int d) {
        return radix[d];
    }

    /**
     * Checks whether a dimension does not wrap. A dimension of two switches never wraps, since both ways would be
     * the same cable.
     */
    public boolean isMesh(int d) {
        return mesh[d] || radix[d] == 2;
    }

    /** Returns the seeds, the preferred one first. */
    public List<Seed> seeds() {
        return seeds;
    }

    /** Returns the NodeGUIDs that a seed names in dimensions with more than one switch. */
    public Set<Long> nodes(Seed seed) {
        return IntStream.range(0, Dim.LOCAL)
                .filter(group -> radix(Dim.dimension(group)) > 1)
                .mapToObj(seed::link)
                .flatMap(link -> link == null ? Stream.of() : Stream.of(link.from, link.to))
                .collect(Collectors.toSet());
    }

    /**
     * Returns the port number at an index of the port order, from 0 to {@link #PORT_ORDER_LENGTH} - 1. The numbers
     * of the file come first, then the other port numbers in ascending order. A number of the file may exceed every
     * port number.
     */
    public int portOrder(int index) {
        return portOrder[index];
    }

    /** Returns the number of the line that gave the port order; 0 without such a line. */
    public int portOrderLine() {
        return portOrderLine;
    }

    /** Returns the greatest number of ports in a group of a switch. */
    public int portgroupMaxPorts() {
        return portgroupMaxPorts;
    }

    /** Returns the beginning of a finding about a line: {@code file:line: }. */
    public String linePrefix(int line) {
        return file + ":" + line + ": ";
    }

    /** Returns the sizes in the format of the file: {@code torus 6 5 4m}. */
    public String describe() {
        boolean allMesh = isMesh(0) && isMesh(1) && isMesh(2);
        StringBuilder text = new StringBuilder(allMesh ? "mesh" : "torus");
        for (int d = 0; d < Dim.COUNT; d++) {
            text.append(' ').append(radix[d]).append(isMesh(d) && !allMesh && radix[d] > 2 ? "m" : "");
        }
        return text.toString();
    }
}
