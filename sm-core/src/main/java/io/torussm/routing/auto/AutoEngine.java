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
    private record Tried(
            String name,
            RoutingChain.ChainResult result,
            @Nullable PathStatistics paths) {
        /** Sorts outcomes with multicast before those without, then by number of pairs, descending. */
        static final Comparator<Tried> SERVES_LESS = Comparator.comparing(
                        (Tried candidate) -> candidate.result.multicast() == null)
                .thenComparingLong(candidate -> -candidate.counted().pairs());

        static final Comparator<Tried> WORSE_LAST = SERVES_LESS
                .thenComparingInt(candidate -> candidate.counted().maxLoad())
                .thenComparingDouble(candidate -> candidate.counted().meanHops());

        boolean isRouted() {
            return paths != null;
        }

        PathStatistics counted() {
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
                    counted().pairs(),
                    counted().maxLoad(),
                    counted().meanHops(),
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
        Optional<Tried> keptEngine = kept(context, tree, previous);
        List<String> better = keptEngine.isPresent() && isWholeNow(tree, previous)
                ? fit.before(keptEngine.get().name())
                : List.of();
        if (keptEngine.isPresent() && better.isEmpty()) {
            return stays(keptEngine.get());
        }
        List<Finding> notes = new ArrayList<>();
        List<String> conf = tree.isTree()
                ? List.of()
                : torus.conf(
                        context.subnet(), context.options(), context.config().threads());
        List<Tried> outcomes = new ArrayList<>(tried(fit.names(), context, tree));
        if (outcomes.stream().limit(1).noneMatch(Tried::isRouted)) {
            outcomes.addAll(tried(fit.substitutes(), context, tree));
        }
        SafestOfSimilar<Tried> similar = new SafestOfSimilar<>(
                candidate -> candidate.counted().maxLoad(),
                candidate -> SlVerdicts.of(
                        Objects.requireNonNull(candidate.result().plan()),
                        candidate.result().multicast(),
                        context.options(),
                        new DeadlockChecker(context.config().threads())));
        List<Tried> sorted = outcomes.stream()
                .filter(Tried::isRouted)
                .sorted(Tried.WORSE_LAST)
                .toList();
        Optional<Tried> best = similar.choose(sorted.stream()
                .takeWhile(candidate -> Tried.SERVES_LESS.compare(candidate, sorted.get(0)) == 0)
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
        return SmEvent.ROUTING_NOTE.says("auto: " + text);
    }

    private static Plan stays(Tried keptEngine) {
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

    private static Plan taken(Tried candidate, List<Finding> notes) {
        return Objects.requireNonNull(candidate.result().plan()).after(notes);
    }

    private static Refusal refusal(List<Tried> outcomes, List<Finding> notes) {
        List<Finding> findings = new ArrayList<>(notes);
        outcomes.forEach(candidate -> findings.addAll(candidate.result().findings()));
        return new Refusal(
                NAME,
                findings,
                outcomes.stream()
                        .flatMap(candidate ->
                                Stream.ofNullable(candidate.result().partial()))
                        .findFirst()
                        .orElse(null));
    }

    /**
     * Returns the outcome of the engine of the active routes. Empty if its plan is not proved any more, or if the
     * fabric has become a tree or a hypercube.
     */
    private Optional<Tried> kept(EngineContext context, FabricTree tree, @Nullable FabricTree previous) {
        Plan active = context.active();
        Engine engine = active == null ? null : engines.get(active.engine());
        if (active == null
                || engine == null
                || eligible().noneMatch(engine::equals)
                || (previous != null && previous.shape() != tree.shape())) {
            return Optional.empty();
        }
        return Optional.of(tried(engine, context, tree)).filter(Tried::isRouted);
    }

    private List<Tried> tried(List<String> names, EngineContext context, FabricTree tree) {
        return names.stream()
                .flatMap(name -> Stream.ofNullable(engines.get(name)))
                .map(engine -> tried(engine, context, tree))
                .toList();
    }

    /**
     * Tries an engine. If it refuses and has a setting for roots, tries it again with the spines, or the switches
     * farthest from hosts, as roots. Some engines need roots on a damaged tree.
     */
    private static Tried tried(Engine engine, EngineContext context, FabricTree tree) {
        Tried plain = tried(engine, context, context.config());
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
        Tried withRoots = tried(
                engine,
                context,
                new EngineConfig(config.values(), files, config.simulated(), config.sl2vl(), config.threads()));
        return withRoots.isRouted() ? withRoots : plain;
    }

    private static Tried tried(Engine engine, EngineContext context, EngineConfig config) {
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
        return new Tried(
                engine.name(), result, plan == null ? null : PathStatistics.of(plan, new PathEnds(plan.subnet())));
    }
}
