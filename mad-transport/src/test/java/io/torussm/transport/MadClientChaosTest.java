package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.testing.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Loss, duplication, reordering, refusals and garbage: each request has exactly one outcome, and nothing is thrown. */
class MadClientChaosTest {
    private static final int REQUESTS = 400;

    /** The outcomes of the requests of one scope. */
    private static final class ScopeOutcomes {
        final int[] outcomes = new int[REQUESTS];
        int replies;
        int idle;

        SmpRequest<NodeInfo> request(int i, int devices) {
            return SmpRequest.get(NodeInfo.TYPE, DrPath.of(i % devices), i, outcome -> {
                outcomes[i]++;
                if (outcome instanceof Outcome.Reply) {
                    replies++;
                }
            });
        }
    }

    /** A wire that loses, doubles, delays and refuses, and that checks the windows while it does. */
    private static final class Wire {
        final ClientHarness harness;
        final Random random;
        final double loss;
        int answered;

        Wire(ClientHarness harness, Random random) {
            this.harness = harness;
            this.random = random;
            this.loss = random.nextInt(3) * 0.2;
            harness.wire.onSend = this::carry;
            harness.wire.accepts = () -> random.nextInt(20) != 0;
        }

        private void carry(MadFrame frame) {
            if (random.nextDouble() < loss) {
                return;
            }
            if (random.nextInt(15) == 0) {
                schedule(() -> harness.wire.returnUndelivered(frame));
                return;
            }
            answered++;
            byte[] reply = ScriptedTransport.reply(frame, random.nextInt(10) == 0 ? 0x1c : 0);
            int copies = random.nextInt(8) == 0 ? 2 : 1;
            for (int i = 0; i < copies; i++) {
                schedule(() -> harness.wire.deliver(reply));
            }
        }

        private void schedule(Runnable event) {
            harness.loop.schedule(TimeUnit.MILLISECONDS.toNanos(random.nextInt(150)), event);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void everyRequestHasExactlyOneOutcome(long seed) {
        Random random = Seeds.random(seed);
        int window = 1 + random.nextInt(20);
        int deviceWindow = 1 + random.nextInt(4);
        ClientHarness harness = new ClientHarness(window, deviceWindow, random.nextInt(4), random.nextInt());
        Wire wire = new Wire(harness, random);
        ScopeOutcomes kept = new ScopeOutcomes();
        ScopeOutcomes closed = new ScopeOutcomes();
        int devices = 1 + random.nextInt(30);

        MadScope keptScope = harness.client.scope();
        keptScope.pull(IntStream.range(0, REQUESTS / 2)
                .mapToObj(i -> kept.request(i, devices))
                .iterator());
        MadScope closedScope = harness.client.scope();
        for (int i = 0; i < REQUESTS; i++) {
            SmpRequest<NodeInfo> request = closed.request(i, devices);
            closedScope.get(NodeInfo.TYPE, request.path(), request.attributeModifier(), request.continuation());
        }
        for (int i = REQUESTS / 2; i < REQUESTS; i++) {
            SmpRequest<NodeInfo> request = kept.request(i, devices);
            keptScope.get(NodeInfo.TYPE, request.path(), request.attributeModifier(), request.continuation());
        }
        keptScope.whenIdle(() -> kept.idle++);
        harness.loop.schedule(TimeUnit.MILLISECONDS.toNanos(random.nextInt(2_000)), closedScope::close);

        boolean ended = harness.loop.runUntil(() -> kept.idle > 0, TimeUnit.HOURS.toNanos(10));
        assertThat(ended).as("idle at last").isTrue();
        harness.runMs(100_000);
        assertThat(kept.idle).isEqualTo(1);
        assertThat(kept.outcomes).containsOnly(1);
        assertThat(closed.outcomes).containsOnly(1);
        assertThat(kept.replies).isPositive();
        assertThat(kept.replies + closed.replies).isLessThanOrEqualTo(wire.answered);
        assertThat(harness.client.stats().failures()).isZero();
        assertThat(harness.client.stats().sent()).isEqualTo(harness.wire.sent.size());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void windowsHoldWhateverTheOrderOfAnswers(long seed) {
        Random random = Seeds.random(seed);
        int window = 1 + random.nextInt(12);
        int deviceWindow = 1 + random.nextInt(3);
        ClientHarness harness = new ClientHarness(window, deviceWindow, 0, random.nextInt());
        List<MadFrame> onWire = new ArrayList<>();
        harness.wire.onSend = frame -> {
            onWire.add(frame);
            assertThat(onWire).hasSizeLessThanOrEqualTo(window);
            Map<DrPath, Integer> perDevice = new HashMap<>();
            onWire.forEach(sent -> perDevice.merge(pathOf(sent), 1, Integer::sum));
            assertThat(perDevice.values()).allMatch(count -> count <= deviceWindow);
        };
        ScopeOutcomes ledger = new ScopeOutcomes();
        MadScope scope = harness.client.scope();
        int devices = 1 + random.nextInt(10);
        scope.pull(IntStream.range(0, REQUESTS)
                .mapToObj(i -> ledger.request(i, devices))
                .iterator());
        while (!onWire.isEmpty()) {
            harness.wire.respond(onWire.remove(random.nextInt(onWire.size())));
            harness.runDueTasks();
        }
        assertThat(ledger.outcomes).containsOnly(1);
        assertThat(ledger.replies).isEqualTo(REQUESTS);
        assertThat(harness.client.stats().retries()).isZero();
    }

    private static DrPath pathOf(MadFrame frame) {
        DrPath path = Smp.path(frame.mad());
        assertThat(path).isNotNull();
        return path == null ? DrPath.LOCAL : path;
    }

    @Test
    void hundredThousandRandomFramesThrowNothingAndAreAllCounted() {
        Random random = Seeds.random(20);
        ClientHarness harness = new ClientHarness(64, 64, 2);
        ScopeOutcomes ledger = new ScopeOutcomes();
        MadScope scope = harness.client.scope();
        for (int i = 0; i < REQUESTS; i++) {
            SmpRequest<NodeInfo> request = ledger.request(i, 250);
            scope.get(NodeInfo.TYPE, request.path(), i, request.continuation());
        }
        int frames = 100_000;
        for (int i = 0; i < frames; i++) {
            harness.wire.deliver(new MadFrame(
                    new MadAddress(random.nextInt(), random.nextInt(), random.nextInt(), random.nextInt()),
                    garbage(random, harness.wire.sent),
                    random.nextInt(10) == 0));
            if (i % 1_000 == 0) {
                harness.runDueTasks();
            }
        }
        harness.runDueTasks();
        MadClient.Stats stats = harness.client.stats();
        // An answer that is none is counted as a reply and as malformed; all others once.
        long bothWays = stats.replies() + stats.malformed() + stats.late() + stats.unsolicited() + stats.undelivered();
        int malformedReplies = (int) (bothWays + harness.administration.size() - frames);
        assertThat(malformedReplies).isBetween(0, (int) Math.min(stats.replies(), stats.malformed()));
        assertThat(stats.overflow()).isZero();
        assertThat(stats.failures()).isZero();
        assertThat(stats.late()).isPositive();
        assertThat(stats.replies()).isPositive();
        assertThat(harness.management).isNotEmpty();
        assertThat(harness.administration).isNotEmpty();
        harness.runMs(100_000);
        assertThat(ledger.outcomes).containsOnly(1);
    }

    /** Returns random bytes of random length, a mutant of a sent MAD, or almost a response. */
    private static byte[] garbage(Random random, List<MadFrame> sent) {
        byte[] mad = new byte[random.nextInt(8) == 0 ? random.nextInt(600) : MadHeader.MAD_SIZE];
        random.nextBytes(mad);
        if (mad.length < MadHeader.MAD_SIZE) {
            return mad;
        }
        switch (random.nextInt(4)) {
            case 0 ->
                mad[1] = (byte) List.of(MgmtClass.SUBN_LID, MgmtClass.SUBN_ADM, 0x81, 4)
                        .get(random.nextInt(4))
                        .intValue();
            case 1 -> {
                mad = ScriptedTransport.reply(sent.get(random.nextInt(sent.size())), random.nextInt(1 << 15));
                mad[random.nextInt(24)] ^= (byte) (1 << random.nextInt(8));
            }
            case 2 -> {
                mad = ScriptedTransport.reply(sent.get(random.nextInt(sent.size())), 0);
                mad[3] = (byte) (random.nextBoolean() ? Method.GET_TABLE_RESP : random.nextInt());
            }
            default -> {}
        }
        return mad;
    }
}
