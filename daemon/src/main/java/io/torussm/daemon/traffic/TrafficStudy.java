package io.torussm.daemon.traffic;

import io.torussm.daemon.planning.Failure;
import io.torussm.daemon.traffic.TrafficReport.Link;
import io.torussm.daemon.traffic.TrafficReport.LoadResult;
import io.torussm.dataplane.DataPlane;
import io.torussm.dataplane.DataPlaneSettings;
import io.torussm.dataplane.Deadlock;
import io.torussm.dataplane.Destinations;
import io.torussm.dataplane.FiniteWorkload;
import io.torussm.dataplane.ForwardingTables;
import io.torussm.dataplane.Hosts;
import io.torussm.dataplane.OfferedLoad;
import io.torussm.dataplane.PlanTables;
import io.torussm.dataplane.RingAllReduce;
import io.torussm.dataplane.SlChoice;
import io.torussm.dataplane.TrafficCounters;
import io.torussm.dataplane.Workload;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Degradation;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.torus2qos.TorusMap;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The simulation of traffic over a plan, with one run for each load. Runs use all processors in parallel. */
public final class TrafficStudy {
    /** Number of checks of a run for packets in a deadlock. */
    private static final int DEADLOCK_CHECKS = 24;

    private static final long JOB_CHECK_INTERVAL_NS = 50_000;

    private static final int LEVEL_SL = 8;

    private final Plan plan;
    private final @Nullable MulticastTree multicast;
    private final RoutingOptions options;
    private final VlArbitrationPolicy arbitration;
    private final TrafficOrder order;
    private final @Nullable DumpedFabric dump;
    private final HostOrder hostOrder;
    private final Hosts hosts;
    private final AtomicLong hops = new AtomicLong();
    private final Optional<TorusMap> torus;

    /** Coordinates x, y and z, by switch index. */
    private final Map<Integer, List<Integer>> coordinates = new HashMap<>();

    /**
     * Creates a study.
     *
     * @param multicast tree for groups; null without a tree
     * @param hostOrder order of hosts in patterns
     * @param dump tables in place of those of the plan; null for those of the plan
     * @throws IllegalArgumentException if the fabric has fewer than two hosts, or has no tree for traffic to groups
     */
    public TrafficStudy(
            Plan plan,
            @Nullable MulticastTree multicast,
            RoutingOptions options,
            VlArbitrationPolicy arbitration,
            TrafficOrder order,
            HostOrder hostOrder,
            @Nullable DumpedFabric dump) {
        this.plan = plan;
        this.multicast = multicast;
        this.options = options;
        this.arbitration = arbitration;
        this.order = order;
        this.dump = dump;
        this.hostOrder = hostOrder;
        hosts = hostOrder.of(plan.subnet());
        torus = TorusMap.of(plan);
        torus.ifPresent(map -> IntStream.range(0, map.positions())
                .filter(position -> map.switchAt(position) != TorusMap.NONE)
                .forEach(position -> coordinates.put(
                        map.switchAt(position),
                        IntStream.range(0, TorusMap.DIMENSIONS)
                                .mapToObj(d -> map.coordinate(position, d))
                                .toList())));
        if (hosts.count() < 2) {
            throw new IllegalArgumentException("traffic takes two hosts at least, and the topology has " + hosts.count()
                    + "; take a topology with hosts, such as tree:4,2 or torus:4x4,hosts=1");
        }
        if (order.groupShare() > 0 && !(dump == null ? multicast != null : dump.hasGroup(GroupTraffic.MLID))) {
            throw new IllegalArgumentException(
                    dump == null
                            ? "there is no tree for multicast, so nothing can be sent to groups"
                            : "the dump has no tables of MLID " + GroupTraffic.MLID_TEXT
                                    + ", so nothing can be sent to groups; dump them while the group has members");
        }
    }

    /**
     * Simulates all loads.
     *
     * @param done callback, called after each run on the thread of the run
     * @throws IllegalArgumentException if the pattern does not fit the fabric
     */
    public TrafficReport report(Consumer<LoadResult> done) {
        destinations();
        List<LoadRun> played = IntStream.range(0, order.loads().size())
                .parallel()
                .mapToObj(i -> {
                    LoadRun each = new LoadRun(order.loads().get(i));
                    done.accept(each.run);
                    return each;
                })
                .toList();
        List<LoadResult> runs = played.stream()
                .map(each -> each.run)
                .sorted(Comparator.comparingDouble(LoadResult::load))
                .toList();
        List<Link> links = played.stream()
                .max(Comparator.comparingDouble(each -> each.run.load()))
                .map(each -> each.links)
                .orElse(List.of());
        return new TrafficReport(engine(), order.pattern().word(), slText(), hosts.count(), runs, links, hops.get());
    }

    /** Simulates a finite job and reports its duration. */
    public JobReport job(String name, FiniteWorkload job) {
        DataPlane plane = plane(job);
        Optional<Deadlock> deadlock = Optional.empty();
        while (job.undeliveredMessages() > 0 && !plane.isIdle() && deadlock.isEmpty()) {
            plane.run(plane.nowNs() + JOB_CHECK_INTERVAL_NS);
            deadlock = plane.deadlock();
        }
        return new JobReport(
                engine(),
                name,
                slText(),
                hosts.count(),
                job.bytes(),
                job.lastNs(),
                job.undeliveredMessages(),
                deadlock.map(Deadlock::lines).orElse(List.of()));
    }

    /** Simulates an all-reduce over rings of hosts; the pattern gives the successor of each host. */
    public JobReport allReduce(int vectorBytes) {
        Destinations ring = destinations();
        String name = "all-reduce of " + vectorBytes + " bytes, pattern "
                + order.pattern().word();
        return job(name, new RingAllReduce(hosts.count(), ring, vectorBytes));
    }

    /**
     * Returns the loads of cables under all shifts.
     *
     * @throws IllegalArgumentException if the fabric has no cable between switches
     */
    public ShiftReport shifts() {
        ShiftReport shifts = shiftLoads();
        if (shifts.cables() == 0) {
            throw new IllegalArgumentException(
                    "--shifts counts hosts over cables between switches, and the topology has"
                            + " no such cable; take a topology with several switches, such as tree:4,2");
        }
        return shifts;
    }

    /**
     * Returns the loads of cables under all shifts, and the results of all runs, as a row of a comparison.
     *
     * @param done callback, called after each run on the thread of the run
     */
    public TrafficComparison.Row row(String name, Consumer<LoadResult> done) {
        String note = plan.degradation().map(Degradation::summary).orElse("");
        return TrafficComparison.Row.of(name, shiftLoads(), report(done), note.isEmpty() ? "" : "DEGRADED: " + note);
    }

    private ShiftReport shiftLoads() {
        return ShiftReport.of(engine(), plan, hostOrder.isTree() ? "leaves" : "GUIDs", hosts, tables());
    }

    /**
     * Returns the destinations of the pattern.
     *
     * @throws IllegalArgumentException if the pattern does not fit the fabric
     */
    Destinations destinations() {
        return order.pattern().destinations(plan, hosts, order.shift(), order.seed());
    }

    /** Returns the hosts that send. */
    public Hosts hosts() {
        return hosts;
    }

    /** Returns the workload of an offered load, without messages to groups. */
    Workload offeredWorkload(double load) {
        return new OfferedLoad(hosts, destinations(), load, order.messageBytes(), order.upperShare(), order.seed());
    }

    /** Returns the name of the engine or of the dump. */
    String engine() {
        return dump == null ? plan.engine() : dump + ", SLs of " + plan.engine();
    }

    private String slText() {
        return order.sl() < 0 ? "SLs of path records" : "all with SL " + order.sl();
    }

    private DataPlane plane(Workload workload) {
        return plane(workload, order.settings());
    }

    /** Returns a data plane with settings in place of those of the order. */
    DataPlane plane(Workload workload, DataPlaneSettings settings) {
        return new DataPlane(hosts, tables(), sls(), workload, settings);
    }

    private ForwardingTables tables() {
        PlanTables tables = new PlanTables(plan, options, arbitration);
        if (multicast != null && order.groupShare() > 0) {
            int[] members = IntStream.range(0, hosts.count()).map(hosts::port).toArray();
            tables.addGroup(GroupTraffic.MLID, multicast.route(GroupTraffic.MLID, members));
        }
        return dump == null ? tables : dump.withFallback(tables);
    }

    private SlChoice sls() {
        int group = Integer.numberOfTrailingZeros(plan.multicastSls());
        SlChoice planned = (from, dlid, level) ->
                dlid >= GroupTraffic.MLID ? group : plan.pathSl(hosts.lid(from), dlid, LEVEL_SL * level);
        SlChoice granted = dump == null ? planned : dump.sls(hosts, planned);
        return (from, dlid, level) -> {
            int sl = granted.sl(from, dlid, level);
            return order.sl() < 0 || sl < 0 ? sl : order.sl();
        };
    }

    /** A run of one load. */
    private final class LoadRun {
        final LoadResult run;
        final List<Link> links;
        private final DataPlane plane;
        private final int[] cables;
        private final PortLoadSeries loadSeries;

        LoadRun(double load) {
            plane = plane(workload(load));
            cables = cables();
            loadSeries = new PortLoadSeries(plane, cables);
            long ns = (long) order.packetTimes() * order.settings().packetBytes() * hosts.psPerByte(0) / 1_000;
            Optional<Deadlock> deadlock = simulate(0, ns / 2);
            hops.addAndGet(plane.tally().hops());
            TrafficCounters tally = plane.resetCounters();
            deadlock = deadlock.isPresent() ? deadlock : simulate(ns / 2, ns);
            hops.addAndGet(tally.hops());
            links = links();
            double capacity = (plane.nowNs() - ns / 2) * 1_000.0 / hosts.psPerByte(0) * hosts.count();
            run = new LoadResult(
                    load,
                    deadlock.isPresent() || capacity <= 0 ? 0 : tally.bytes() / capacity,
                    tally.meanLatencyNs(),
                    tally.latencyNs(0.5),
                    tally.latencyNs(0.99),
                    links.isEmpty() ? 0 : links.get(0).busy(),
                    tally.drops(),
                    deadlock.map(Deadlock::lines).orElse(List.of()),
                    deadlock.isPresent() ? plane.nowNs() : 0);
        }

        private Optional<Deadlock> simulate(long fromNs, long forNs) {
            Optional<Deadlock> deadlock = Optional.empty();
            loadSeries.handleCounterReset();
            for (int look = 1; look <= DEADLOCK_CHECKS && deadlock.isEmpty(); look++) {
                plane.run(fromNs + forNs * look / DEADLOCK_CHECKS);
                loadSeries.sample();
                deadlock = plane.deadlock();
            }
            return deadlock;
        }

        private Workload workload(double load) {
            Workload offered = offeredWorkload(load);
            return order.groupShare() > 0 ? new GroupTraffic(offered, order.groupShare(), order.seed()) : offered;
        }

        /** Returns the port indexes of switches with a cable to another switch. */
        private int[] cables() {
            Fabric fabric = plan.subnet().fabric();
            return IntStream.range(0, fabric.portCount())
                    .filter(port -> fabric.isSwitch(fabric.nodeOf(port))
                            && fabric.peer(port) != Fabric.NONE
                            && fabric.isSwitch(fabric.nodeOf(fabric.peer(port))))
                    .toArray();
        }

        private List<Link> links() {
            return IntStream.range(0, cables.length)
                    .mapToObj(this::link)
                    .sorted(Comparator.comparingDouble((Link link) -> -link.busy()))
                    .toList();
        }

        private Link link(int cable) {
            Fabric fabric = plan.subnet().fabric();
            int port = cables[cable];
            return new Link(
                    fabric.portName(port),
                    fabric.portName(fabric.peer(port)),
                    Failure.portName(plan, port) + " to " + Failure.portName(plan, fabric.peer(port)),
                    plane.utilization(port),
                    torus.map(map -> map.direction(port)).orElse(""),
                    coordinates.getOrDefault(fabric.nodeOf(port), List.of()),
                    loadSeries.of(cable));
        }
    }
}
