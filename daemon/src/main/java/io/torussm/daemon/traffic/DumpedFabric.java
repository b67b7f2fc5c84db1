package io.torussm.daemon.traffic;

import io.torussm.conf.ConfLines;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.tables.GroupLines;
import io.torussm.daemon.tables.PathSlLines;
import io.torussm.daemon.tables.Sl2VlLines;
import io.torussm.dataplane.ForwardingTables;
import io.torussm.dataplane.Hosts;
import io.torussm.dataplane.SlChoice;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineFile;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.routing.file.DumpedTables;
import io.torussm.state.BoundedFile;
import io.torussm.subnet.Subnet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The tables that an SM (OpenSM or torus-sm) dumped into a directory. {@code opensm-lfts.dump} is required; {@code
 * opensm-sl2vl.dump}, {@code opensm.mcfdbs} and {@code opensm-path-sl.dump} are optional. OpenSM does not write the
 * last one. Entries of nodes outside the fabric are ignored. Immutable.
 */
public final class DumpedFabric {
    private static final String TABLES = "opensm-lfts.dump";
    private static final String PATHS = "opensm-path-sl.dump";
    private static final long MAX_BYTES = 256L << 20;

    private final Path directory;
    private final Subnet subnet;
    private final Fabric fabric;

    /** Output port number, as {@code [switch][LID]}. */
    private final byte[][] lfts;

    private final DumpedSl2Vl sl2vl;
    private final DumpedGroups groups;

    /** SL, as {@code [source node][destination LID]}; -1 if the pair has no SL. Empty if SLs are not dumped. */
    private final byte[][] sls;

    /**
     * Reads a directory.
     *
     * @param subnet subnet of the tables; its LIDs may differ from the dumped LIDs, since destinations are identified
     *     by port GUIDs
     * @throws ConfigurationException if a file or a line cannot be used, with its name and number
     */
    public DumpedFabric(Path directory, Subnet subnet) throws ConfigurationException {
        this.directory = directory;
        this.subnet = subnet;
        fabric = subnet.fabric();
        Path file = directory.resolve(TABLES);
        DumpedTables tables = new DumpedTables(EngineFile.read(file.toString(), text(file)), "--dump");
        List<Finding> errors = new ArrayList<>(tables.findings());
        lfts = tables.tables(subnet, errors);
        requireNoErrors(errors);
        sl2vl = new DumpedSl2Vl(fabric);
        read("opensm-sl2vl.dump", "dump of SL2VL tables", conf -> new Sl2VlLines(conf, sl2vl::add));
        groups = new DumpedGroups(fabric);
        read("opensm.mcfdbs", "dump of multicast forwarding tables", conf -> new GroupLines(conf, groups::add));
        sls = new byte[Files.exists(directory.resolve(PATHS)) ? fabric.nodeCount() : 0][subnet.topLid() + 1];
        Arrays.stream(sls).forEach(each -> Arrays.fill(each, (byte) -1));
        int[] lids = tables.lids(subnet);
        read(PATHS, "dump of SLs", conf -> new PathSlLines(conf, (guid, lid, sl) -> path(guid, lid, sl, lids)));
    }

    private void read(String name, String content, Function<ConfLines, Consumer<String>> grammar)
            throws ConfigurationException {
        Path file = directory.resolve(name);
        if (Files.exists(file)) {
            ConfLines conf = new ConfLines(file.toString(), SmEvent.ROUTING_ERROR, SmEvent.ROUTING_WARNING);
            conf.readDump(text(file), content, "it is no line of a dump", grammar.apply(conf));
            requireNoErrors(conf.findings());
        }
    }

    private static String text(Path file) throws ConfigurationException {
        try {
            return BoundedFile.text(file, MAX_BYTES);
        } catch (IOException e) {
            throw new ConfigurationException(List.of("--dump: cannot read " + file + ": " + FileErrors.describe(e)));
        }
    }

    private static void requireNoErrors(List<Finding> errors) throws ConfigurationException {
        if (!errors.isEmpty()) {
            throw new ConfigurationException(errors.stream().map(Finding::text).toList());
        }
    }

    private void path(long guid, int lid, int sl, int[] lids) {
        int node = fabric.nodeByGuid(guid);
        if (node != Fabric.NONE && lid < lids.length && lids[lid] != 0) {
            sls[node][lids[lid]] = (byte) sl;
        }
    }

    /** Returns the index of the switch with a NodeGUID; {@link Fabric#NONE} if the fabric lacks it. */
    static int switchOf(Fabric fabric, long guid) {
        int node = fabric.nodeByGuid(guid);
        return node != Fabric.NONE && fabric.isSwitch(node) ? node : Fabric.NONE;
    }

    /** Returns the error text for a table with a port number that its node does not have. */
    static String noPortError(Fabric fabric, int node, int port) {
        return fabric.name(node) + " has no port " + port + "; these tables are of another fabric, dump them again";
    }

    /** Returns the source of the tables. */
    @Override
    public String toString() {
        return "tables of " + directory;
    }

    /** Checks whether any switch has an entry for a group. */
    boolean hasGroup(int mlid) {
        return groups.has(mlid);
    }

    /**
     * Returns the SLs of paths from the dump.
     *
     * @param others source of the SLs of groups, and of all SLs if the dump has none
     */
    SlChoice sls(Hosts hosts, SlChoice others) {
        return (from, dlid, level) -> sls.length == 0 || dlid > subnet.topLid()
                ? others.sl(from, dlid, level)
                : sls[fabric.nodeOf(hosts.port(from))][dlid];
    }

    /**
     * Returns the dumped tables in the form of the simulation.
     *
     * @param others source of VL arbitration, and of SL2VL tables if the dump has none
     */
    ForwardingTables withFallback(ForwardingTables others) {
        return new ForwardingTables() {
            @Override
            public int out(int sw, int dlid) {
                return dlid < lfts[sw].length ? lfts[sw][dlid] & 0xff : DROP_PORT;
            }

            @Override
            public long[] group(int sw, int mlid) {
                return groups.ports(sw, mlid);
            }

            @Override
            public int vl(int node, int in, int out, int sl) {
                int vl = sl2vl.vl(node, in, out, sl);
                return vl == DumpedSl2Vl.NOT_DUMPED ? others.vl(node, in, out, sl) : vl;
            }

            @Override
            public VlArbitrationPolicy.Tables arbitration(int port) {
                return others.arbitration(port);
            }
        };
    }
}
