package io.torussm.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.VPortGuids;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.InformInfo;
import io.torussm.mad.sa.ReportedNotice;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.multicast.MulticastView;
import io.torussm.partition.PartitionSet;
import io.torussm.partition.PortKeys;
import io.torussm.transport.GlobalRoute;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The subscribers of each event. Host 4 subscribes, unless a test names another one. */
class EventReporterTest {
    private static final int ANY = InformInfo.ANY;
    private static final String SPLIT =
            "Default=0x7fff: ALL=limited, SELF=full; A=0x10: 0x1000000401=full, 0x1000000501=full;";

    private final ReportHarness harness = new ReportHarness();
    private final EventReporter reporter = harness.reporter;

    private void start() {
        harness.publish(harness.view);
        harness.advanceMs(0);
    }

    private Notice linkChange(int host) {
        return Notice.linkStateChange(harness.lid(host));
    }

    // --- ports ---

    @Test
    void portsThatComeAndGoAreReported() {
        harness.subscribe(4, ANY);
        start();
        harness.publishWithout(7, 8);
        assertThat(harness.reportedEvents()).containsExactly("65 of 7 to 4", "65 of 8 to 4");
        harness.publishWithout(8);
        assertThat(harness.reportedEvents()).containsExactly("64 of 7 to 4");
        harness.publishWithout(8);
        assertThat(harness.reportedEvents()).isEmpty();
    }

    @Test
    void aReportIsANoticeOfTheSmWithItsGid() {
        harness.subscribe(4, 65);
        start();
        harness.publishWithout(7);
        harness.advanceMs(50);
        byte[] mad = harness.sentFrames.get(0).mad();
        assertThat(MadHeader.mgmtClass(mad)).isEqualTo(MgmtClass.SUBN_ADM);
        assertThat(MadHeader.CLASS_VERSION.get(mad, 0)).isEqualTo(2);
        assertThat(MadHeader.method(mad)).isEqualTo(Method.REPORT);
        assertThat(MadHeader.attributeId(mad)).isEqualTo(2);
        assertThat(MadHeader.tid(mad)).isNotZero();
        assertThat(harness.sentFrames.get(0).peer().lid()).isEqualTo(harness.lid(4));
        assertThat(harness.sentFrames.get(0).peer().qpn()).isEqualTo(ReportHarness.QPN);
        ReportedNotice reported = ReportedNotice.TYPE.read(mad, SaMad.DATA_OFFSET);
        assertThat(reported.notice())
                .isEqualTo(Notice.ofSubnet(65, harness.view.subnet().smLid(), ReportHarness.gid(7)));
        assertThat(reported.notice().isWellFormed()).isTrue();
        assertThat(reported.notice().get(Notice.NOTICE_TYPE)).isEqualTo(3);
        assertThat(reported.notice().get(Notice.PRODUCER_TYPE)).isEqualTo(4);
        assertThat(reported.issuerGid())
                .isEqualTo(new Gid(harness.view.subnet().gidPrefix(), harness.view.smPortGuid()));
    }

    @Test
    void theFirstSubnetOfAMastershipIsNotReported() {
        harness.subscribe(4, ANY);
        reporter.published(new MulticastView(List.of(ReportHarness.group(1, 0xffff))));
        reporter.forward(linkChange(3));
        start();
        assertThat(harness.reportedEvents()).isEmpty();
        reporter.end();
        reporter.published(MulticastView.EMPTY);
        reporter.forward(linkChange(3));
        harness.publishWithout(7);
        assertThat(harness.reportedEvents()).isEmpty();
        harness.publishWithout();
        assertThat(harness.reportedEvents()).containsExactly("64 of 7 to 4");
    }

    @Test
    void pendingReportsAreDroppedAtTheEndOfAMastership() {
        harness.subscribe(4, 65);
        harness.deadHosts.add(harness.lid(4));
        start();
        harness.publishWithout(7);
        harness.advanceMs(10);
        reporter.end();
        harness.sentFrames.clear();
        harness.advanceMs(60_000);
        assertThat(harness.sentFrames).isEmpty();
        assertThat(reporter.stats().lost()).isZero();
    }

    // --- the notices of a subscription ---

    @ParameterizedTest
    @CsvSource({
        "IsGeneric, 0",
        "Type, 4",
        "TrapNumber, 64",
        "ProducerType, 2",
        "LIDRangeBegin, 0x4000",
    })
    void everyCriterionCounts(String name, String value) {
        Field field = InformInfo.TYPE.layout().fields().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        InformInfo all = ReportHarness.wants(ANY);
        harness.subscribe(4, 1, false, all);
        harness.subscribe(5, 1, false, all.with(field, Long.decode(value)));
        start();
        harness.publishWithout(7);
        assertThat(harness.reportedEvents()).containsExactly("65 of 7 to 4");
    }

    @Test
    void anIssuerIsNamedByItsLidsOrItsGid() {
        int lid = harness.lid(6);
        InformInfo all = ReportHarness.wants(128);
        harness.subscribe(1, 1, false, all.with(InformInfo.LID_RANGE_BEGIN, lid));
        harness.subscribe(
                2, 1, false, all.with(InformInfo.LID_RANGE_BEGIN, lid + 1).with(InformInfo.LID_RANGE_END, lid + 2));
        harness.subscribe(3, 1, false, all.with(InformInfo.LID_RANGE_BEGIN, 1).with(InformInfo.LID_RANGE_END, lid));
        harness.subscribe(4, 1, false, all.with(InformInfo.GID, ReportHarness.gid(6)));
        harness.subscribe(
                5, 1, false, all.with(InformInfo.GID, ReportHarness.gid(7)).with(InformInfo.LID_RANGE_BEGIN, lid));
        start();
        reporter.forward(linkChange(6));
        assertThat(harness.reportedEvents()).containsExactly("128 of 6 to 1", "128 of 6 to 3", "128 of 6 to 4");
    }

    @ParameterizedTest
    @ValueSource(ints = {256, 257, 258, 259})
    void trapsAboutKeysAreForTheTrustedEvenAmongThoseWhoWantAllTraps(int trapNumber) {
        harness.subscribe(4, 1, false, ReportHarness.wants(ANY));
        harness.subscribe(5, 1, true, ReportHarness.wants(ANY));
        start();
        reporter.forward(Notice.linkErrors(trapNumber, NodeInfo.CHANNEL_ADAPTER, harness.lid(3), 1));
        assertThat(harness.reportedEvents()).containsExactly(trapNumber + " of 3 to 5");
    }

    @Test
    void trapsAreForwardedAsTheyAreWithTheirIssuer() {
        harness.subscribe(4, 144);
        start();
        Notice trap = Notice.priorityChange(harness.lid(3), 0x1234);
        reporter.forward(trap);
        harness.advanceMs(50);
        assertThat(harness.sentFrames).singleElement().satisfies(frame -> {
            assertThat(ReportHarness.notice(frame).notice()).isEqualTo(trap);
            assertThat(ReportHarness.notice(frame).issuerGid()).isEqualTo(ReportHarness.gid(3));
        });
    }

    @Test
    void aVendorNoticeIsReportedToItsSubscribersOnly() {
        harness.subscribe(4, ANY);
        harness.subscribe(5, 1, false, ReportHarness.wants(ANY).with(InformInfo.IS_GENERIC, 0));
        start();
        reporter.forward(linkChange(3).with(Notice.IS_GENERIC, 0));
        assertThat(harness.reportedEvents()).containsExactly("128 of 3 to 5");
    }

    @Test
    void errorsOfLinksAndTrapsWithoutASourceAreNotForwarded() {
        harness.subscribe(4, ANY);
        start();
        for (int trap = 129; trap <= 131; trap++) {
            reporter.forward(Notice.linkErrors(trap, NodeInfo.CHANNEL_ADAPTER, harness.lid(3), 1));
        }
        reporter.forward(Notice.linkStateChange(0x4000));
        reporter.forward(Notice.linkStateChange(0));
        assertThat(harness.reportedEvents()).isEmpty();
    }

    // --- partitions ---

    @Test
    void onlyPortsOfACommonPartitionAreNotifiedOfIt() {
        harness.subscribe(4, 1, false, ReportHarness.wants(ANY));
        harness.subscribe(6, 1, true, ReportHarness.wants(ANY));
        harness.publish(ReportHarness.subnet(host -> true, SPLIT));
        reporter.forward(linkChange(5));
        assertThat(harness.reportedEvents()).containsExactly("128 of 5 to 4");
        reporter.forward(linkChange(6));
        assertThat(harness.reportedEvents()).as("of itself").containsExactly("128 of 6 to 6");
        harness.publish(ReportHarness.subnet(host -> host != 5, SPLIT));
        assertThat(harness.reportedEvents()).as("the partitions it had").containsExactly("65 of 5 to 4");
        harness.publish(ReportHarness.subnet(host -> true, SPLIT));
        assertThat(harness.reportedEvents()).containsExactly("64 of 5 to 4");
    }

    @Test
    void onlyMembersOfItsPartitionAreNotifiedOfAGroup() {
        harness.subscribe(4, ANY);
        harness.subscribe(6, ANY);
        harness.publish(ReportHarness.subnet(host -> true, SPLIT));
        reporter.published(new MulticastView(List.of(ReportHarness.group(1, 0x8010), ReportHarness.group(2, 0xffff))));
        assertThat(harness.reportedEvents()).containsExactlyInAnyOrder("66 of 1 to 4", "66 of 2 to 4", "66 of 2 to 6");
        reporter.published(new MulticastView(List.of(ReportHarness.group(2, 0xffff), ReportHarness.group(3, 0xffff))));
        assertThat(harness.reportedEvents()).containsExactlyInAnyOrder("67 of 1 to 4", "66 of 3 to 4", "66 of 3 to 6");
        reporter.published(MulticastView.EMPTY);
        assertThat(harness.reportedEvents())
                .containsExactlyInAnyOrder("67 of 2 to 4", "67 of 3 to 4", "67 of 2 to 6", "67 of 3 to 6");
    }

    @Test
    void groupsThatChangeWithASweepAreReportedToo() {
        harness.subscribe(4, ANY);
        start();
        reporter.published(harness.view, new MulticastView(List.of(ReportHarness.group(1, 0xffff))));
        assertThat(harness.reportedEvents()).containsExactly("66 of 1 to 4");
    }

    // --- absent subscribers ---

    @Test
    void aSubscriptionWaitsForItsPortToReturn() {
        harness.subscribe(4, ANY);
        harness.subscribe(5, ANY);
        start();
        harness.publishWithout(4);
        assertThat(harness.reportedEvents()).containsExactly("65 of 4 to 5");
        harness.publishWithout(4, 7);
        assertThat(harness.reportedEvents()).containsExactly("65 of 7 to 5");
        harness.publishWithout(7);
        assertThat(harness.reportedEvents()).containsExactly("64 of 4 to 4", "64 of 4 to 5");
    }

    @Test
    void orEndsWithItIfTheOperatorWantsThat() {
        harness.dropsSubscriptions = true;
        harness.subscribe(4, ANY);
        harness.subscribe(5, ANY);
        start();
        harness.publishWithout(4);
        harness.publishWithout();
        assertThat(harness.reportedEvents()).containsExactly("65 of 4 to 5", "64 of 4 to 5");
        assertThat(harness.subscriptions.view()).hasSize(1);
    }

    @Test
    void aSubscriberWithAGlobalRouteGetsReportsWithIt() {
        GlobalRoute grh = new GlobalRoute(new Gid(0xfec0_0000_0000_0001L, 0x11), 1, 64, 3, 5);
        harness.subscriptions.add(
                new Subscription.Subscriber(ReportHarness.guid(4), ReportHarness.QPN, grh),
                false,
                ReportHarness.wants(65),
                status -> {});
        harness.advanceMs(0);
        start();
        harness.publishWithout(7);
        harness.advanceMs(10);
        assertThat(harness.sentFrames)
                .isNotEmpty()
                .allSatisfy(frame -> assertThat(frame.peer().grh()).isEqualTo(grh));
    }

    @Test
    void anUnsubscriptionDropsWaitingReports() {
        harness.subscribe(4, 65);
        harness.deadHosts.add(harness.lid(4));
        start();
        harness.publishWithout(7, 8);
        harness.advanceMs(10);
        harness.subscriptions.remove(
                new Subscription.Subscriber(ReportHarness.guid(4), ReportHarness.QPN),
                ReportHarness.wants(65),
                status -> {});
        harness.advanceMs(60_000);
        assertThat(harness.sentFrames)
                .extracting(frame -> MadHeader.tid(frame.mad()))
                .containsOnly(0xffff_ffffL);
    }

    // --- many ---

    @Test
    void manySubscriptionsAreLookedAtInTurnsWithOthers() {
        List<Subscription> all = new ArrayList<>();
        for (int i = 0; i < 40_000; i++) {
            Subscription.Subscriber somebody = new Subscription.Subscriber(1000 + i, 1);
            all.add(new Subscription(somebody, 0, false, ReportHarness.wants(65).with(InformInfo.QPN, 1)));
        }
        harness.subscriptions.restore(all);
        harness.subscribe(4, 65);
        start();
        List<Integer> turns = new ArrayList<>();
        harness.publishWithout(7);
        IntStream.range(0, 20).forEach(i -> countEachTurn(turns, 20));
        assertThat(harness.reportedEvents()).containsExactly("65 of 7 to 4");
        assertThat(turns).as("turns of others before the Report").contains(0);
    }

    private void countEachTurn(List<Integer> turns, int left) {
        harness.loop.execute(() -> {
            turns.add(harness.sentFrames.size());
            if (left > 1) {
                countEachTurn(turns, left - 1);
            }
        });
    }

    // --- virtual ports, which subscribe with the LID of their port ---

    @Test
    void aVirtualPortReceivesTheEventsOfItsPartitions() {
        PortKeys keys = PortKeys.of(0x8010);
        harness.vports = new VPortGuids() {
            @Override
            public long portOf(long guid) {
                return guid == 0x77 ? ReportHarness.guid(3) : 0;
            }

            @Override
            public PartitionSet keysAt(long portGuid) {
                return portGuid == ReportHarness.guid(3) ? PartitionSet.of(List.of(keys)) : PartitionSet.NONE;
            }
        };
        harness.subscribe(3, ANY);
        harness.subscribe(2, ANY);
        harness.publish(ReportHarness.subnet(host -> true, SPLIT));
        harness.advanceMs(0);
        harness.publish(ReportHarness.subnet(host -> host != 5, SPLIT));
        assertThat(harness.reportedEvents()).containsExactly("65 of 5 to 3");
    }
}
