package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.model.VPortModel.VPortLids;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.MembershipMad;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Multicast groups whose members are virtual ports that move, leave, or are unread after a takeover. */
class VPortGroupsTest extends VPortLidsCase {
    private static final Gid GROUP = new Gid(0xff12_1234_0000_0000L, 7);
    private static final int Q_KEY = 0xb1b;
    private static final int VPORT = 2;
    private static final int FREE_VPORT = 7;

    private int mlid;

    @BeforeEach
    void shareLids() {
        models = models.with(
                node -> !node.isSwitch(),
                model ->
                        model.vendor(vendor -> vendor.with(VPortModel.of(VPORTS).with(VPortLids.SHARED))));
    }

    private void join(FabricSm sm, Topology.Node node, long guid) {
        int lid = sm.view().subnet().lid(sm.view().subnet().fabric().endport(node.portGuid(1)));
        Gid port = new Gid(sm.view().subnet().gidPrefix(), guid);
        List<MadFrame> answers = new ArrayList<>();
        sm.administrator(answers::add)
                .onMad(new MadFrame(
                        new MadAddress(lid, 1, 0, 0),
                        MembershipMad.of(Method.SET, 1, GROUP, port, MCMemberRecord.FULL_MEMBER, Q_KEY)));
        runFor(100);
        byte[] answer = answers.get(0).mad();
        assertThat(MadHeader.status(answer)).isEqualTo(MadStatus.OK);
        mlid = MCMemberRecord.TYPE.read(answer, SaMad.DATA_OFFSET).mlid();
    }

    private void runFor(int ms) {
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    /** Checks whether the switch of a host forwards the group to it. */
    private boolean isServed(Topology.Node node) {
        Topology.PortRef leaf = Objects.requireNonNull(node.peer(1));
        return Arrays.stream(fabric.mft(leaf.node().nodeGuid(), mlid))
                .anyMatch(ports -> (ports & 1L << leaf.portNum()) != 0);
    }

    private FabricSm startWithMember() throws Exception {
        FabricSm sm = start(SM);
        join(sm, host, agent(host).info(VPORT).portGuid());
        assertThat(isServed(host)).isTrue();
        return sm;
    }

    @Test
    void aGroupFollowsAVPortThatMoves() throws Exception {
        FabricSm sm = startWithMember();
        long guid = agent(host).info(VPORT).portGuid();
        agent(host).unplug(VPORT);
        agent(other).plug(FREE_VPORT, guid);
        runFor(500);
        assertThat(isServed(other)).isTrue();
        assertThat(isServed(host)).isFalse();
        join(sm, other, guid);
        assertThat(isServed(other)).isTrue();
        assertThat(sm.ends).containsOnlyOnce("up");
    }

    @Test
    void aGroupLeavesTheHostOfARemovedVPort() throws Exception {
        startWithMember();
        agent(host).unplug(VPORT);
        runFor(500);
        assertThat(isServed(host)).isFalse();
    }

    /** A switch that drops the entry until the vports are read would interrupt the traffic of the group. */
    @Test
    void aNewMasterLeavesTheEntriesOfGroupsUntilVPortsAreRead() throws Exception {
        FabricSm first = startWithMember();
        first.end();
        runFor(1000);
        sent.clear();
        FabricSm second = start(SM);
        assertThat(isServed(host)).isTrue();
        assertThat(second.saDatabase.memberships().view().inherited()).isEmpty();
        long writes = sent.stream()
                .filter(mad -> MadHeader.attributeId(mad) == MulticastForwardingTable.TYPE.id()
                        && MadHeader.method(mad) == Method.SET)
                .count();
        assertThat(writes).as("writes of multicast tables").isZero();
    }
}
