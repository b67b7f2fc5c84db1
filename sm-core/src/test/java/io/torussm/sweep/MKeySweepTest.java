package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.mad.Guid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.SimTransport;
import io.torussm.sim.model.FaultPlan;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.LoggedEvents.LoggedEvent;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whole sweeps over ports that are protected by M_Keys. */
class MKeySweepTest extends MKeySweepCase {
    private static final long FOREIGN = 0x0bad_0bad_0bad_0badL;
    private static final String OTHER_HOST = "host-2-1-0-0";

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    /** Returns the warnings of devices that may have an unknown M_Key. */
    private List<LoggedEvent> hints() {
        return log.of(Severity.WARNING).stream()
                .filter(logged -> logged.names("guid2mkey", "protection.md"))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void portsAreGivenKeyProtectionAndLeaseAndThenLeftAlone(int bits) throws IOException {
        SweepHarness harness = bringUp(NEW, bits, 60);
        assertProtected(harness, NEW, bits, 60);
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.countAllSets()).isZero();
        assertThat(harness.fabric.counters().mKeyViolations()).isZero();
        assertThat(Files.readAllLines(dir.resolve("guid2mkey")))
                .filteredOn(line -> line.matches("0x[0-9a-f]{16} 0x5555666677778888"))
                .hasSize(12);
        assertThat(log.of(Severity.WARNING)).noneMatch(logged -> logged.names("guid2mkey"));
        assertThat(log.of(SmEvent.M_KEY_VIOLATION)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aRestartedSmKnowsTheKeysThoughAnotherOneIsConfiguredNow(int bits) {
        SweepHarness harness = bringUp(OLD, bits, 0);
        restart(harness, settings(NEW, bits, 0));
        assertThat(harness.sweep()).isEqualTo("up");
        assertProtected(harness, NEW, bits, 0);
        assertThat(harness.fabric.counters().mKeyViolations()).isZero();
        settle(harness);
        restart(harness, settings(0, 0, 0));
        assertThat(harness.sweep()).isEqualTo("up");
        assertProtected(harness, 0, 0, 0);
        assertThat(harness.fabric.counters().mKeyViolations()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aRestartedSmWithoutFilesManagesWithTheConfiguredKey(int bits) throws IOException {
        SweepHarness harness = bringUp(NEW, bits, 0);
        forgetAll();
        harness.restart();
        assertThat(harness.sweep()).isEqualTo("up");
        assertProtected(harness, NEW, bits, 0);
        assertThat(harness.fabric.counters().mKeyViolations()).isZero();
    }

    /**
     * With protection 0 the key is readable; with 1 it is only protected from changes. Then the tables can be
     * read and, because they are as planned, the subnet is served.
     */
    @ParameterizedTest
    @CsvSource({"0, up", "1, up", "2, failed", "3, failed"})
    void aRestartedSmWithNeitherFilesNorKeyIsLockedOutAndSaysSo(int bits, String end) throws IOException {
        SweepHarness harness = bringUp(OLD, bits, 0);
        forgetAll();
        restart(harness, settings(NEW, bits, 0));
        assertThat(harness.sweep()).startsWith(end);
        if (bits == 0) {
            assertProtected(harness, NEW, 0, 0);
        } else {
            assertProtected(harness, OLD, bits, 0);
            assertThat(bits == 1 ? hints().get(0).fields().toString() : harness.ends.get(1))
                    .contains("guid2mkey", "lease");
        }
    }

    @Test
    void theEndOfTheLeaseLetsALockedOutSmIn() throws IOException {
        SweepHarness harness = bringUp(OLD, 3, 10);
        forgetAll();
        restart(harness, settings(NEW, 3, 10));
        for (int i = 0; i < 20 && !harness.ends.get(harness.ends.size() - 1).equals("up") || i < 2; i++) {
            harness.sweep();
            harness.loop.runFor(TimeUnit.SECONDS.toNanos(6));
        }
        for (int i = 0; i < 10; i++) {
            harness.sweep();
            harness.loop.runFor(TimeUnit.SECONDS.toNanos(6));
        }
        assertThat(harness.publishedView().subnet().fabric().nodeCount()).isEqualTo(12);
        assertProtected(harness, NEW, 3, 10);
    }

    private void forgetAll() throws IOException {
        Files.delete(dir.resolve("guid2mkey"));
        Files.delete(dir.resolve("neighbors"));
    }

    @Test
    void withoutLookupADeviceIsShownTheConfiguredKeyOnly() {
        SweepHarness harness = bringUp(OLD, 2, 0);
        harness.mKeyLookup = false;
        restart(harness, settings(NEW, 2, 0));
        harness.sweep();
        assertThat(harness.requests)
                .filteredOn(
                        mad -> MadHeader.attributeId(mad) == NodeInfo.TYPE.id() && MadHeader.HOP_COUNT.get(mad, 0) > 0)
                .isNotEmpty()
                .allMatch(mad -> Smp.M_KEY.get(mad, 0) == NEW);
        assertThat(harness.publishedView().subnet().fabric().nodeCount()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aChangedKeyReachesEveryPortWithoutAWrongOneBeingShown(int bits) {
        SweepHarness harness = bringUp(OLD, bits, 60);
        harness.settings = settings(NEW, bits, 60);
        assertThat(harness.sweep()).isEqualTo("up");
        assertProtected(harness, NEW, bits, 60);
        assertThat(harness.lastReport().errors()).isEmpty();
        assertThat(harness.countSets(PortInfo.TYPE.id())).isEqualTo(12);
        assertThat(harness.fabric.counters().mKeyViolations()).isZero();
        harness.sweep();
        assertThat(harness.countAllSets()).isZero();
    }

    @Test
    void theLeasePeriodOfPortsIsClearedIfItIsConfiguredToZero() {
        SweepHarness harness = bringUp(OLD, 3, 60);
        harness.settings = settings(0, 0, 0);
        assertThat(harness.sweep()).isEqualTo("up");
        assertProtected(harness, 0, 0, 0);
    }

    private void protectOtherHost(SweepHarness harness, long key, int bits) {
        SimTransport transport = harness.fabric.attach(OTHER_HOST, 1);
        transport.start(new Deaf());
        PortInfo value = PortInfo.TYPE
                .zero()
                .with(PortInfo.M_KEY, key)
                .with(PortInfo.M_KEY_PROTECT_BITS, bits)
                .with(PortInfo.LID, 0);
        byte[] mad = Smp.directed(Method.SET, 1, PortInfo.TYPE.id(), 1, 0, DrPath.LOCAL);
        value.write(mad, Smp.DATA_OFFSET);
        transport.send(new MadFrame(MadAddress.DIRECTED, mad), 0);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        transport.close();
        assertThat(otherHost(harness).get(PortInfo.M_KEY)).isEqualTo(key);
    }

    private static PortInfo otherHost(SweepHarness harness) {
        return harness.fabric.portInfo(otherGuid(), 1);
    }

    private static long otherGuid() {
        return TORUS.node(OTHER_HOST).orElseThrow().nodeGuid();
    }

    private static final class Deaf implements MadTransport.Receiver {
        @Override
        public void received(MadFrame frame) {}

        @Override
        public void transportFailed(String reason) {
            throw new AssertionError(reason);
        }
    }

    @Test
    void aForeignKeyThatIsShownIsReplaced() {
        SweepHarness harness = harness(settings(NEW, 2, 0), FaultPlan.NONE);
        protectOtherHost(harness, FOREIGN, 0);
        assertThat(harness.sweep()).isEqualTo("up");
        assertProtected(harness, NEW, 2, 0);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void aForeignKeyThatIsHiddenIsReportedWithItsRemedyWhichWorks(int bits) throws IOException {
        SweepHarness harness = harness(settings(NEW, 2, 0), FaultPlan.NONE);
        protectOtherHost(harness, FOREIGN, bits);
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(otherHost(harness).get(PortInfo.M_KEY)).isEqualTo(FOREIGN);
        assertThat(hints())
                .singleElement()
                .matches(told -> told.event() == (bits == 1 ? SmEvent.DEVICE_TROUBLE : SmEvent.FABRIC_ANOMALY))
                .matches(told -> bits > 1 || told.names(OTHER_HOST));
        assertThat(log.all().toString()).doesNotContain("bad0bad");

        settle(harness);
        Path keys = dir.resolve("guid2mkey");
        List<String> lines = new ArrayList<>(Files.readAllLines(keys));
        lines.removeIf(line -> line.startsWith("#") || line.startsWith(portGuid()));
        lines.add(portGuid() + " 0x0bad0bad0bad0bad");
        Files.write(keys, lines);
        harness.restart();
        assertThat(harness.sweep()).isEqualTo("up");
        assertProtected(harness, NEW, 2, 0);
    }

    private static String portGuid() {
        return Guid.format(otherGuid() + 1);
    }

    /** There is one line for each source, then none for a minute, then the number of further ones. */
    @Test
    void aSourceOfWrongKeysIsNamedOnceAMinute() {
        SweepHarness harness = bringUp(NEW, 2, 0);
        SimTransport transport = harness.fabric.attach(OTHER_HOST, 1);
        transport.start(new Deaf());
        for (int i = 0; i < 10; i++) {
            transport.send(
                    new MadFrame(
                            new MadAddress(harness.publishedView().subnet().smLid(), 0, 0, 0),
                            Smp.lidRouted(Method.SET, i, PortInfo.TYPE.id(), 1, FOREIGN)),
                    0);
            harness.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        }
        LoggedEvent first = log.only(SmEvent.M_KEY_VIOLATION);
        assertThat(first.get(EventField.NAME)).contains("\"" + OTHER_HOST + "\" port 1");
        assertThat(first.get(EventField.COUNT)).isEqualTo("1");
        assertThat(first.get(EventField.TEXT)).contains("Set", "0x0015", "\"host-0-0-0-0\" port 1");
        harness.loop.runFor(io.torussm.event.log.LogRateLimiter.MIN_INTERVAL_NS);
        transport.send(new MadFrame(MadAddress.DIRECTED, routeToSm(harness)), 0);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(2));
        List<LoggedEvent> told = log.of(SmEvent.M_KEY_VIOLATION);
        assertThat(told).hasSize(2);
        assertThat(told.get(1).get(EventField.NAME)).contains(OTHER_HOST);
        assertThat(told.get(1).get(EventField.TEXT)).contains("Get", "0x0011");
        assertThat(harness.sweeper.traps().mKeyComplaints()).isGreaterThanOrEqualTo(11);
        assertThat(harness.ends).containsExactly("up");
        assertThat(harness.fabric.pendingTrapCount()).isZero();
    }

    /** Returns a Get(NodeInfo) to the first switch on the path, with a wrong key. */
    private static byte[] routeToSm(SweepHarness harness) {
        assertThat(harness.publishedView().subnet().fabric().nodeCount()).isEqualTo(12);
        return Smp.directed(Method.GET, 77, NodeInfo.TYPE.id(), 0, FOREIGN, DrPath.of(1));
    }

    /** A violation starts the lease; light sweeps stop it before it ends, at hosts too. */
    @Test
    void lightSweepsKeepTheProtectionOfEveryPort() {
        SweepHarness harness = bringUp(NEW, 2, 10);
        SimTransport transport = harness.fabric.attach(OTHER_HOST, 1);
        transport.start(new Deaf());
        for (int i = 0; i < 12; i++) {
            transport.send(
                    new MadFrame(
                            MadAddress.DIRECTED,
                            Smp.directed(Method.GET, i, NodeInfo.TYPE.id(), 0, FOREIGN, DrPath.LOCAL)),
                    0);
            harness.sweepLight();
            assertProtected(harness, NEW, 2, 10);
        }
        assertThat(harness.ends).containsExactly("up");
        assertThat(harness.requests)
                .filteredOn(
                        mad -> MadHeader.attributeId(mad) == PortInfo.TYPE.id() && MadHeader.method(mad) == Method.GET)
                .hasSizeGreaterThan(12 * 6);
    }
}
