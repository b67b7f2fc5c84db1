package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MKeyTest {
    private static final long KEY = 0x1234_5678_9abc_def0L;
    private static final long HOST_B = 0x1_0000_0010L;
    private static final int[] TO_B = {1, 8};

    private final VirtualLoop loop = new VirtualLoop();
    private final SimFabric fabric =
            new SimFabric(TorusSpec.parse("torus:1x1x1,hosts=2").topology(), loop, FaultPlan.NONE);
    private final Probe probe = new Probe(fabric, loop, "host-0-0-0-0", 1);

    private void protect(long key, int bits, int leaseSeconds) {
        probe.set(
                PortInfo.TYPE
                        .zero()
                        .with(PortInfo.M_KEY, key)
                        .with(PortInfo.M_KEY_PROTECT_BITS, bits)
                        .with(PortInfo.M_KEY_LEASE_PERIOD, leaseSeconds),
                1,
                TO_B);
    }

    @BeforeEach
    void startsWithoutAKey() {
        assertThat(fabric.portInfo(HOST_B, 1).get(PortInfo.M_KEY)).isZero();
    }

    /**
     * The rows of the table: key, protect bits, M_Key in the response to a Get with a wrong key (- none), success of
     * a Set.
     */
    @ParameterizedTest(name = "key {0}, protect bits {1}")
    @CsvSource({
        "0, 0, 0, yes", "0, 1, 0, yes", "0, 2, 0, yes", "0, 3, 0, yes",
        "5, 0, 5, no", "5, 1, 0, no", "5, 2, -, no", "5, 3, -, no"
    })
    void treatsAWrongKeyAsTheProtectBitsSay(long key, int bits, String seen, String passes) {
        protect(key, bits, 0);
        probe.mKey = 6;
        boolean isSeen = !seen.equals("-");
        assertThat(probe.getStatus(NodeInfo.TYPE, 0, TO_B)).isEqualTo(isSeen ? 0 : -1);
        if (isSeen) {
            assertThat(probe.get(PortInfo.TYPE, 1, TO_B).get(PortInfo.M_KEY)).isEqualTo(Long.parseLong(seen));
        }
        PortInfo same = fabric.portInfo(HOST_B, 1).with(PortInfo.PORT_STATE, 0).with(PortInfo.PORT_PHYSICAL_STATE, 0);
        assertThat(probe.setStatus(same, 1, TO_B)).isEqualTo(passes.equals("yes") ? 0 : -1);

        int violations = (isSeen ? 0 : 1) + (passes.equals("yes") ? 0 : 1);
        assertThat(fabric.portInfo(HOST_B, 1).get(PortInfo.M_KEY_VIOLATIONS)).isEqualTo(violations);
        assertThat(fabric.counters().mKeyViolations()).isEqualTo(violations);
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "2", "3"})
    void doesEverythingForTheRightKey(int bits) {
        protect(KEY, bits, 0);
        probe.mKey = KEY;
        assertThat(probe.get(PortInfo.TYPE, 1, TO_B).get(PortInfo.M_KEY)).isEqualTo(KEY);
        protect(0, 0, 0);
        assertThat(fabric.portInfo(HOST_B, 1).get(PortInfo.M_KEY)).isZero();
    }

    @Test
    void theLeaseRunsFromTheFirstViolationAndEndsTheProtection() {
        protect(KEY, 2, 10);
        assertThat(probe.getStatus(NodeInfo.TYPE, 0, TO_B)).isEqualTo(-1);
        loop.runFor(TimeUnit.SECONDS.toNanos(9));
        assertThat(probe.getStatus(NodeInfo.TYPE, 0, TO_B)).isEqualTo(-1);
        loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(probe.getStatus(NodeInfo.TYPE, 0, TO_B)).isZero();
        assertThat(fabric.portInfo(HOST_B, 1).get(PortInfo.M_KEY_PROTECT_BITS)).isZero();
        assertThat(fabric.portInfo(HOST_B, 1).get(PortInfo.M_KEY)).isEqualTo(KEY);
    }

    @Test
    void theOwnerOfTheKeyStopsTheLease() {
        protect(KEY, 2, 10);
        assertThat(probe.getStatus(NodeInfo.TYPE, 0, TO_B)).isEqualTo(-1);
        probe.mKey = KEY;
        assertThat(probe.getStatus(NodeInfo.TYPE, 0, TO_B)).isZero();
        loop.runFor(TimeUnit.SECONDS.toNanos(100));
        assertThat(fabric.portInfo(HOST_B, 1).get(PortInfo.M_KEY_PROTECT_BITS)).isEqualTo(2);
    }

    @Test
    void withoutALeasePeriodTheProtectionDoesNotEnd() {
        protect(KEY, 3, 0);
        assertThat(probe.getStatus(NodeInfo.TYPE, 0, TO_B)).isEqualTo(-1);
        loop.runFor(TimeUnit.DAYS.toNanos(1));
        assertThat(probe.getStatus(NodeInfo.TYPE, 0, TO_B)).isEqualTo(-1);
    }
}
