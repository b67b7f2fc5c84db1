package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Sets before, during and after the time in which a client refuses them. */
class SetGateTest {
    private static final PortInfo VALUE = PortInfo.TYPE.zero();
    private static final Outcome<PortInfo> CANCELLED = new Outcome.Failure<>(Outcome.FailureReason.CANCELLED, 0);

    private final ClientHarness harness = new ClientHarness(2, 2, 3);
    private final List<Outcome<PortInfo>> sets = new ArrayList<>();

    private void set(MadScope scope, int port) {
        scope.set(VALUE, DrPath.of(port), 0, sets::add);
    }

    private long sentSets() {
        return harness.wire.sent.stream()
                .filter(frame -> MadHeader.method(frame.mad()) == Method.SET)
                .count();
    }

    @Test
    void setsInFlightInQueuesAndInSourcesAreCancelled() {
        MadScope scope = harness.client.scope();
        set(scope, 1);
        set(scope, 1);
        set(scope, 1);
        scope.pull(IntStream.range(0, 20)
                .mapToObj(i -> SmpRequest.set(VALUE, DrPath.of(2), i, sets::add))
                .iterator());
        assertThat(sentSets()).isEqualTo(2);
        harness.client.refuseSets();
        harness.client.permitSets();
        harness.runMs(10_000);
        assertThat(sentSets()).isEqualTo(2);
        assertThat(sets).hasSize(23).containsOnly(CANCELLED);
        assertThat(scope.isWaiting()).isFalse();
    }

    @Test
    void aScopeFromBeforeTheRefusalNeverSendsASetAgain() {
        MadScope scope = harness.client.scope();
        scope.get(NodeInfo.TYPE, DrPath.of(1), 0, read -> set(scope, 1));
        harness.client.refuseSets();
        harness.client.permitSets();
        harness.runMs(10_000);
        assertThat(sets).containsExactly(CANCELLED);
        assertThat(sentSets()).isZero();
    }

    @Test
    void aScopeFromDuringTheRefusalSendsSetsAfterIt() {
        harness.client.refuseSets();
        MadScope scope = harness.client.scope();
        MadScope child = harness.client.scope().child();
        set(scope, 1);
        assertThat(harness.client.isRefusingSets()).isTrue();
        harness.runMs(10_000);
        assertThat(sets).containsExactly(CANCELLED);
        harness.client.permitSets();
        assertThat(harness.client.isRefusingSets()).isFalse();
        set(scope, 1);
        set(child, 2);
        assertThat(sentSets()).isEqualTo(2);
    }

    @Test
    void getsAndTheSetsBetweenSmsPass() {
        MadScope scope = harness.client.scope();
        harness.client.refuseSets();
        scope.set(SmInfo.TYPE.zero(), DrPath.of(1), 1, outcome -> {});
        harness.get(scope, 2);
        assertThat(harness.wire.sent).hasSize(2);
    }

    @Test
    void setsOfOtherClassesAreRefused() {
        MadFrame set = gmp(Method.SET);
        harness.client.refuseSets();
        assertThat(harness.client.send(set, 100)).isFalse();
        assertThat(harness.client.send(gmp(Method.GET), 100)).isTrue();
        harness.client.permitSets();
        assertThat(harness.client.send(set, 100)).isTrue();
    }

    private static MadFrame gmp(int method) {
        byte[] mad = new byte[MadHeader.MAD_SIZE];
        mad[1] = MgmtClass.PERF_MGT;
        mad[3] = (byte) method;
        return new MadFrame(MadAddress.DIRECTED, mad);
    }
}
