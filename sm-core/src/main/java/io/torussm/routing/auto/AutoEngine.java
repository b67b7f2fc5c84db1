package io.torussm.routing.auto;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.balance.GuidFile;
import io.torussm.routing.statistics.PathStatistics;
import io.torussm.subnet.Subnet;
import io.torussm.tree.FabricShape;
import io.torussm.tree.FabricTree;
import io.torussm.tree.TreeFault;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The engine that chooses among engines: the best engine that fits the fabric and whose plan is proved. The
 * package has the criteria.
 */
public final class AutoEngine implements Engine {
    /** The name in {@code routing_engine}. */
    public static final String NAME = "auto";

    private static final String TORUS = "torus ";

    private final Map<String, Engine> engines;
    private final TorusAdvice torus;

    /** The recognition of a torus. */
    public interface TorusAdvice {
        /**
         * Returns the lines of a torus-2QoS.conf for a fabric; empty if it is no torus.
         *
         * @param threads number of threads, at least 1
         */
        List<String> conf(Subnet subnet, RoutingOptions options, int threads);
    }

    /**
     * Creates the engine.
     *
     * @param engines all engines; an engine that {@link FittingEngines} lists for no shape is not used
     */
    public AutoEngine(List<Engine> engines, TorusAdvice torus) {
        this.engines = engines.stream()
                .collect(Collectors.toMap(Engine::name, engine -> engine, (one, other) -> one, LinkedHashMap::new));
        this.torus = torus;
    }

    @Override
    public String name() {
        return NAME;
    }

    /** Returns the engines that may be chosen on some fabric. */
    private Stream<Engine> eligible() {
        return Stream.of(FabricShape.values())
                .map(shape -> new FittingEngines(shape, 0))
                .flatMap(fit -> Stream.concat(fit.names().stream(), fit.substitutes().stream()))
                .distinct()
                .flatMap(name -> Stream.ofNullable(engines.get(name)));
    }

    @Override
    public List<EngineSetting> settings() {
        return eligible()
                .flatMap(engine -> engine.settings().stream())
                .collect(Collectors.toMap(
                        EngineSetting::key, setting -> setting, (one, other) -> one, LinkedHashMap::new))
                .values()
                .stream()
                .toList();
    }

    @Override
    public List<Finding> check(EngineConfig config, RoutingOptions options) {
        return eligible()
                .flatMap(engine -> engine.check(config, options).stream())
                // Without QoS an engine that needs VLs may refuse, and then another one is chosen.
                .filter(finding -> options.qos() || finding.severity() == Finding.Severity.ERROR)
                .distinct()
                .toList();
    }

    /**
     * The outcome of one engine.
     *
     * @param paths statistics of its plan; null if it refused, or its plan was not proved
     */
    private record EngineOutcome(
            String name,
            RoutingChain.ChainResult result,
            @Nullable PathStatistics paths) {
        /** Sorts outcomes with multicast before those without, then by number of pairs, descending. */
        static final Comparator<EngineOutcome> BY_SERVICE = Comparator.comparing(
                        (EngineOutcome candidate) -> candidate.result.multicast() == null)
                .thenComparingLong(candidate -> -candidate.pathsOrNone().pairs());

        static final Comparator<EngineOutcome> BY_QUALITY = BY_SERVICE
                .thenComparingInt(candidate -> candidate.pathsOrNone().maxLoad())
                .thenComparingDouble(candidate -> candidate.pathsOrNone().meanHops());

        boolean isRouted() {
            return paths != null;
        }

        PathStatistics pathsOrNone() {
            return Objects.requireNonNullElseGet(paths, () -> new PathStatistics(0, Map.of(), Map.of(), new int[1]));
        }

        String line() {
            if (!isRouted()) {
                return result.refusals().stream()
                        .flatMap(refusal -> refusal.findings().stream())
                        .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                        .findFirst()
                        .map(error -> String.format(Locale.ROOT, "%-8s refused: %s", name, error.text()))
                        .orElse(name);
            }
            return String.format(
                    Locale.ROOT,
                    "%-8s proved, %d paths, at most %d over a cable, %.2f hops on average%s",
                    name,
                    pathsOrNone().pairs(),
                    pathsOrNone().maxLoad(),
                    pathsOrNone().meanHops(),
                    result.multicast() == null ? ", no multicast" : "");
        }
    }

    @Override
    public RoutingResult route(EngineContext context) {
        Fabric fabric = context.subnet().fabric();
        FabricTree tree = FabricTree.of(fabric);
        FittingEngines fit = new FittingEngines(tree.shape(), fabric.switchCount());
        Plan active = context.active();
        FabricTree previous = active == null || fit.isForAnyShape()
                ? null
                : FabricTree.of(active.subnet().fabric());
        Optional<EngineOutcome> keptEngine = kept(context, tree, previous);
        List<String> better = keptEngine.isPresent() && isWholeNow(tree, previous)
                ? fit.namesBefore(keptEngine.get().name())
                : List.of();
        if (keptEngine.isPresent() && better.isEmpty()) {
            return stays(keptEngine.get());
        }
        List<Finding> notes = new ArrayList<>();
        List<String> conf = tree.isTree()
                ? List.of()
                : torus.conf(
                        context.subnet(), context.options(), context.config().threads());
        List<EngineOutcome> outcomes = new ArrayList<>(tried(fit.names(), context, tree));
        if (outcomes.stream().limit(1).noneMatch(EngineOutcome::isRouted)) {
            outcomes.addAll(tried(fit.substitutes(), context, tree));
        }
        SafestOfSimilar<EngineOutcome> similar = new SafestOfSimilar<>(
                candidate -> candidate.pathsOrNone().maxLoad(),
                candidate -> SlVerdicts.of(
                        Objects.requireNonNull(candidate.result().plan()),
                        candidate.result().multicast(),
                        context.options(),
                        new DeadlockChecker(context.config().threads())));
        List<EngineOutcome> sorted = outcomes.stream()
                .filter(EngineOutcome::isRouted)
                .sorted(EngineOutcome.BY_QUALITY)
                .toList();
        Optional<EngineOutcome> best = similar.choose(sorted.stream()
                .takeWhile(candidate -> EngineOutcome.BY_SERVICE.compare(candidate, sorted.get(0)) == 0)
                .toList());
        if (keptEngine.isPresent()
                && best.filter(candidate -> better.contains(candidate.name())).isEmpty()) {
            return stays(keptEngine.get());
        }
        notes.add(note("the fabric is " + text(tree.shape(), conf) + "; "
                + best.map(candidate -> candidate.name() + " is chosen").orElse("no engine is proved") + " of "
                + outcomes.size()));
        outcomes.forEach(candidate -> notes.add(note(candidate.line() + similar.text(candidate))));
        if (!conf.isEmpty()) {
            notes.add(note("torus-2QoS, which keeps SLs over failures, could route it: torus-sm suggest-conf writes the"
                    + " torus-2QoS.conf for torus_config"));
        }
        return best.<RoutingResult>map(candidate -> taken(candidate, notes)).orElseGet(() -> refusal(outcomes, notes));
    }

    /**
     * Returns the shape as a text for operators. A torus of rings of four is a hypercube, too.
     *
     * @param conf lines of the proposed torus-2QoS.conf, empty if the fabric is no torus
     */
    private static String text(FabricShape shape, List<String> conf) {
        String torus = conf.stream()
                .filter(line -> line.startsWith(TORUS))
                .map(line -> line.substring(TORUS.length()).replace(' ', 'x'))
                .findFirst()
                .orElse("");
        if (conf.isEmpty()) {
            return shape.text();
        }
        return (shape == FabricShape.HYPERCUBE ? shape.text() + ", or a torus " : "a torus or a mesh ") + torus;
    }

    private static Finding note(String text) {
        return SmEvent.ROUTING_NOTE.finding("auto: " + text);
    }

    private static Plan stays(EngineOutcome keptEngine) {
        return taken(keptEngine, List.of(note(keptEngine.name() + " stays: it still routes the fabric")));
    }

    /**
     * Checks whether a tree is complete now, but lacked cables when the active routes were made.
     *
     * @param previous tree at that time; null without an active plan
     */
    private static boolean isWholeNow(FabricTree tree, @Nullable FabricTree previous) {
        return previous != null
                && tree.isTree()
                && tree.faults().stream().allMatch(fault -> fault.kind() == TreeFault.FaultType.HOSTS_ABOVE)
                && tree.cables() > previous.cables();
    }

    private static Plan taken(EngineOutcome candidate, List<Finding> notes) {
        return Objects.requireNonNull(candidate.result().plan()).withFindings(notes);
    }

    private static Refusal refusal(List<EngineOutcome> outcomes, List<Finding> notes) {
        List<Finding> findings = new ArrayList<>(notes);
        outcomes.forEach(candidate -> findings.addAll(candidate.result().findings()));
        return new Refusal(
                NAME,
                findings,
                outcomes.stream()
                        .flatMap(candidate ->
                                Stream.ofNullable(candidate.result().partialPlan()))
                        .findFirst()
                        .orElse(null));
    }

    /**
     * Returns the outcome of the engine of the active routes. Empty if its plan is not proved any more, or if the
     * fabric has become a tree or a hypercube.
     */
    private Optional<EngineOutcome> kept(EngineContext context, FabricTree tree, @Nullable FabricTree previous) {
        Plan active = context.active();
        Engine engine = active == null ? null : engines.get(active.engine());
        if (active == null
                || engine == null
                || eligible().noneMatch(engine::equals)
                || (previous != null && previous.shape() != tree.shape())) {
            return Optional.empty();
        }
        return Optional.of(tried(engine, context, tree)).filter(EngineOutcome::isRouted);
    }

    private List<EngineOutcome> tried(List<String> names, EngineContext context, FabricTree tree) {
        return names.stream()
                .flatMap(name -> Stream.ofNullable(engines.get(name)))
                .map(engine -> tried(engine, context, tree))
                .toList();
    }

    /**
     * Tries an engine. If it refuses and has a setting for roots, tries it again with the spines, or the switches
     * farthest from hosts, as roots. Some engines need roots on a damaged tree.
     */
    private static EngineOutcome tried(Engine engine, EngineContext context, FabricTree tree) {
        EngineOutcome plain = tried(engine, context, context.config());
        boolean hasRoots =
                engine.settings().stream().anyMatch(setting -> setting.key().equals(GuidFile.ROOTS));
        if (plain.isRouted()
                || !hasRoots
                || context.config().file(GuidFile.ROOTS).isPresent()) {
            return plain;
        }
        String roots = TreeTops.of(tree)
                .mapToObj(sw -> Guid.format(tree.fabric().nodeGuid(sw)))
                .collect(Collectors.joining("\n"));
        EngineConfig config = context.config();
        Map<String, EngineFile> files = new HashMap<>(config.files());
        files.put(GuidFile.ROOTS, EngineFile.read("switches farthest from hosts", roots));
        EngineOutcome withRoots = tried(
                engine,
                context,
                new EngineConfig(config.values(), files, config.simulated(), config.sl2vl(), config.threads()));
        return withRoots.isRouted() ? withRoots : plain;
    }

    private static EngineOutcome tried(Engine engine, EngineContext context, EngineConfig config) {
        RoutingChain chain = new RoutingChain(
                new DeadlockChecker(config.threads()),
                List.of(new RoutingChain.Member(engine, config)),
                ChainPolicy.STRICT);
        RoutingChain.ChainResult result = chain.route(
                context.subnet(),
                context.options(),
                context.active(),
                new EarlierFacts(context.places(), context.tree()));
        Plan plan = result.plan();
        return new EngineOutcome(
                engine.name(), result, plan == null ? null : PathStatistics.of(plan, new PathEnds(plan.subnet())));
    }
}
