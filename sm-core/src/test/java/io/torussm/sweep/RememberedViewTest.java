package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.routing.Plan;
import io.torussm.routing.dor.DorEngine;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sim.SimInterventions;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.subnet.Subnet;
import io.torussm.testing.BoundedWait;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A new master answers from the state of its predecessor, unless a device contradicts it. */
class RememberedViewTest {
    private static final String TORUS = "torus:4x3x1,hosts=2";
    private static final int CABLE = 3;
    private static final Gid IPOIB = new Gid(0xff12401bffff0000L, 0xffffffffL);

    private final SweepHarness harness = new SweepHarness(TORUS);

    private PublishedView keep() {
        harness.sweep();
        harness.awaitRest();
        harness.lastState.store(harness.sweeper.state(), Instant.EPOCH);
        return harness.publishedView();
    }

    /** Restarts the SM, and returns the view that it serves before its first subnet is up; null if there is none. */
    private @Nullable PublishedView servedFirst() {
        harness.view = null;
        harness.restart();
        harness.requests.clear();
        harness.sweeper.sweepHeavy();
        BoundedWait.until(
                harness.loop, "the SA has a view", () -> harness.servedView() != null, TimeUnit.MINUTES.toNanos(1));
        PublishedView first = harness.servedView();
        return first != null && first.isRemembered() ? first : null;
    }

    private long guid(String description) {
        return harness.node(description).nodeGuid();
    }

    @Test
    void theSaAnswersBeforeTablesAreRead() {
        PublishedView before = keep();
        PublishedView first = Objects.requireNonNull(servedFirst());
        assertThat(harness.sweeper.view()).isNull();
        long samples = harness.requests.stream()
                .filter(mad -> MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id())
                .count();
        assertThat(samples).as("a block of each switch").isEqualTo(12);
        assertIsSame(before, first);
        harness.awaitRest();
        assertThat(harness.ends).endsWith("up");
        assertThat(harness.servedView()).isSameAs(harness.publishedView());
        assertThat(harness.publishedView().isRemembered()).isFalse();
    }

    private static void assertIsSame(PublishedView before, PublishedView after) {
        Subnet was = before.subnet();
        Subnet is = after.subnet();
        Fabric fabric = was.fabric();
        assertThat(is.fabric().portCount()).isEqualTo(fabric.portCount());
        Plan plan = after.plan();
        for (int port = 0; port < fabric.portCount(); port++) {
            assertThat(is.lid(port)).isEqualTo(was.lid(port));
        }
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            assertThat(plan.lft(sw)).isEqualTo(before.plan().lft(sw));
        }
        for (int from = 1; from <= was.topLid(); from++) {
            for (int to = 1; to <= was.topLid(); to++) {
                assertThat(plan.pathSl(from, to, 0)).isEqualTo(before.plan().pathSl(from, to, 0));
            }
        }
    }

    @Test
    void aHostThatIsAbsentContradictsNothing() {
        keep();
        harness.fabric.unlink(guid("host-3-2-0-1"), 1);
        assertThat(servedFirst()).isNotNull();
    }

    @Test
    void aNewMasterAtAnotherPortAnswersToo() {
        keep();
        harness.host = "host-2-2-0-0";
        PublishedView first = Objects.requireNonNull(servedFirst());
        assertThat(first.smPortGuid()).isEqualTo(harness.client.localPort().portGuid());
    }

    /** Hosts send queries to the LID that they were given, so they get that of a new master when it answers. */
    @Test
    void hostsGetTheLidOfANewMasterBeforeTablesAreRead() {
        keep();
        harness.host = "host-2-2-0-0";
        assertThat(servedFirst()).isNotNull();
        int smLid = harness.fabric.portInfo(guid(harness.host), 1).lid();
        BoundedWait.until(
                harness.loop,
                "all hosts have the LID of this SM",
                () -> hostInfos().stream().allMatch(info -> info.masterSmLid() == smLid),
                TimeUnit.MINUTES.toNanos(1));
        assertThat(hostInfos()).hasSize(24).allSatisfy(info -> assertThat(info.masterSmLid())
                .isEqualTo(smLid));
        assertThat(setPortInfos())
                .as("they register again later, when they can join")
                .noneMatch(sent -> sent.get(PortInfo.CLIENT_REREGISTER) != 0);
        harness.awaitRest();
        assertThat(harness.ends).endsWith("up");
    }

    private List<PortInfo> setPortInfos() {
        return harness.requests.stream()
                .filter(mad -> MadHeader.method(mad) == Method.SET && MadHeader.attributeId(mad) == PortInfo.TYPE.id())
                .map(mad -> PortInfo.TYPE.read(mad, Smp.DATA_OFFSET))
                .toList();
    }

    private List<PortInfo> hostInfos() {
        return TorusSpec.parse(TORUS).topology().nodes().stream()
                .filter(node -> !node.isSwitch())
                .map(node -> harness.fabric.portInfo(node.nodeGuid(), 1))
                .toList();
    }

    /** Hosts keep the LID of the previous master until the SA answers. */
    @Test
    void hostsKeepTheLidOfTheLastMasterWhileTheViewIsContradicted() {
        keep();
        harness.host = "host-2-2-0-0";
        harness.fabric.unlink(guid("sw-1-1-0"), CABLE);
        harness.view = null;
        harness.restart();
        harness.requests.clear();
        assertThat(harness.sweep()).isEqualTo("up");
        Map<Integer, PortInfo> first = new HashMap<>();
        setPortInfos().forEach(sent -> first.putIfAbsent(sent.lid(), sent));
        assertThat(hostInfos())
                .as("with the request to register again")
                .allMatch(held -> Objects.requireNonNull(first.get(held.lid())).get(PortInfo.CLIENT_REREGISTER) != 0);
    }

    @Test
    void withoutAStateTheFirstSweepIsAwaited() {
        harness.sweep();
        assertThat(servedFirst()).isNull();
    }

    @Test
    void aLostCableContradictsIt() {
        keep();
        harness.fabric.unlink(guid("sw-1-1-0"), CABLE);
        assertThat(servedFirst()).isNull();
    }

    @Test
    void aSwitchThatRestartedContradictsIt() {
        keep();
        harness.fabric.failSwitch(guid("sw-1-1-0"));
        harness.fabric.restoreSwitch(guid("sw-1-1-0"));
        assertThat(servedFirst()).isNull();
    }

    @Test
    void aCableThatTrainedAgainContradictsIt() {
        keep();
        harness.fabric.unlink(guid("sw-1-1-0"), CABLE);
        harness.fabric.relink(guid("sw-1-1-0"), CABLE);
        assertThat(servedFirst()).isNull();
    }

    @Test
    void anotherSwitchContradictsIt() {
        keep();
        harness.fabric.failSwitch(guid("sw-3-2-0"));
        assertThat(servedFirst()).isNull();
    }

    /** The routes of another SM at the same port: LIDs and cables are as they were. */
    @Test
    void tablesOfAnotherSmContradictIt() {
        keep();
        harness.engine = new DorEngine();
        harness.restart();
        harness.sweep();
        harness.awaitRest();
        assertThat(servedFirst()).isNull();
    }

    /** Another SM was master meanwhile, at another port, with the same routes. */
    @Test
    void anotherMasterInBetweenContradictsIt() {
        keep();
        harness.host = "host-2-2-0-0";
        harness.restart();
        harness.sweep();
        harness.awaitRest();
        harness.host = SweepHarness.HOST;
        assertThat(servedFirst()).isNull();
    }

    @Test
    void aHostThatMovedContradictsIt() {
        keep();
        harness.fabric.unlink(guid("host-3-2-0-1"), 1);
        harness.fabric.unlink(guid("host-1-1-0-1"), 1);
        harness.fabric
                .interventions()
                .link(
                        new SimInterventions.CableEnd(guid("host-3-2-0-1"), 1),
                        new SimInterventions.CableEnd(guid("sw-1-1-0"), port(guid("host-1-1-0-1"))));
        assertThat(servedFirst()).isNull();
    }

    private int port(long host) {
        Fabric fabric = harness.publishedView().subnet().fabric();
        int port = fabric.port(fabric.nodeByGuid(host), 1);
        return fabric.portNum(fabric.peer(port));
    }

    /** A change that is reported while the view is served ends that. */
    @Test
    void aReportedChangeEndsIt() {
        keep();
        assertThat(servedFirst()).isNotNull();
        harness.fabric.unlink(guid("sw-1-1-0"), CABLE);
        harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(1));
        PublishedView now = harness.servedView();
        assertThat(now == null || !now.isRemembered()).isTrue();
        harness.awaitRest();
        assertThat(harness.sweeper.view()).isNotNull();
    }

    /** A join would be programmed with routes that are not known yet. */
    @Test
    void pathsAreAnsweredAtOnceAndJoinsWhenTheSubnetIsUp() {
        PublishedView before = keep();
        int port = harness.hosts().get(3);
        MadAddress requester = new MadAddress(before.subnet().lid(port), 1, 0, 0);
        byte[] join = harness.membership(Method.SET, 2, IPOIB, port, MCMemberRecord.FULL_MEMBER, 0x0b1b);
        assertThat(servedFirst()).isNotNull();

        List<MadFrame> answers = new ArrayList<>();
        SubnetAdministrator sa = harness.administrator(answers::add);
        sa.onMad(new MadFrame(requester, join));
        sa.onMad(new MadFrame(requester, path(before.subnet().lid(port), 1)));
        assertThat(answers).singleElement().satisfies(answer -> {
            assertThat(MadHeader.tid(answer.mad())).isOne();
            assertThat(MadHeader.status(answer.mad())).isZero();
            assertThat(PathRecord.SL.get(answer.mad(), SaMad.DATA_OFFSET))
                    .isEqualTo(before.plan().pathSl(before.subnet().lid(port), 1, 0));
        });

        assertThat(harness.loop.runUntil(() -> harness.sweeper.view() != null, TimeUnit.SECONDS.toNanos(2)))
                .isTrue();
        sa.onPublication();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(answers).hasSize(2);
        assertThat(MadHeader.tid(answers.get(1).mad())).isEqualTo(2);
    }

    private static byte[] path(int from, int to) {
        long mask = PathRecord.COMPONENTS.bit(PathRecord.SLID)
                | PathRecord.COMPONENTS.bit(PathRecord.DLID)
                | PathRecord.COMPONENTS.bit(PathRecord.NUMB_PATH);
        byte[] mad = SaMad.request(Method.GET, 1, PathRecord.TYPE.id(), 0, mask);
        PathRecord.TYPE
                .zero()
                .with(PathRecord.SLID, from)
                .with(PathRecord.DLID, to)
                .with(PathRecord.NUMB_PATH, 1)
                .write(mad, SaMad.DATA_OFFSET);
        return mad;
    }
}
