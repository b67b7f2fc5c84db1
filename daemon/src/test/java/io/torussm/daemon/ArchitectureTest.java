package io.torussm.daemon;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** Keeps the street one-way: who may know whom. */
class ArchitectureTest {
    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(new ImportOption.DoNotIncludeTests())
            .withImportOption(location -> !location.contains("-tests.jar"))
            .importPackages("io.torussm");
    private static final String[] PURE = {
        "io.torussm.event", "io.torussm.routing..", "io.torussm.deadlock..", "io.torussm.torus2qos.."
    };

    @Test
    void modulesDependOneWay() {
        layeredArchitecture()
                .consideringOnlyDependenciesInLayers()
                .layer("transport")
                .definedBy("io.torussm.mad..", "io.torussm.event..", "io.torussm.transport..", "io.torussm.sim..")
                .layer("core")
                .definedBy(
                        "io.torussm.fabric..",
                        "io.torussm.alias..",
                        "io.torussm.state..",
                        "io.torussm.subnet..",
                        "io.torussm.routing..",
                        "io.torussm.deadlock..",
                        "io.torussm.discovery..",
                        "io.torussm.program..",
                        "io.torussm.trap..",
                        "io.torussm.registration..",
                        "io.torussm.mastership..",
                        "io.torussm.sweep..",
                        "io.torussm.report..",
                        "io.torussm.sa..",
                        "io.torussm.multicast..",
                        "io.torussm.partition..",
                        "io.torussm.view..")
                .layer("torus2qos")
                .definedBy("io.torussm.torus2qos..")
                .layer("qos")
                .definedBy("io.torussm.qos..")
                .layer("daemon")
                .definedBy("io.torussm.daemon..")
                .whereLayer("daemon")
                .mayNotBeAccessedByAnyLayer()
                .whereLayer("torus2qos")
                .mayOnlyBeAccessedByLayers("daemon")
                .whereLayer("qos")
                .mayOnlyBeAccessedByLayers("daemon")
                .whereLayer("core")
                .mayOnlyBeAccessedByLayers("torus2qos", "qos", "daemon")
                .check(CLASSES);
    }

    @Test
    void packagesHaveNoCycles() {
        slices().matching("io.torussm.(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void routingIsPure() {
        noClasses()
                .that()
                .resideInAnyPackage(PURE)
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

    @Test
    void routingHasNoClock() {
        noClasses()
                .that()
                .resideInAnyPackage(PURE)
                .should()
                .callMethod(System.class, "nanoTime")
                .orShould()
                .callMethod(System.class, "currentTimeMillis")
                .check(CLASSES);
    }

    @Test
    void nativeCodeIsInTwoPlaces() {
        noClasses()
                .that()
                .resideOutsideOfPackages("io.torussm.transport.umad..", "io.torussm.transport.notify..")
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
    void jGroupsIsInOneClass() {
        noClasses()
                .that()
                .haveNameNotMatching("io\\.torussm\\.daemon\\.replica\\.JGroupsChannel(\\$.*)?")
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
                .haveNameNotMatching("io\\.torussm\\.daemon\\.cli\\.Shell(\\$.*)?")
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

    @Test
    void nobodySleeps() {
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
}
