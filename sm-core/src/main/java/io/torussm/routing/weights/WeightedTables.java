package io.torussm.routing.weights;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.Refusal;
import io.torussm.routing.balance.GuidFile;
import io.torussm.routing.balance.Links;
import io.torussm.routing.balance.ThrottledLinks;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The forwarding tables along paths of least weight, which are computed for one destination after the other. */
public final class WeightedTables {
    private static final EngineSetting COMPUTE_NODES =
            EngineSetting.file("cn_guid_file", "port GUIDs of compute nodes, one on each line; they are routed first");
    private static final EngineSetting IO_NODES = EngineSetting.file(
            "io_guid_file", "port GUIDs of I/O nodes, one on each line; they are routed after compute nodes");
    /** The setting that excludes cables below the speed or width that both ends have enabled. */
    public static final EngineSetting AVOID_THROTTLED = EngineSetting.flag(
            "avoid_throttled_links", "no paths over cables below the speed or width that both ends have enabled");

    private final Subnet subnet;
    private final Targets targets;
    private final EngineContext context;
    private final byte[][] lfts;
    /** The first port that some switch does not reach; {@link Fabric#NONE} if all ports are reached. */
    private int unreachedPort = Fabric.NONE;

    /** Returns the settings of engines with such tables. */
    public static List<EngineSetting> settings() {
        return List.of(COMPUTE_NODES, IO_NODES, AVOID_THROTTLED);
    }

    /** Returns the errors of the files of these settings. */
    public static List<Finding> check(EngineConfig config) {
        List<Finding> findings = new ArrayList<>();
        files(config).forEach(file -> findings.addAll(file.findings()));
        return findings;
    }

    private static List<GuidFile> files(EngineConfig config) {
        return List.of(
                new GuidFile(config, COMPUTE_NODES.key(), GuidFile.GUID_ALONE),
                new GuidFile(config, IO_NODES.key(), GuidFile.GUID_ALONE));
    }

    /** Returns the refusal of an engine whose files have errors; empty if the files are correct. */
    public static Optional<Refusal> refusal(String engine, EngineContext context) {
        List<Finding> errors = check(context.config());
        return errors.isEmpty() ? Optional.empty() : Optional.of(new Refusal(engine, errors));
    }

    /** Returns the links that paths may take. */
    public static Links links(EngineContext context) {
        Fabric fabric = context.subnet().fabric();
        return context.config().flag(AVOID_THROTTLED.key())
                ? new Links(fabric, port -> !ThrottledLinks.isThrottled(fabric, port))
                : new Links(fabric);
    }

    /**
     * Computes the tables of a subnet with at least one switch.
     *
     * @param links links that paths may use, see {@link #links}
     * @param keptEntries entries that stay
     */
    public WeightedTables(EngineContext context, Links links, KeptEntries keptEntries) {
        this.context = context;
        subnet = context.subnet();
        targets = new Targets(subnet, links, files(context.config()));
        WeightedGraph graph = new WeightedGraph(subnet, links, targets.loads());
        lfts = new byte[links.fabric().switchCount()][subnet.topLid() + 1];
        for (byte[] lft : lfts) {
            Arrays.fill(lft, LinearForwardingTable.NO_PATH_ENTRY);
        }
        for (int port : targets.ports()) {
            for (int lid = subnet.lid(port); lid < subnet.lid(port) + (1 << subnet.lmc(port)); lid++) {
                keptEntries.copy(lid, lfts);
                if (!graph.route(lid, lfts)) {
                    unreachedPort = port;
                    return;
                }
            }
        }
    }

    /** Returns the refusal if some switch does not reach a LID; empty if all switches reach all LIDs. */
    public Optional<Refusal> refusal(String engine) {
        return unreachedPort == Fabric.NONE
                ? Optional.empty()
                : Optional.of(unconnected(engine, context, unreachedPort));
    }

    /** Returns the refusal of an engine if some switch does not reach a port. */
    public static Refusal unconnected(String engine, EngineContext context, int port) {
        return new Refusal(
                engine,
                List.of(SmEvent.ROUTING_ERROR.finding(engine + ": not all switches are connected to "
                        + context.subnet().fabric().portName(port)
                        + (context.config().flag(AVOID_THROTTLED.key())
                                ? " by cables at full speed; unset " + AVOID_THROTTLED.key()
                                : ""))));
    }

    /**
     * Returns the tables {@code [switch][LID]}: output port, {@link LinearForwardingTable#NO_PATH_ENTRY} for no
     * path. Not copied.
     */
    public byte[][] lfts() {
        return lfts;
    }

    /**
     * Returns the port indexes of end ports with LIDs, in the order in which they were routed: hosts, then ports 0
     * of switches.
     */
    public int[] targets() {
        return targets.ports();
    }
}
