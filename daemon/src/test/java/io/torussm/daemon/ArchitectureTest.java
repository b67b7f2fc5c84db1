package io.torussm.daemon;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import io.torussm.routing.Engine;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The permitted dependencies between packages. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar") && !location.contains("/test-classes/"))
            .importPackages("io.torussm");
    /** By module: the modules that it may know. A module that is not named here belongs to no layer. */
    private static final Map<String, Set<String>> KNOWN = Map.of(
            "mad-transport", Set.of(),
            "sm-core", Set.of("mad-transport"),
            "qos", Set.of("mad-transport", "sm-core"),
            "routing-torus2qos", Set.of("mad-transport", "sm-core"),
            "daemon", Set.of("mad-transport", "sm-core", "qos", "routing-torus2qos"));

    /**
     * The module of a class is the directory or the jar that it was compiled into, wherever the build puts its output.
     */
    private static final Pattern MODULE =
            Pattern.compile(".*/(?!target/)([a-z0-9-]+)(?:/target)?/classes/.*|.*/([a-z0-9-]+)-\\d[^/]*\\.jar!/.*");

    @Test
    void everyPackageBelongsToALayer() {
        assertThat(moduleByPackage())
                .isNotEmpty()
                .allSatisfy((name, module) -> assertThat(KNOWN).as(name).containsKey(module));
        assertThat(moduleByPackage().values()).containsAll(KNOWN.keySet());
    }

    @Test
    void modulesDependOneWay() {
        Map<String, String> modules = moduleByPackage();
        List<String> faults = CLASSES.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(each -> {
                    String from = modules.get(each.getOriginClass().getPackageName());
                    String to = modules.get(each.getTargetClass().getPackageName());
                    return from != null
                            && to != null
                            && !from.equals(to)
                            && !KNOWN.getOrDefault(from, Set.of()).contains(to);
                })
                .map(Dependency::getDescription)
                .toList();
        assertThat(faults).isEmpty();
    }

    @Test
    void enginesDoNotKnowEachOther() {
        List<String> engines = enginePackages();
        assertThat(engines).hasSizeGreaterThan(1);
        List<String> faults = CLASSES.stream()
                .flatMap(type -> type.getDirectDependenciesFromSelf().stream())
                .filter(each -> engines.stream()
                        .anyMatch(one -> isIn(each.getOriginClass().getPackageName(), one)
                                && engines.stream()
                                        .anyMatch(other -> !other.equals(one)
                                                && isIn(each.getTargetClass().getPackageName(), other))))
                .map(Dependency::getDescription)
                .toList();
        assertThat(faults).isEmpty();
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.torussm.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void routingIsPure() {
        noClasses()
                .that()
                .resideInAnyPackage(pure())
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.torussm.transport..",
                        "io.torussm.sim..",
                        "io.torussm.event.log..",
                        "org.slf4j..",
                        "java.io..",
                        "java.nio.file..",
                        "java.nio.channels..",
                        "java.net..",
                        "java.time..")
                .check(CLASSES);
    }

    /**
     * An auditor reads one package: it knows wire formats, the fabric and the plan, and none of the packages below its
     * own.
     */
    @Test
    void theTrustedBaseStandsAlone() {
        classes()
                .that()
                .resideInAPackage("io.torussm.deadlock")
                .should()
                .onlyDependOnClassesThat()
                .resideInAnyPackage(
                        "io.torussm.deadlock",
                        "io.torussm.routing",
                        "io.torussm.subnet",
                        "io.torussm.fabric",
                        "io.torussm.mad..",
                        "java..",
                        "org.jspecify..")
                .check(CLASSES);
    }

    @Test
    void routingHasNoClock() {
        noClasses()
                .that()
                .resideInAnyPackage(pure())
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .check(CLASSES);
    }

    /** The JDK orders its immutable sets differently in each JVM. SMPs in that order could not be replayed. */
    @Test
    void noOrderOfWorkDependsOnTheJvm() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.torussm.daemon..")
                .should()
                .callMethod(Set.class, "copyOf", Collection.class)
                .orShould()
                .callMethod(Map.class, "copyOf", Map.class)
                .orShould()
                .callMethod(Collectors.class, "toUnmodifiableSet")
                .orShould()
                .callMethod(Collectors.class, "toUnmodifiableMap", Function.class, Function.class)
                .because("a recording is replayed by another JVM: copy into a LinkedHashSet or LinkedHashMap")
                .check(CLASSES);
    }

    @Test
    void nativeCodeIsInTwoPlaces() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.torussm.transport.foreign..", "io.torussm.transport.datagram..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("jnr..", "com.kenai..", "sun.misc..")
                .check(CLASSES);
    }

    @Test
    void librariesOfTheDaemonStayThere() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.torussm.daemon..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty..", "picocli..", "com.typesafe..", "ch.qos..")
                .check(CLASSES);
    }

    @Test
    void jGroupsIsInTwoClasses() {
        noClasses()
                .that()
                .haveNameNotMatching("io\\.torussm\\.daemon\\.replica\\.(JGroupsChannel|BoundedTcp)(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jgroups..")
                .check(CLASSES);
    }

    @Test
    void jsonAndLineEditingStayWhereOperatorsAre() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.torussm.daemon.json..", "io.torussm.daemon.console..", "io.torussm.daemon.http..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("com.fasterxml.jackson..")
                .check(CLASSES);
        noClasses()
                .that()
                .haveNameNotMatching("io\\.torussm\\.daemon\\.cli\\.(Shell|TypedCommands)(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("org.jline..")
                .check(CLASSES);
    }

    @Test
    void httpAndMetricsAreInOnePlace() {
        noClasses()
                .that()
                .resideOutsideOfPackage("io.torussm.daemon.http..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("io.netty.handler.codec.http..", "io.prometheus..")
                .check(CLASSES);
    }

    /** Descriptions of fabrics ({@code sim.topology}, {@code sim.shape}) are input of planning, too. */
    @Test
    void theSimulatorIsUsedByLabTwinAndReplayOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackages(
                        "io.torussm.sim..",
                        "io.torussm.dataplane",
                        "io.torussm.shadow",
                        "io.torussm.daemon.config",
                        "io.torussm.daemon.config.files",
                        "io.torussm.daemon.lab",
                        "io.torussm.daemon.replay",
                        "io.torussm.daemon.shadow",
                        "io.torussm.daemon.twin")
                .and()
                .haveNameNotMatching("io\\.torussm\\.daemon\\.(sm\\.Transports|cli\\.(Fabric|Replay)Command)(\\$.*)?")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(
                        "io.torussm.sim", "io.torussm.sim.model", "io.torussm.sim.fault", "io.torussm.sim.serve")
                .check(CLASSES);
    }

    @Test
    void noClassSleeps() {
        noClasses().should().callMethod(Thread.class, "sleep", long.class).check(CLASSES);
    }

    @Test
    void wallClockIsReadAtTheEdgesOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.torussm.daemon..", "io.torussm.transport..")
                .should()
                .callMethod(System.class, "currentTimeMillis")
                .check(CLASSES);
    }

    private static String moduleOf(JavaClass type) {
        String location = type.getSource().orElseThrow().getUri().toString();
        Matcher module = MODULE.matcher(location);
        assertThat(module.matches()).as(location).isTrue();
        return module.group(1) == null ? module.group(2) : module.group(1);
    }

    private static Map<String, String> moduleByPackage() {
        Map<String, Set<String>> modules = new TreeMap<>();
        CLASSES.forEach(type -> modules.computeIfAbsent(type.getPackageName(), any -> new TreeSet<>())
                .add(moduleOf(type)));
        modules.forEach((name, in) -> assertThat(in).as("modules of " + name).hasSize(1));
        Map<String, String> one = new TreeMap<>();
        modules.forEach((name, in) -> one.put(name, in.iterator().next()));
        return one;
    }

    /** Returns the packages of routing engines, each with its subpackages. */
    private static List<String> enginePackages() {
        return CLASSES.stream()
                .filter(type -> type.isAssignableTo(Engine.class) && !type.isEquivalentTo(Engine.class))
                .map(JavaClass::getPackageName)
                .distinct()
                .toList();
    }

    /** Returns the packages of pure functions: engines, their contract, and the checker. */
    private static String[] pure() {
        return Stream.concat(Stream.of("io.torussm.routing", "io.torussm.deadlock"), enginePackages().stream())
                .map(name -> name + "..")
                .toArray(String[]::new);
    }

    private static boolean isIn(String packageName, String engine) {
        return packageName.equals(engine) || packageName.startsWith(engine + ".");
    }
}
