package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A host behind the second switch of a row, as the SA at the first host sees it. */
class GroupClientTest {
    private static final Gid GROUP = new Gid(0xff12_401b_ffff_0000L, 0x17);
    private static final long HOST = RowFabric.hostGuid(1);
    private static final int[] TO_HOST = RowFabric.toHost(1);

    private final RowFabric row = new RowFabric(FaultPlan.NONE);
    private final GroupClient client = row.fabric.groups(HOST, 1);

    /** Returns the requests to the SA since the last call. */
    private List<MadFrame> requests() {
        List<MadFrame> requests = row.sm.received.stream()
                .filter(frame -> MadHeader.attributeId(frame.mad()) == MCMemberRecord.TYPE.id())
                .toList();
        row.sm.received.clear();
        return requests;
    }

    private void runSeconds(long seconds) {
        row.loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private void respond(MadFrame request, int status) {
        byte[] answer = SaMad.response(
                request.mad(),
                MadHeader.method(request.mad()) == Method.DELETE ? Method.DELETE_RESP : Method.GET_RESP,
                status);
        row.sm.transport.send(new MadFrame(request.peer(), answer), 0);
        runSeconds(0);
    }

    private void join() {
        client.join(GROUP);
        runSeconds(0);
        respond(requests().get(0), MadStatus.OK);
    }

    @Test
    void asksNothingUntilThePortIsActive() {
        client.join(GROUP);
        runSeconds(100);
        assertThat(requests()).isEmpty();
        row.configure();
        row.sm.received.clear();
        runSeconds(4);
        assertThat(requests()).isNotEmpty();
        assertThat(client.joinedGroups()).isEmpty();
    }

    @Test
    void aJoinHasAllThatMakesTheGroup() {
        row.configure();
        client.join(GROUP);
        runSeconds(0);
        byte[] mad = requests().get(0).mad();
        MCMemberRecord record = MCMemberRecord.TYPE.read(mad, SaMad.DATA_OFFSET);
        assertThat(MadHeader.method(mad)).isEqualTo(Method.SET);
        assertThat(record.mgid()).isEqualTo(GROUP);
        assertThat(record.portGid().guid()).isEqualTo(HOST + 1);
        assertThat(record.pKey()).isEqualTo(0xffff);
        assertThat(record.joinState()).isEqualTo(MCMemberRecord.FULL_MEMBER);
        assertThat(SaMad.COMPONENT_MASK.get(mad, 0) & MCMemberRecord.COMPONENTS.bit(MCMemberRecord.Q_KEY))
                .isNotZero();
    }

    @Test
    void anAnsweredHostForgetsNothingAndAsksNoMore() {
        row.configure();
        join();
        assertThat(client.joinedGroups()).containsExactly(GROUP);
        runSeconds(3600);
        assertThat(requests()).isEmpty();
        assertThat(client.joinedGroups()).containsExactly(GROUP);
    }

    @Test
    void anUnansweredHostRepeatsWithPausesThatGrow() {
        row.configure();
        client.join(GROUP);
        int[] pauses = {0, 4, 5, 7, 11, 19, 19};
        for (int pause : pauses) {
            runSeconds(Math.max(0, pause - 1));
            assertThat(requests()).hasSize(pause == 0 ? 1 : 0);
            runSeconds(Math.min(1, pause));
            assertThat(requests()).hasSize(pause == 0 ? 0 : 1);
        }
    }

    @Test
    void aRefusedHostRepeats() {
        row.configure();
        client.join(GROUP);
        runSeconds(0);
        respond(requests().get(0), MadStatus.SA_REQ_INVALID);
        assertThat(client.joinedGroups()).isEmpty();
        runSeconds(1);
        respond(requests().get(0), MadStatus.OK);
        assertThat(client.joinedGroups()).containsExactly(GROUP);
    }

    @Test
    void theEventsThatLinuxHasAndNoOthersMakeItJoinAgain() {
        row.configure();
        join();
        row.sm.set(portInfo(), 1, TO_HOST);
        assertThat(requests()).as("a Set that changes nothing").isEmpty();
        row.sm.set(portInfo().with(PortInfo.SUBNET_TIME_OUT, 9), 1, TO_HOST);
        assertThat(requests()).as("another setting").isEmpty();
        assertRejoin(portInfo().with(PortInfo.CLIENT_REREGISTER, 1), "ClientReregister");
        assertRejoin(portInfo().with(PortInfo.LID, 33), "another LID");
    }

    private void assertRejoin(PortInfo set, String label) {
        byte[] mad = row.sm.request(Method.SET, PortInfo.TYPE, 1, DrPath.of(TO_HOST));
        set.write(mad, Smp.DATA_OFFSET);
        row.sm.transport.send(new MadFrame(MadAddress.DIRECTED, mad), 0);
        runSeconds(0);
        List<MadFrame> requests = requests();
        assertThat(requests).as(label).hasSize(1);
        respond(requests.get(0), MadStatus.OK);
    }

    private PortInfo portInfo() {
        return row.fabric.portInfo(HOST, 1).with(PortInfo.PORT_STATE, 0).with(PortInfo.PORT_PHYSICAL_STATE, 0);
    }

    @Test
    void aLinkThatBouncesMakesItJoinAgain() {
        row.configure();
        join();
        row.fabric.unlink(HOST, 1);
        row.fabric.relink(HOST, 1);
        for (int state = PortInfo.STATE_ARMED; state <= PortInfo.STATE_ACTIVE; state++) {
            assertThat(requests()).isEmpty();
            row.sm.set(
                    PortInfo.TYPE.zero().with(PortInfo.PORT_STATE, state), RowFabric.HOST_PORT, RowFabric.toSwitch(1));
            row.sm.set(portInfo().with(PortInfo.PORT_STATE, state), 1, TO_HOST);
        }
        runSeconds(4);
        assertThat(requests()).isNotEmpty();
    }

    @Test
    void aHostThatCannotReregisterIsNotNotified() {
        RowFabric old = new RowFabric(
                        DeviceModels.PERFECT.with(
                                DeviceModels.byGuid(HOST), model -> model.hardware(each -> each.reregistering(false))),
                        FaultPlan.NONE)
                .configure();
        GroupClient deaf = old.fabric.groups(HOST, 1);
        deaf.join(GROUP);
        long before = deaf.events();
        old.sm.set(
                old.fabric
                        .portInfo(HOST, 1)
                        .with(PortInfo.PORT_STATE, 0)
                        .with(PortInfo.PORT_PHYSICAL_STATE, 0)
                        .with(PortInfo.CLIENT_REREGISTER, 1),
                1,
                TO_HOST);
        assertThat(deaf.events()).isEqualTo(before);
    }

    @Test
    void aLeaveIsTriedThreeTimes() {
        row.configure();
        join();
        client.leave(GROUP);
        assertThat(client.wantedGroups()).isEmpty();
        runSeconds(60);
        assertThat(requests()).hasSize(3).allMatch(frame -> MadHeader.method(frame.mad()) == Method.DELETE);
        runSeconds(60);
        assertThat(requests()).isEmpty();
    }

    @Test
    void hostsOfAModelJoinByThemselves() {
        RowFabric all = new RowFabric(
                DeviceModels.PERFECT.with(
                        DeviceModels.byDescription("host-*"), model -> model.joining(GroupClient.IPOIB_BROADCAST)),
                FaultPlan.NONE);
        all.configure();
        all.sm.received.clear();
        all.loop.runFor(TimeUnit.SECONDS.toNanos(5));
        assertThat(all.sm.received.stream()
                        .map(frame -> MCMemberRecord.TYPE.read(frame.mad(), SaMad.DATA_OFFSET))
                        .map(record -> record.portGid().guid())
                        .distinct())
                .containsExactlyInAnyOrder(
                        RowFabric.hostGuid(0) + 1, RowFabric.hostGuid(1) + 1, RowFabric.hostGuid(2) + 1);
    }
}
