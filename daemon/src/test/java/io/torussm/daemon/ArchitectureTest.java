package io.torussm.daemon;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Keeps the street one-way: who may know whom. */
@AnalyzeClasses(packages = "io.torussm", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
    private static final String[] PURE = {"io.torussm.routing..", "io.torussm.torus2qos.."};

    @ArchTest
    static final ArchRule modulesDependOneWay = layeredArchitecture()
            .consideringOnlyDependenciesInLayers()
            .layer("transport")
            .definedBy("io.torussm.mad..", "io.torussm.transport..", "io.torussm.sim..")
            .layer("core")
            .definedBy(
                    "io.torussm.fabric..",
                    "io.torussm.subnet..",
                    "io.torussm.routing..",
                    "io.torussm.sweep..",
                    "io.torussm.sa..",
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
            .mayOnlyBeAccessedByLayers("torus2qos", "qos", "daemon");

    @ArchTest
    static final ArchRule packagesHaveNoCycles =
            slices().matching("io.torussm.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule routingIsPure = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                    "io.torussm.transport..",
                    "io.torussm.sim..",
                    "org.slf4j..",
                    "java.io..",
                    "java.nio.file..",
                    "java.nio.channels..",
                    "java.net..",
                    "java.time..");

    @ArchTest
    static final ArchRule routingHasNoClock = noClasses()
            .that()
            .resideInAnyPackage(PURE)
            .should()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis");

    @ArchTest
    static final ArchRule nativeCodeIsInOnePlace = noClasses()
            .that()
            .resideOutsideOfPackage("io.torussm.transport.umad..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("jnr..", "com.kenai..", "sun.misc..");

    @ArchTest
    static final ArchRule librariesOfTheDaemonStayThere = noClasses()
            .that()
            .resideOutsideOfPackage("io.torussm.daemon..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.netty..", "picocli..", "com.typesafe..", "ch.qos..");

    @ArchTest
    static final ArchRule nobodySleeps = noClasses().should().callMethod(Thread.class, "sleep", long.class);

    @ArchTest
    static final ArchRule wallClockIsReadAtTheEdgesOnly = noClasses()
            .that()
            .resideOutsideOfPackages("io.torussm.daemon..", "io.torussm.transport..")
            .should()
            .callMethod(System.class, "currentTimeMillis");
}
