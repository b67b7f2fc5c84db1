package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.perf.PerfMad;
import io.torussm.mad.perf.PortCounters;
import io.torussm.testing.BoundedWait;
import io.torussm.testing.Seeds;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Loss, duplicates, reordering, redirections and garbage: each request has exactly one outcome, a reply is the device's
 * own, and no exception is thrown.
 */
class GsiClientChaosTest {
    private static final int REQUESTS = 400;
    private static final int DEVICES = 20;

    /** Returns the value of a device at a port: no two are equal. */
    private static int errors(int lid, int port) {
        return 256 * lid + port;
    }

    /** Devices that redirect, refuse and are busy, behind a wire that loses, doubles, delays, garbles and forges. */
    private static final class Wire {
        final ClientHarness harness = new ClientHarness(8, 2, 1);
        final Random random;
        final double loss;

        Wire(Random random) {
            this.random = random;
            loss = random.nextInt(3) * 0.2;
            harness.wire.onSend = this::carry;
            harness.wire.accepts = () -> random.nextInt(20) != 0;
            harness.wire.returnsTimedOutRequests = random.nextBoolean();
        }

        private void carry(MadFrame frame) {
            if (random.nextDouble() < loss) {
                return;
            }
            if (random.nextInt(15) == 0) {
                schedule(() -> harness.wire.returnUndelivered(frame));
            }
            byte[] answer = answer(frame);
            for (int copies = random.nextInt(8) == 0 ? 2 : 1; copies > 0; copies--) {
                schedule(() -> harness.wire.deliver(new MadFrame(frame.peer(), answer)));
            }
            schedule(() -> harness.wire.deliver(forged(frame)));
        }

        private byte[] answer(MadFrame frame) {
            byte[] mad = frame.mad().clone();
            MadHeader.METHOD.set(mad, 0, Method.GET_RESP);
            int luck = random.nextInt(20);
            if (luck < 2) {
                MadHeader.STATUS.set(mad, 0, luck == 0 ? MadStatus.BUSY : MadStatus.INVALID_FIELD);
            } else if (luck == 2) {
                MadHeader.STATUS.set(mad, 0, MadStatus.REDIRECT);
                ClassPortInfo.TYPE
                        .zero()
                        .with(ClassPortInfo.REDIRECT_LID, frame.peer().lid())
                        .with(ClassPortInfo.REDIRECT_QP, 2 + random.nextInt(100))
                        .write(mad, PerfMad.DATA_OFFSET);
            } else {
                PortCounters asked = PortCounters.TYPE.read(mad, PerfMad.DATA_OFFSET);
                asked.with(
                                PortCounters.SYMBOL_ERROR_COUNTER,
                                errors(frame.peer().lid(), PortCounters.COUNTERS.port(asked)))
                        .write(mad, PerfMad.DATA_OFFSET);
            }
            return mad;
        }

        /** Returns a response that the device did not send: from elsewhere, or visibly damaged. */
        private MadFrame forged(MadFrame frame) {
            byte[] mad = frame.mad().clone();
            random.nextBytes(mad);
            MadHeader.MGMT_CLASS.set(mad, 0, MgmtClass.PERF_MGT);
            MadHeader.METHOD.set(mad, 0, Method.GET_RESP);
            if (random.nextBoolean()) {
                return new MadFrame(frame.peer(), mad);
            }
            // All is right but the sender and its data.
            int other = frame.peer().lid() + 1 + random.nextInt(50);
            byte[] wrong = frame.mad().clone();
            MadHeader.METHOD.set(wrong, 0, Method.GET_RESP);
            Arrays.fill(wrong, PerfMad.DATA_OFFSET, wrong.length, (byte) 0xee);
            return new MadFrame(new MadAddress(other, 1, 0, 0), wrong);
        }

        private void schedule(Runnable event) {
            harness.loop.schedule(TimeUnit.MILLISECONDS.toNanos(random.nextInt(150)), event);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void everyRequestHasExactlyOneOutcome(long seed) {
        Random random = Seeds.random(seed);
        Wire wire = new Wire(random);
        int window = 1 + random.nextInt(20);
        GsiClient gsi = new GsiClient(
                wire.harness.client,
                wire.harness.loop,
                () -> new GsiClient.Settings(window, random.nextBoolean() ? 0 : 5_000, 100, 3),
                random.nextInt(),
                GsiClient.RedirectionPolicy.withinSubnet(pKey -> 0));
        int[] outcomes = new int[REQUESTS];
        int[] replies = new int[1];
        for (int i = 0; i < REQUESTS; i++) {
            int request = i;
            int lid = 1 + i % DEVICES;
            int port = i % 200;
            gsi.send(GsiRequest.perfGet(
                    new MadAddress(lid, 1, 0, 0), PortCounters.COUNTERS.readRequest(port), (outcome, atNs) -> {
                        outcomes[request]++;
                        if (outcome instanceof Outcome.Reply<PortCounters> reply) {
                            replies[0]++;
                            assertThat(reply.value().get(PortCounters.SYMBOL_ERROR_COUNTER))
                                    .isEqualTo(errors(lid, port));
                        }
                    }));
        }
        boolean ended = wire.harness.loop.runUntil(() -> gsi.outstanding() == 0, TimeUnit.HOURS.toNanos(1));
        assertThat(ended).isTrue();
        wire.harness.runMs(10_000);
        assertThat(outcomes).containsOnly(1);
        assertThat(replies[0]).isGreaterThan(REQUESTS / 4);
        assertThat(gsi.stats().foreign()).isPositive();
        assertThat(gsi.stats().redirected()).isPositive();
        assertThat(wire.harness.client.stats().failures()).isZero();
        assertThat(wire.harness.wire.sent).hasSize((int) gsi.stats().sent());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void theWindowHolds(long seed) {
        Random random = Seeds.random(seed);
        ClientHarness harness = new ClientHarness(8, 2, 1);
        int window = 1 + random.nextInt(20);
        GsiClient gsi = new GsiClient(
                harness.client,
                harness.loop,
                () -> new GsiClient.Settings(window, 0, 100, 3),
                random.nextInt(),
                GsiClient.RedirectionPolicy.withinSubnet(pKey -> 0));
        int[] onWire = new int[2];
        harness.wire.onSend = frame -> {
            onWire[0]++;
            onWire[1] = Math.max(onWire[1], onWire[0]);
            harness.loop.schedule(TimeUnit.MILLISECONDS.toNanos(random.nextInt(90)), () -> {
                onWire[0]--;
                byte[] mad = frame.mad().clone();
                MadHeader.METHOD.set(mad, 0, Method.GET_RESP);
                harness.wire.deliver(new MadFrame(frame.peer(), mad));
            });
        };
        for (int i = 0; i < REQUESTS; i++) {
            gsi.send(GsiRequest.perfGet(
                    new MadAddress(1 + i % DEVICES, 1, 0, 0),
                    PortCounters.COUNTERS.readRequest(1),
                    (outcome, atNs) -> {}));
        }
        BoundedWait.until(
                harness.loop, "all requests are answered", () -> gsi.outstanding() == 0, TimeUnit.HOURS.toNanos(1));
        assertThat(onWire[1]).isEqualTo(window);
        assertThat(gsi.stats().answered()).isEqualTo(REQUESTS);
        assertThat(gsi.stats().retries()).isZero();
    }
}
