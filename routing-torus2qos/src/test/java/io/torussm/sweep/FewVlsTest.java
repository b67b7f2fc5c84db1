package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.Smp;
import io.torussm.routing.Plan;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Ports that report few VLs, with engines that need several: their cables are what cannot be used. */
class FewVlsTest {
    private static final String TORUS = "torus:5x4x1";
    private static final int HOSTS = 20;

    @TempDir
    Path dir;

    private SweepHarness harness(String engine) {
        SweepHarness harness =
                new SweepHarness(TorusSpec.parse(TORUS).topology(), FaultPlan.NONE, SweepHarness.settings(), dir);
        String conf = TorusSpec.parse(TORUS).torus2QosConf();
        harness.engine = engine.equals("torus-2QoS")
                ? new Torus2QosEngine(Torus2QosConf.parse("torus-2QoS.conf", conf), 1)
                : Objects.requireNonNull(LieTrial.ENGINES.get(engine)).get();
        return harness;
    }

    /** Lets a switch report a VLCap for a port, or for all if the number is 0. */
    private static void reportVlCap(SweepHarness harness, String name, int portNum, int vlCap) {
        long liar = harness.node(name).nodeGuid();
        harness.changeResponse = mad -> {
            int asked = MadHeader.attributeModifier(mad) & 0xff;
            if (MadHeader.attributeId(mad) == PortInfo.TYPE.id()
                    && (portNum == 0 || asked == portNum)
                    && BadDeviceTest.endOf(harness, mad) == liar) {
                PortInfo.VL_CAP.set(mad, Smp.DATA_OFFSET, vlCap);
            }
        };
    }

    private static void runUntilUp(SweepHarness harness) {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        harness.awaitRest();
    }

    private static Map<String, Integer> sls(SweepHarness harness) {
        Plan plan = harness.publishedView().plan();
        Subnet subnet = plan.subnet();
        Map<String, Integer> sls = new TreeMap<>();
        for (int from : harness.hosts()) {
            for (int to : harness.hosts()) {
                if (from != to) {
                    Fabric fabric = subnet.fabric();
                    sls.put(
                            fabric.portName(from) + " " + fabric.portName(to),
                            plan.pathSl(subnet.lid(from), subnet.lid(to), 0));
                }
            }
        }
        return sls;
    }

    private static void assertServedAndProved(SweepHarness harness) {
        assertServedAndProved(harness, "");
    }

    /**
     * Checks all pairs of hosts but those of {@code except}, whose switch has no usable cable and no known coordinates.
     */
    private static void assertServedAndProved(SweepHarness harness, String except) {
        assertThat(harness.ends).last().isEqualTo("up");
        Map<String, Integer> sls = sls(harness);
        assertThat(sls).hasSize(HOSTS * (HOSTS - 1));
        sls.keySet().removeIf(pair -> !except.isEmpty() && pair.contains(except));
        assertThat(sls.values()).allMatch(sl -> sl >= 0);
        RoutingChain chain =
                new RoutingChain(List.of(harness.engine), new DeadlockChecker(1), SweepHarness.LOOPS_ACCEPTED);
        assertThat(chain.prove(harness.publishedView().plan(), harness.settings.routingOptions())
                        .verdict())
                .isInstanceOf(Certificate.class);
    }

    /** One port, and all ports of a switch; at a start, while a cable elsewhere is lost, and at a takeover. */
    @ParameterizedTest
    @CsvSource({
        "torus-2QoS, 1, 1",
        "torus-2QoS, 1, 0",
        "torus-2QoS, 1, 2",
        "torus-2QoS, 1, 3",
        "torus-2QoS, 0, 1",
        "torus-2QoS, 0, 0",
        "torus-2QoS, 0, 2",
        "dfsssp, 1, 1",
        "dfsssp, 0, 2",
        "lash, 1, 1",
        "lash, 0, 1",
        "nue, 1, 1"
    })
    void allAreServedAtAStartAChangeAndATakeover(String engine, int portNum, int vlCap) {
        SweepHarness harness = harness(engine);
        reportVlCap(harness, "sw-2-1-0", portNum, vlCap);
        String except = engine.equals("torus-2QoS") && portNum == 0 && vlCap == 1 ? "host-2-1-0-0" : "";
        harness.sweep();
        runUntilUp(harness);
        assertServedAndProved(harness, except);
        harness.fabric.unlink(harness.node("sw-0-3-0").nodeGuid(), 1);
        runUntilUp(harness);
        assertServedAndProved(harness, except);
        harness.restart();
        harness.sweep();
        runUntilUp(harness);
        assertServedAndProved(harness, except);
    }

    /** Links that are up keep their VLs: no SL changes, and no SL2VL table is written. */
    @ParameterizedTest
    @CsvSource({"1, 1", "0, 1", "0, 2", "0, 3", "0, 0"})
    void aClaimThatBeginsWhileLinksAreUpChangesNothing(int portNum, int vlCap) {
        SweepHarness harness = harness("torus-2QoS");
        harness.sweep();
        runUntilUp(harness);
        Map<String, Integer> before = sls(harness);
        reportVlCap(harness, "sw-2-1-0", portNum, vlCap);
        harness.sweep();
        runUntilUp(harness);
        assertServedAndProved(harness);
        assertThat(sls(harness)).isEqualTo(before);
        assertThat(harness.countSets(SlToVlMappingTable.TYPE.id())).isZero();
        harness.restart();
        harness.sweep();
        runUntilUp(harness);
        assertThat(sls(harness)).isEqualTo(before);
        assertServedAndProved(harness);
    }
}
