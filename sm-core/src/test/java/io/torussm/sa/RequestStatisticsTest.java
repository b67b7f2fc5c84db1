package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.NodeRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Counters, and fairness to requesters, through the whole SA. */
class RequestStatisticsTest {
    private static final int NODE = NodeRecord.TYPE.id();

    private final SmallTorus torus = new SmallTorus();
    private final SaHarness harness = new SaHarness(torus);

    private AttributeStatistics of(String attribute) {
        return harness.sa.traffic().stream()
                .filter(traffic -> traffic.attribute().equals(attribute))
                .findFirst()
                .orElseThrow();
    }

    private byte[] getOfOneNode() {
        return harness.get(NODE).with(NodeRecord.COMPONENTS, NodeRecord.LID, torus.hostLid(3)).mad;
    }

    private void send(int lid, byte[] mad) {
        harness.sa.onMad(new MadFrame(new MadAddress(lid, 1, 0, 0), mad));
    }

    @Test
    void noStatisticsOfUnrequestedAttributesAreReported() {
        assertThat(harness.sa.traffic()).isEmpty();
    }

    @Test
    void countsByAttributeAndMethod() {
        harness.get(NODE).answer();
        harness.get(NODE).answer();
        harness.getTable(NODE).frames();
        harness.request(Method.SET, NODE).answer();
        harness.request(0x44, NODE).answer();
        harness.get(PathRecord.TYPE.id()).answer();
        harness.get(0x77).answer();
        harness.get(0x1235).answer();
        assertThat(of("NodeRecord").counts())
                .containsExactly(
                        new AttributeStatistics.Count("other", 1, 1, 0, 0),
                        new AttributeStatistics.Count("Get", 2, 2, 0, 0),
                        new AttributeStatistics.Count("Set", 1, 1, 0, 0),
                        new AttributeStatistics.Count("GetTable", 1, 1, 0, 0));
        assertThat(of("PathRecord").counts()).containsExactly(new AttributeStatistics.Count("Get", 1, 1, 0, 0));
        assertThat(of("other").counts()).containsExactly(new AttributeStatistics.Count("Get", 2, 2, 0, 0));
        assertThat(harness.sa.traffic()).hasSize(3);
        assertThat(of("NodeRecord").statuses())
                .contains(
                        new AttributeStatistics.Answered("Get", "TOO_MANY_RECORDS", 2),
                        new AttributeStatistics.Answered("GetTable", "OK", 1),
                        new AttributeStatistics.Answered("Set", "other", 1));
    }

    @Test
    void latencyIsFromComingInToGoingOut() {
        Queue<Runnable> lanes = new ArrayDeque<>();
        harness.workers = lanes::add;
        send(torus.hostLid(1), getOfOneNode());
        harness.loop.runFor(TimeUnit.MICROSECONDS.toNanos(100));
        lanes.remove().run();
        send(torus.hostLid(1), getOfOneNode());
        lanes.remove().run();
        send(torus.hostLid(1), getOfOneNode());
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(100));
        lanes.remove().run();
        AttributeStatistics nodes = of("NodeRecord");
        assertThat(nodes.latencies()).hasSize(22);
        assertThat(nodes.latencies().get(0)).isEqualTo(1);
        assertThat(nodes.latencies().get(7)).isEqualTo(1);
        assertThat(nodes.latencies().get(21)).isEqualTo(1);
        assertThat(nodes.withinUs(0.3)).isEqualTo(1);
        assertThat(nodes.withinUs(0.5)).isEqualTo(128);
        assertThat(nodes.withinUs(1)).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aChangeTakesUntilItIsMade() {
        harness.request(Method.DELETE, ServiceRecord.TYPE.id()).answer();
        assertThat(of("ServiceRecord").latencies().stream()
                        .mapToLong(Long::longValue)
                        .sum())
                .isEqualTo(1);
    }

    @Test
    void aFloodOfOneRequesterIsAnsweredWithBusyAndAnotherOneImmediately() {
        Queue<Runnable> lanes = new ArrayDeque<>();
        harness.workers = lanes::add;
        int hog = torus.hostLid(1);
        int other = torus.hostLid(2);
        for (int i = 0; i < 20_000; i++) {
            send(hog, getOfOneNode());
        }
        send(other, getOfOneNode());
        lanes.remove().run();
        List<Integer> askers =
                harness.sent.stream().map(frame -> frame.peer().lid()).toList();
        assertThat(askers.indexOf(other)).isBetween(0, 2);
        long refused = harness.sent.stream()
                .filter(frame -> MadHeader.status(frame.mad()) == MadStatus.BUSY)
                .count();
        assertThat(refused).isBetween(1L, 1024L);
        SubnetAdministrator.Stats stats = harness.sa.stats();
        assertThat(stats.busy()).isEqualTo(refused);
        assertThat(stats.requests()).isEqualTo(20_001);
        assertThat(stats.answers()).isEqualTo(harness.sent.size());
        assertThat(stats.dropped()).isEqualTo(20_001 - harness.sent.size());
        assertThat(stats.mostWaiting()).isLessThanOrEqualTo(8192);
        assertThat(stats.waiting()).isZero();
        assertThat(of("NodeRecord").counts()).singleElement().satisfies(count -> {
            assertThat(count.method()).isEqualTo("Get");
            assertThat(count.taken()).isEqualTo(20_001);
            assertThat(count.busy()).isEqualTo(refused);
            assertThat(count.dropped()).isEqualTo(stats.dropped());
        });
        assertThat(harness.sent).allSatisfy(frame -> assertThat(SaMad.SM_KEY.get(frame.mad(), 0))
                .isZero());
    }

    @Test
    void allLidsOfAPortAreOneRequester() {
        SmallTorus wide = new SmallTorus(3, (guid, portNum, usual) -> usual);
        SaHarness ofWide = new SaHarness(wide);
        Queue<Runnable> lanes = new ArrayDeque<>();
        ofWide.workers = lanes::add;
        int hog = wide.hostLid(1);
        for (int i = 0; i < 80; i++) {
            ofWide.sa.onMad(new MadFrame(new MadAddress(hog + i % 8, 1, 0, 0), ofWide.get(NODE).mad));
        }
        ofWide.sa.onMad(new MadFrame(new MadAddress(wide.hostLid(2), 1, 0, 0), ofWide.get(NODE).mad));
        lanes.remove().run();
        assertThat(ofWide.sent.get(1).peer().lid()).isEqualTo(wide.hostLid(2));
    }

    @Test
    void aPathWithAnOpenSideIsALargeRequest() {
        Queue<Runnable> lanes = new ArrayDeque<>();
        harness.workers = lanes::add;
        byte[] open =
                harness.get(PathRecord.TYPE.id()).with(PathRecord.COMPONENTS, PathRecord.SLID, torus.hostLid(1)).mad;
        send(torus.hostLid(1), getOfOneNode());
        send(torus.hostLid(1), open);
        lanes.remove().run();
        assertThat(MadHeader.attributeId(harness.sent.get(0).mad())).isEqualTo(PathRecord.TYPE.id());
    }
}
