package io.torussm.torus2qos;

import io.torussm.event.Finding;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanBuilder;
import io.torussm.routing.PlanExplainer;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.conf.Balance;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.torus2qos.conf.Torus2QosConf.Parsed;
import io.torussm.torus2qos.discovery.FabricFilter;
import io.torussm.torus2qos.discovery.FabricFilter.DataVls;
import io.torussm.torus2qos.discovery.KnownPlaces;
import io.torussm.torus2qos.discovery.Multipath;
import io.torussm.torus2qos.discovery.Placement;
import io.torussm.torus2qos.discovery.SeedAdvice;
import io.torussm.torus2qos.discovery.Torus;
import io.torussm.torus2qos.discovery.TorusCheck;
import io.torussm.torus2qos.discovery.UnplacedSwitches;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The torus-2QoS routing engine. The result of a run depends on the configuration file, the cabling, the LIDs
 * and the options, not on earlier runs: tables of a similar plan are reused only where a computation would give
 * the same tables. Thread-safe.
 */
public final class Torus2QosEngine implements Engine {
    /** The name in {@code routing_engine}. */
    public static final String NAME = "torus-2QoS";

    /** Data VLs on links between switches that two QoS levels and the failure of a switch need. */
    private static final int DATA_VLS = 8;

    /** Minimum of data VLs on links between switches: one for each side of a dateline. */
    private static final int MIN_VLS = 2;

    /** The SLs of multicast as bits: 0 and 8, the SLs of paths that cross no dateline. */
    private static final int MULTICAST_SLS = 1 | 1 << TorusSl.QOS_BIT;

    private static final EngineSetting FILE = new EngineSetting(
            "torus_config", EngineSetting.ValueFormat.FILE, "", "sizes of the torus, seeds, datelines and more");

    private static final EngineSetting ACCEPTS_UNPLACED = new EngineSetting(
            "accept_unplaced_switches",
            EngineSetting.ValueFormat.FLAG,
            "false",
            "route a torus without the switches whose coordinates are in doubt");

    private static final EngineSetting BALANCE = new EngineSetting(
            "balance",
            EngineSetting.ValueFormat.TEXT,
            "off",
            "directions round rings: off, as in OpenSM; ties, both between opposite switches; one_sl, safe with any SL of hosts");

    private static final EngineSetting MULTIPATH = new EngineSetting(
            "multipath",
            EngineSetting.ValueFormat.TEXT,
            "off",
            "paths to every second LID of a port: off, the same; sides, the other direction for ties; orders, also z, y, x for x, y, z");

    /** The input of every run; null if each run takes it from the settings. */
    private final @Nullable Setup fixedSetup;

    /**
     * The input of a run that comes from settings.
     *
     * @param acceptsUnplaced the treatment of a switch that may belong at an empty position, but lacks the cables by
     *     which OpenSM would place it. True to route without it and its hosts, exactly as OpenSM does. False to
     *     place it if two cables determine its position, else to refuse
     */
    private record Setup(Parsed parsed, int threads, boolean acceptsUnplaced, Balance balance, Multipath multipath) {
        Setup {
            if (threads < 1) {
                throw new IllegalArgumentException("cannot route on " + threads + " threads");
            }
        }

        static Setup of(EngineConfig config) {
            return new Setup(
                    parse(config),
                    config.threads(),
                    config.flag(ACCEPTS_UNPLACED.key()),
                    Balance.of(config.value(BALANCE.key())),
                    Multipath.of(config.value(MULTIPATH.key())));
        }

        private static Parsed parse(EngineConfig config) {
            EngineFile file = config.file(FILE.key())
                    .orElse(EngineFile.unreadable(
                            "torus-2QoS.conf", "no file was named; give --torus_config FILE, or set torus_config"));
            String text = file.text();
            return text == null
                    ? Torus2QosConf.unreadable(file.name(), file.problem())
                    : Torus2QosConf.parse(file.name(), text);
        }
    }

    /** Creates the engine with the settings of each run. */
    public Torus2QosEngine() {
        this.fixedSetup = null;
    }

    /**
     * Creates an engine on all processors.
     *
     * @param parsed configuration; if it has errors, every run is refused with them
     */
    public Torus2QosEngine(Parsed parsed) {
        this(parsed, Runtime.getRuntime().availableProcessors());
    }

    /**
     * Creates an engine with a file that was read already, on some threads.
     *
     * @param threads number of threads, at least 1; the result does not depend on it
     */
    public Torus2QosEngine(Parsed parsed, int threads) {
        this(parsed, threads, Balance.OFF, Multipath.OFF);
    }

    /** Creates an engine with a file that was read already, and with settings of paths. */
    Torus2QosEngine(Parsed parsed, int threads, Balance balance, Multipath multipath) {
        this.fixedSetup = new Setup(parsed, threads, false, balance, multipath);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public List<EngineSetting> settings() {
        return List.of(FILE, ACCEPTS_UNPLACED, BALANCE, MULTIPATH);
    }

    @Override
    public boolean hasOwnSl2Vl() {
        return true;
    }

    @Override
    public List<Finding> check(EngineConfig config, RoutingOptions options) {
        Setup setup = Setup.of(config);
        Parsed parsed = setup.parsed();
        List<Finding> findings = new ArrayList<>(parsed.findings());
        findings.addAll(conflicts(setup));
        if (parsed.conf() != null && !options.qos()) {
            findings.add(SmEvent.TORUS_QOS_OFF.finding(
                    "torus-2QoS will refuse to route without QoS; start with -Q, or set qos = true"));
        }
        return findings;
    }

    @Override
    public RoutingResult route(EngineContext context) {
        Setup setup = fixedSetup == null ? Setup.of(context.config()) : fixedSetup;
        Parsed parsed = setup.parsed();
        List<Finding> findings = new ArrayList<>();
        if (!context.options().qos()) {
            findings.add(SmEvent.TORUS_QOS_MISSING.finding(
                    "torus-2QoS needs QoS, since its SLs and SL2VL tables keep the fabric free of "
                            + "credit loops; start with -Q, or set qos = true"));
        }
        findings.addAll(parsed.findings());
        findings.addAll(conflicts(setup));
        if (parsed.draft() != null) {
            findings.addAll(SeedAdvice.proposals(context.subnet().fabric(), parsed.draft()));
        }
        Torus2QosConf conf = parsed.conf();
        return conf == null || hasError(findings)
                ? new Refusal(NAME, findings, planFromKnownPlaces(context, setup))
                : route(context, setup, conf.with(setup.balance()), findings);
    }

    /**
     * Returns a plan for the routable part, with remembered positions, if the settings or the file refuse every
     * fabric. If both balance and multipath are set, balance is effective if the active plan has it, otherwise
     * multipath.
     *
     * @return null if no positions are remembered, or if the file has errors other than seeds
     */
    private static @Nullable Plan planFromKnownPlaces(EngineContext context, Setup setup) {
        Torus2QosConf wholeConf = setup.parsed().conf();
        Torus2QosConf draft = wholeConf == null ? setup.parsed().draft() : wholeConf;
        if (draft == null || context.places().isEmpty()) {
            return null;
        }
        Balance balance = conflicts(setup).isEmpty() ? setup.balance() : balance(context.active());
        Multipath multipath = balance == Balance.OFF ? setup.multipath() : Multipath.OFF;
        Torus2QosConf conf = draft.with(balance);
        Fabric fabric = context.subnet().fabric();
        Placement placement = new Placement(fabric, conf, setup.acceptsUnplaced());
        Torus placed = wholeConf == null ? null : placement.place(new ArrayList<>());
        int maxOpVls = context.options().maxOpVls();
        int switchVls = FabricFilter.switchLinkVls(fabric, maxOpVls).count();
        int endportVls = FabricFilter.endportVls(fabric, maxOpVls).count();
        TorusSl2Vl sl2vl =
                new TorusSl2Vl(switchVls, endportVls, balance == Balance.ONE_SL, multipath == Multipath.ORDERS);
        Setup used = new Setup(setup.parsed(), setup.threads(), setup.acceptsUnplaced(), balance, multipath);
        return partial(context, fabric, used, conf, placement.isSizeCertain() ? placed : null, sl2vl);
    }

    private static Balance balance(@Nullable Plan active) {
        PlanExplainer explainer = active == null ? PlanExplainer.NONE : active.explainer();
        return explainer instanceof TorusExplainer torus ? torus.torus().conf().balance() : Balance.OFF;
    }

    @Override
    public Map<Long, String> places(Fabric fabric, EngineConfig config) {
        Setup setup = Setup.of(config);
        Torus2QosConf conf = setup.parsed().conf();
        Torus torus = conf == null || fabric.switchCount() == 0
                ? null
                : new Placement(fabric, conf, setup.acceptsUnplaced()).place(new ArrayList<>());
        return torus == null
                ? Map.of()
                : IntStream.range(0, torus.slots())
                        .boxed()
                        .collect(Collectors.toMap(
                                slot -> fabric.nodeGuid(torus.switchOf(slot)),
                                slot -> torus.formatPosition(torus.positionOf(slot))));
    }

    private static List<Finding> conflicts(Setup setup) {
        return setup.balance() == Balance.OFF || setup.multipath() == Multipath.OFF
                ? List.of()
                : List.of(SmEvent.TORUS_CONF_ERROR.finding(
                        "multipath shares out paths by LIDs and balance without them, so one of the two must be off"));
    }

    private static RoutingResult route(EngineContext context, Setup setup, Torus2QosConf conf, List<Finding> findings) {
        Fabric wholeFabric = context.subnet().fabric();
        RoutingOptions options = context.options();
        DataVls switchVls = FabricFilter.switchLinkVls(wholeFabric, options.maxOpVls());
        DataVls endportVls = FabricFilter.endportVls(wholeFabric, options.maxOpVls());
        checkVls(wholeFabric, switchVls, endportVls, options, findings);
        boolean hasOrders = setup.multipath() == Multipath.ORDERS;
        if (hasOrders && switchVls.count() < DATA_VLS) {
            findings.add(SmEvent.TORUS_FEW_VLS.finding("multipath = orders needs " + DATA_VLS
                    + " data VLs on links between switches, 4 for each order, and there are " + switchVls.count() + "; "
                    + fewVlsMessage(wholeFabric, switchVls, options) + "; allow 8, or take multipath = sides"));
        }
        checkPortOrder(wholeFabric, conf, findings);
        int needed = hasOrders ? DATA_VLS : MIN_VLS;
        Fabric fabric =
                switchVls.count() < needed ? wholeFabric : withoutLinksOfFewVls(wholeFabric, needed, options, findings);
        Placement placement = new Placement(fabric, conf, setup.acceptsUnplaced());
        KnownPlaces places = new KnownPlaces(fabric, conf, context.places());
        Torus known = placement.hasSeed() ? null : places.torusOfKnownPlaces();
        Torus torus = known == null ? placement.place(findings) : known;
        if (known != null) {
            findings.add(SmEvent.TORUS_SEEDS_ABSENT.finding(
                    conf.file() + ": no seed has all of its switches in this fabric; " + known.slots()
                            + " switches stand where they stood"));
            findings.addAll(new UnplacedSwitches(known).findings(setup.acceptsUnplaced()));
        }
        TorusSl2Vl sl2vl =
                new TorusSl2Vl(switchVls.count(), endportVls.count(), conf.balance() == Balance.ONE_SL, hasOrders);
        boolean isTooSmall = !setup.acceptsUnplaced() && places.areLarger(torus);
        EngineContext keptContext = context.withoutActivePlan();
        if (torus != null) {
            TorusCheck check = new TorusCheck(torus, context.places());
            findings.addAll(check.findings());
            if (isTooSmall) {
                findings.addAll(new UnplacedSwitches(torus).strays(SmEvent.TORUS_PLACEMENT_ERROR));
            }
            LidPaths paths = new LidPaths(torus, context.subnet().with(fabric), conf, setup.multipath(), true);
            if (!hasError(findings)) {
                findings.addAll(paths.unroutable());
            }
            if (!hasError(findings)) {
                findings.add(SmEvent.TORUS_BUILT.finding(
                        "built " + conf.describe() + " with " + torus.slots() + " switches, data VLs: "
                                + switchVls.count() + " between switches, " + endportVls.count() + " at end ports"));
                return plan(context, setup, paths, sl2vl)
                        .roles(new TorusPorts(torus, sl2vl)::role)
                        .multicast(TorusTree.of(torus), TorusTree.roots(torus), multicastSls(paths))
                        .unprovableReasons(check.unprovableReasons(switchVls.count(), hasOrders))
                        .findings(findings)
                        .partialRefusal(() -> refuseStrays(keptContext, setup, places, paths, sl2vl))
                        .build();
            }
        }
        boolean isSizeCertain = placement.isSizeCertain() && !isTooSmall;
        return new Refusal(NAME, findings, partial(context, fabric, setup, conf, isSizeCertain ? torus : null, sl2vl));
    }

    /**
     * Returns the refusal of stray switches, with a plan for the routable part; empty without strays. The strays get
     * their routes beside this plan (ADR 34).
     */
    private static Optional<Refusal> refuseStrays(
            EngineContext context, Setup setup, KnownPlaces places, LidPaths paths, TorusSl2Vl sl2vl) {
        Torus placed = paths.torus();
        List<Finding> strays = setup.acceptsUnplaced()
                ? List.of()
                : new UnplacedSwitches(placed).strays(SmEvent.TORUS_PLACEMENT_ERROR);
        if (strays.isEmpty()) {
            return Optional.empty();
        }
        Torus completed = places.complete(placed);
        Plan partial = completed == placed
                ? completablePlan(context, setup, paths, sl2vl)
                : partial(context, setup, completed, sl2vl);
        return Optional.of(new Refusal(NAME, strays, partial));
    }

    /** Returns the fabric without cables between switches that have fewer than {@code needed} data VLs. */
    private static Fabric withoutLinksOfFewVls(
            Fabric wholeFabric, int needed, RoutingOptions options, List<Finding> findings) {
        int[] poor = FabricFilter.linksWithFewVls(wholeFabric, options.maxOpVls(), needed);
        for (int port : poor) {
            findings.add(SmEvent.LINK_HAS_FEW_VLS.finding(
                    "the cable from ",
                    wholeFabric.devicePort(port),
                    " to " + wholeFabric.portName(wholeFabric.peer(port)) + " is left out: it has fewer than " + needed
                            + " data VLs, and most others have "
                            + FabricFilter.switchLinkVls(wholeFabric, options.maxOpVls())
                                    .count()));
        }
        return poor.length == 0 ? wholeFabric : wholeFabric.without(poor);
    }

    /**
     * Returns a plan for the routable part; null if the positions of switches are unknown.
     *
     * @param placed torus that the seeds gave; null if there is no such torus, or its sizes are uncertain
     */
    private static @Nullable Plan partial(
            EngineContext context,
            Fabric fabric,
            Setup setup,
            Torus2QosConf conf,
            @Nullable Torus placed,
            TorusSl2Vl sl2vl) {
        KnownPlaces known = new KnownPlaces(fabric, conf, context.places());
        Torus torus = placed == null ? known.torusOfAnySizes() : known.complete(placed);
        return torus == null ? null : partial(context, setup, torus, sl2vl);
    }

    private static Plan partial(EngineContext context, Setup setup, Torus torus, TorusSl2Vl sl2vl) {
        Subnet subnet = context.subnet().with(torus.fabric());
        LidPaths paths = new LidPaths(torus, subnet, torus.conf(), setup.multipath(), false);
        return completablePlan(context, setup, paths, sl2vl);
    }

    private static Plan completablePlan(EngineContext context, Setup setup, LidPaths paths, TorusSl2Vl sl2vl) {
        Torus torus = paths.torus();
        return plan(context, setup, paths, sl2vl)
                .sls(paths.sls(true))
                .multicast(Optional.of(TorusTree.partial(torus)), TorusTree.roots(torus), multicastSls(paths))
                .build();
    }

    private static int multicastSls(LidPaths paths) {
        return paths.hasOrders() ? 1 : MULTICAST_SLS;
    }

    private static PlanBuilder plan(EngineContext context, Setup setup, LidPaths paths, TorusSl2Vl sl2vl) {
        Subnet subnet = context.subnet();
        TorusPorts ports = new TorusPorts(paths.torus(), sl2vl);
        Plan similar = context.similarPlan();
        LidPaths previous = similar != null && similar.sls() instanceof TorusSl sls ? sls.paths() : null;
        return Plan.builder(NAME, subnet, paths.tables(setup.threads(), previous))
                .ownSl2Vl(DATA_VLS, ports::sl2vl, ports::sl2vl)
                .sls(paths.sls(false))
                .claimsDeadlockFree()
                .explainer(new TorusExplainer(
                        paths, subnet, sl2vl, paths.torus().conf().maxChanges()));
    }

    private static void checkVls(
            Fabric fabric, DataVls switchVls, DataVls endportVls, RoutingOptions options, List<Finding> findings) {
        int count = switchVls.count();
        String which = fewVlsMessage(fabric, switchVls, options);
        if (count < MIN_VLS) {
            findings.add(SmEvent.TORUS_FEW_VLS.finding(
                    "torus-2QoS needs at least 2 data VLs on links between switches, 8 for all it can do; " + which));
        } else if (count < 4) {
            findings.add(SmEvent.TORUS_FEWER_VLS.finding(
                    "with fewer than 4 data VLs on links between switches the failure of a switch "
                            + "can cause credit loops, and there is one QoS level only; " + which));
        } else if (count < 8) {
            findings.add(SmEvent.TORUS_FEWER_VLS.finding(
                    "with fewer than 8 data VLs on links between switches there is one QoS level only; " + which));
        }
        if (count >= MIN_VLS && switchVls.minVls() < count && switchVls.minVls() >= MIN_VLS) {
            findings.add(SmEvent.TORUS_FEWER_VLS.finding("most links between switches have " + count + " data VLs, and "
                    + which + "; packets share VLs there"));
        }
        if (endportVls.minVls() < MIN_VLS) {
            findings.add(SmEvent.TORUS_FEWER_VLS.finding(
                    "with fewer than 2 data VLs at end ports the two QoS levels share a VL there; "
                            + fewVlsMessage(fabric, endportVls, options)));
        }
    }

    private static String fewVlsMessage(Fabric fabric, DataVls vls, RoutingOptions options) {
        return vls.port() == Fabric.NONE
                ? ""
                : fabric.portName(vls.port()) + " has " + vls.minVls() + " (max_op_vls = " + options.maxOpVls() + ")";
    }

    /**
     * Adds a finding if {@code port_order} names a port that switches lack. It is an error if at least half of the
     * switches lack the port, otherwise a warning. For each switch, only the first {@code numPorts + 1} entries
     * count.
     */
    private static void checkPortOrder(Fabric fabric, Torus2QosConf conf, List<Finding> findings) {
        int switches = fabric.switchCount();
        for (int i = 0; i < Torus2QosConf.PORT_ORDER_LENGTH; i++) {
            int named = conf.portOrder(i);
            int index = i;
            int[] without = IntStream.range(0, switches)
                    .filter(sw -> index <= fabric.numPorts(sw) && named > fabric.numPorts(sw))
                    .toArray();
            if (without.length > 0) {
                boolean isOutlier = 2 * without.length < switches;
                String text = conf.linePrefix(conf.portOrderLine()) + "port_order names port " + named + ", but "
                        + fabric.name(without[0]) + " has ports 1 to " + fabric.numPorts(without[0])
                        + " only; name ports that every switch has";
                findings.add((isOutlier ? SmEvent.TORUS_CONF_WARNING : SmEvent.TORUS_CONF_ERROR).finding(text));
                return;
            }
        }
    }

    private static boolean hasError(List<Finding> findings) {
        return findings.stream().anyMatch(finding -> finding.severity() == Severity.ERROR);
    }
}
