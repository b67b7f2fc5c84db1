package io.torussm.report;

import io.torussm.alias.VPortGuids;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.InformInfo;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.ReportedNotice;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.multicast.MulticastGroup;
import io.torussm.multicast.MulticastView;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.routing.Plan;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.VirtualLoop;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.ViewDraft;
import io.torussm.transport.MadFrame;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A reporter, and one switch (LID 1) with up to 12 hosts. Host n is at port n + 1 and has LID n + 2 if all hosts are
 * present. Hosts respond to Reports unless they are {@link #deadHosts}.
 */
final class ReportHarness {
    static final int TIMEOUT_MS = 200;
    static final int RETRIES = 3;
    static final int QPN = 0x11;
    static final int HOSTS = 12;
    private static final long SWITCH = 0x20_0000;

    final VirtualLoop loop = new VirtualLoop();
    final Subscriptions subscriptions = new Subscriptions(loop);

    /** All sent Reports, retries included, in order. */
    final List<MadFrame> sentFrames = new ArrayList<>();

    /** LIDs whose hosts do not answer. */
    final Set<Integer> deadHosts = new HashSet<>();

    VPortGuids vports = guid -> 0;
    boolean dropsSubscriptions;

    /** True if the port of the SM is out of order and sends nothing. */
    boolean isOutOfOrder;

    PublishedView view = subnet(host -> true, "");

    final EventReporter reporter = new EventReporter(
            loop,
            this::send,
            -2,
            () -> new EventReporter.Settings(TIMEOUT_MS, RETRIES, 0, dropsSubscriptions),
            subscriptions,
            () -> vports);

    private boolean send(MadFrame frame, int responseTimeoutMs) {
        sentFrames.add(frame);
        if (!deadHosts.contains(frame.peer().lid()) && !isOutOfOrder) {
            loop.schedule(TimeUnit.MICROSECONDS.toNanos(20), () -> answer(frame));
        }
        return !isOutOfOrder;
    }

    void answer(MadFrame report) {
        byte[] mad = report.mad().clone();
        MadHeader.METHOD.set(mad, 0, Method.REPORT_RESP);
        reporter.received(new MadFrame(report.peer(), mad));
    }

    static long guid(int host) {
        return 0x10_0000_0001L + 0x100L * host;
    }

    static Gid gid(int host) {
        return new Gid(Subnets.DEFAULT_PREFIX, guid(host));
    }

    /** Returns a subnet of the present hosts, with the partitions of a file, or without. */
    static PublishedView subnet(IntPredicate isThere, String partitions) {
        FabricBuilder builder = new FabricBuilder();
        add(builder, NodeInfo.SWITCH, SWITCH, SWITCH, HOSTS);
        builder.setSwitchInfo(
                SWITCH,
                SwitchInfo.TYPE.zero().with(SwitchInfo.ENHANCED_PORT0, 1).with(SwitchInfo.LINEAR_FDB_CAP, 0xBFFF));
        IntStream.range(0, HOSTS).filter(isThere).forEach(host -> {
            add(builder, NodeInfo.CHANNEL_ADAPTER, guid(host) - 1, guid(host), 1);
            builder.link(SWITCH, host + 1, guid(host) - 1, 1);
        });
        Fabric fabric = builder.build();
        Subnet subnet = Subnets.of(fabric);
        Plan plan = (Plan) new MinHopEngine().route(subnet, TestRouting.NO_QOS);
        return ViewDraft.of(plan)
                .partitions(plan(fabric, partitions))
                .smPortGuid(SWITCH)
                .build();
    }

    private static PartitionPlan plan(Fabric fabric, String partitions) {
        if (partitions.isEmpty()) {
            return PartitionPlan.withoutConf(fabric);
        }
        PartitionConf conf = Objects.requireNonNull(
                PartitionConf.parse("p.conf", partitions, true).conf());
        return PartitionPlan.of(
                new PartitionSettings(conf, PartitionSettings.Enforcement.BOTH, true, false),
                fabric,
                port -> PortKeys.NONE);
    }

    private static void add(FabricBuilder builder, int type, long guid, long portGuid, int ports) {
        NodeInfo info = NodeInfo.TYPE
                .zero()
                .with(NodeInfo.NODE_TYPE, type)
                .with(NodeInfo.NUM_PORTS, ports)
                .with(NodeInfo.NODE_GUID, guid)
                .with(NodeInfo.PORT_GUID, portGuid)
                .with(NodeInfo.PARTITION_CAP, 32)
                .with(NodeInfo.LOCAL_PORT_NUM, 1);
        builder.addNode(info, DrPath.LOCAL);
        for (int port = type == NodeInfo.SWITCH ? 0 : 1; port <= ports; port++) {
            builder.setPortInfo(
                    guid,
                    port,
                    PortInfo.TYPE
                            .zero()
                            .with(PortInfo.PORT_STATE, PortInfo.STATE_ACTIVE)
                            .with(PortInfo.VL_CAP, 4)
                            .with(PortInfo.CAPABILITY_MASK, PortInfo.CAP_SL_MAPPING));
        }
    }

    int lid(int host) {
        Fabric fabric = view.subnet().fabric();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.portGuid(port) == guid(host) && view.subnet().lid(port) != 0) {
                return view.subnet().lid(port);
            }
        }
        throw new AssertionError("host " + host + " is not there");
    }

    /** Publishes a subnet without some hosts. */
    void publishWithout(int... hosts) {
        publish(subnet(host -> IntStream.of(hosts).noneMatch(gone -> gone == host), ""));
    }

    void publish(PublishedView newView) {
        view = newView;
        reporter.published(view, MulticastView.EMPTY);
    }

    /** Returns the InformInfo of all notices of a trap number. */
    static InformInfo wants(int trapNumber) {
        return InformInfo.TYPE
                .zero()
                .with(InformInfo.LID_RANGE_BEGIN, InformInfo.ANY)
                .with(InformInfo.IS_GENERIC, 1)
                .with(InformInfo.SUBSCRIBE, 1)
                .with(InformInfo.NOTICE_TYPE, InformInfo.ANY)
                .with(InformInfo.TRAP_NUMBER, trapNumber)
                .with(InformInfo.PRODUCER_TYPE, InformInfo.ANY_PRODUCER);
    }

    void subscribe(int host, int trapNumber) {
        subscribe(host, QPN, false, wants(trapNumber));
    }

    void subscribe(int host, int qpn, boolean isTrusted, InformInfo wants) {
        subscriptions.add(new Subscription.Subscriber(guid(host), qpn), isTrusted, wants, status -> {
            if (status != 0) {
                throw new AssertionError("status " + status);
            }
        });
        advanceMs(0);
    }

    void advanceMs(long ms) {
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    static ReportedNotice notice(MadFrame frame) {
        return ReportedNotice.TYPE.read(frame.mad(), SaMad.DATA_OFFSET);
    }

    /** Returns the Reports since the last call, as {@code 65 of 3 to 4}: trap, host and subscriber's LID. */
    List<String> reportedEvents() {
        advanceMs(50);
        List<String> told = sentFrames.stream()
                .map(frame -> textOf(notice(frame)) + " to " + host(frame.peer().lid()))
                .toList();
        sentFrames.clear();
        return told;
    }

    private static String textOf(ReportedNotice reported) {
        Notice notice = reported.notice();
        boolean isOfSm = notice.trapNumber() < Notice.TRAP_LINK_STATE_CHANGE;
        long guid = isOfSm ? notice.gid().guid() : reported.issuerGid().guid();
        return notice.trapNumber() + " of " + (guid < guid(0) ? guid : (guid - guid(0)) / 0x100);
    }

    private int host(int lid) {
        return IntStream.range(0, HOSTS)
                .filter(host -> IntStream.range(0, view.subnet().fabric().portCount())
                        .anyMatch(port -> view.subnet().lid(port) == lid
                                && view.subnet().fabric().portGuid(port) == guid(host)))
                .findFirst()
                .orElse(-1);
    }

    static MulticastGroup group(int number, int pKey) {
        return new MulticastGroup(
                MCMemberRecord.TYPE
                        .zero()
                        .with(MCMemberRecord.MGID, new Gid(0xff12_401b_0000_0000L, number))
                        .with(MCMemberRecord.MLID, MulticastView.FIRST_MLID + number)
                        .with(MCMemberRecord.P_KEY, pKey),
                List.of());
    }
}
