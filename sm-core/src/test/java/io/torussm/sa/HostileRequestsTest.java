package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.SaMad;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.Rmpp;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever arrives: no exception, no defect, no growth, and silence where silence is due. */
class HostileRequestsTest {
    private static final int MADS_PER_SEED = 10_000;
    private static final int[] ATTRIBUTES = {0x01, 0x11, 0x12, 0x35, 0x38, 0x3a, 0xffff};
    private static final int[] METHODS = {Method.GET, Method.GET_TABLE, Method.SET, Method.DELETE, Method.GET_MULTI};

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void mutatedAndRandomMads(long seed) {
        Random random = new Random(seed);
        SmallTorus torus = new SmallTorus(random.nextInt(3), (guid, portNum, usual) -> usual);
        SaHarness harness = new SaHarness(torus);
        for (int i = 0; i < MADS_PER_SEED; i++) {
            byte[] mad = random.nextInt(4) == 0 ? noise(random) : mutated(random, torus);
            int lid = random.nextInt(8) == 0 ? random.nextInt(0x10000) : torus.hostLid(random.nextInt(9));
            MadFrame frame = new MadFrame(
                    new MadAddress(lid, random.nextInt(3), random.nextInt(16), 0), mad, random.nextInt(50) == 0);
            harness.sent.clear();
            harness.sa.received(frame);
            assertThat(harness.sa.openTables()).isLessThanOrEqualTo(10 * 3 * 16);
            List<MadFrame> answers = List.copyOf(harness.sent);
            if (mustBeSilent(torus, frame)) {
                assertThat(answers).as("answer to %s", frame).isEmpty();
            }
            assertThat(answers).hasSizeLessThanOrEqualTo(1);
            assertThat(answers).allSatisfy(answer -> {
                assertThat(answer.peer()).isEqualTo(frame.peer());
                assertThat(answer.mad()).hasSize(MadHeader.MAD_SIZE);
                assertThat(MadHeader.isResponse(answer.mad())).isTrue();
                assertThat(MadHeader.tid(answer.mad())).isEqualTo(MadHeader.tid(mad));
                assertThat(SaMad.SM_KEY.get(answer.mad(), 0)).isZero();
            });
            if (random.nextInt(100) == 0) {
                harness.loop.runFor(TimeUnit.SECONDS.toNanos(random.nextInt(3)));
            }
        }
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(5));
        assertThat(harness.sa.openTables()).isZero();
        assertThat(harness.sa.stats().defects()).isZero();
        assertThat(harness.sa.stats().answers()).isGreaterThan(1000);
    }

    private static boolean mustBeSilent(SmallTorus torus, MadFrame frame) {
        byte[] mad = frame.mad();
        long key = mad.length < MadHeader.MAD_SIZE ? 0 : SaMad.SM_KEY.get(mad, 0);
        return mad.length < MadHeader.MAD_SIZE
                || frame.undelivered()
                || MadHeader.mgmtClass(mad) != MgmtClass.SUBN_ADM
                || MadHeader.isResponse(mad)
                || Rmpp.isControl(mad)
                || key != 0 && key != SaHarness.SM_KEY
                || torus.subnet.portOfLid(frame.peer().lid()) < 0;
    }

    private static byte[] noise(Random random) {
        byte[] mad = new byte[random.nextInt(10) == 0 ? random.nextInt(MadHeader.MAD_SIZE) : MadHeader.MAD_SIZE];
        random.nextBytes(mad);
        if (mad.length > 56 && random.nextBoolean()) {
            MadHeader.MGMT_CLASS.set(mad, 0, MgmtClass.SUBN_ADM);
            SaMad.SM_KEY.set(mad, 0, 0);
        }
        return mad;
    }

    /** A sensible request with a few bits or bytes changed. */
    private static byte[] mutated(Random random, SmallTorus torus) {
        int attribute = ATTRIBUTES[random.nextInt(ATTRIBUTES.length)];
        int method = METHODS[random.nextInt(METHODS.length)];
        byte[] mad = SaMad.request(method, random.nextInt(1000), attribute, 0, random.nextLong() & random.nextInt());
        for (int at = SaMad.DATA; at < SaMad.DATA + 112; at++) {
            mad[at] = (byte) (random.nextBoolean() ? 0 : random.nextInt());
        }
        if (random.nextBoolean()) {
            int lid = torus.hostLid(random.nextInt(9));
            mad[SaMad.DATA + 40] = (byte) (lid >> 8);
            mad[SaMad.DATA + 41] = (byte) lid;
            mad[SaMad.DATA + 42] = (byte) (lid >> 8);
            mad[SaMad.DATA + 43] = (byte) lid;
            SaMad.COMPONENT_MASK.set(mad, 0, SaMad.COMPONENT_MASK.get(mad, 0) & ~0xcL | 0x30);
        }
        for (int n = random.nextInt(4); n > 0; n--) {
            int at = random.nextInt(mad.length);
            mad[at] = (byte) (mad[at] ^ 1 << random.nextInt(8));
        }
        return mad;
    }
}
