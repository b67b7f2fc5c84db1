package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.VPortGuids;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.InformInfo;
import io.torussm.mad.sa.NodeRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.report.Subscription.Subscriber;
import io.torussm.subnet.VPortLids;
import io.torussm.subnet.VPortLids.VPortLid;
import io.torussm.testing.ViewDraft;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.view.PublishedView;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The SA for virtual ports with LIDs of their own. */
class VPortLidPathTest extends PathRecordCase {
    private static final long VPORT = 0x77;
    private static final int HOST = 3;
    private static final int LID = 90;

    /** The LID of its own that the virtual port has. */
    private int lid = LID;

    @BeforeEach
    void giveOwnLid() {
        long portGuid = SmallTorus.hostGuid(HOST) + 1;
        VPortLids lids = VPortLids.NONE.with(VPORT, new VPortLid(LID, portGuid, true));
        PublishedView view = torus.view;
        harness.view = ViewDraft.of(view)
                .subnet(view.subnet().with(lids))
                .plan(view.plan().with(lids))
                .sweep(2)
                .build();
        harness.aliases.setVPorts(new VPortGuids() {
            @Override
            public long portOf(long guid) {
                return guid == VPORT ? portGuid : 0;
            }

            @Override
            public int lidOf(long guid) {
                return guid == VPORT ? lid : 0;
            }
        });
    }

    private SaHarness.Request by(Field source, Object from, Field destination, Object to) {
        return with(with(harness.get(0x35), source, from), destination, to);
    }

    private static SaHarness.Request with(SaHarness.Request request, Field field, Object value) {
        return value instanceof Gid gid ? request.with(C, field, gid) : request.with(C, field, (int) value);
    }

    private static Gid dgid(PathRecord path) {
        return Gid.read(path.toBytes(), PathRecord.DGID.offset() / Byte.SIZE);
    }

    @Test
    void aPathToAVPortHasItsLidAndTheSlOfItsPort() {
        PathRecord toPort = read(path(1, HOST).answer());
        PathRecord toVPort = read(
                by(PathRecord.SGID, hostGid(1), PathRecord.DGID, gid(VPORT)).answer());
        assertThat(toVPort.get(PathRecord.DLID)).isEqualTo(LID);
        assertThat(toVPort.get(PathRecord.SL)).isEqualTo(toPort.get(PathRecord.SL));
        assertThat(toVPort.get(PathRecord.MTU)).isEqualTo(toPort.get(PathRecord.MTU));
        assertThat(toVPort.get(PathRecord.HOP_LIMIT)).isEqualTo(2);
        assertThat(toPort.get(PathRecord.DLID)).isEqualTo(torus.hostLid(HOST));
        PathRecord back = read(
                by(PathRecord.SGID, gid(VPORT), PathRecord.DGID, hostGid(1)).answer());
        assertThat(back.get(PathRecord.SLID)).isEqualTo(LID);
        assertThat(back.get(PathRecord.DLID)).isEqualTo(torus.hostLid(1));
    }

    @Test
    void aPathByItsLidHasItsGuid() {
        PathRecord toVPort =
                read(by(PathRecord.SGID, hostGid(1), PathRecord.DLID, LID).answer());
        assertThat(toVPort.get(PathRecord.DLID)).isEqualTo(LID);
        assertThat(dgid(toVPort)).isEqualTo(gid(VPORT));
        PathRecord from =
                read(by(PathRecord.SLID, LID, PathRecord.DLID, torus.hostLid(1)).answer());
        assertThat(from.get(PathRecord.SLID)).isEqualTo(LID);
        assertThat(Gid.read(from.toBytes(), PathRecord.SGID.offset() / Byte.SIZE))
                .isEqualTo(gid(VPORT));
        PathRecord toItself = read(
                by(PathRecord.SLID, torus.hostLid(HOST), PathRecord.DLID, LID).answer());
        assertThat(toItself.get(PathRecord.DLID)).as("from its port").isEqualTo(LID);
    }

    @Test
    void aLidThatIsNotOfTheGuidHasNoPath() {
        int own = torus.hostLid(HOST);
        SaHarness.Request request = harness.get(0x35).with(C, PathRecord.SGID, hostGid(1));
        assertThat(MadHeader.status(request.with(C, PathRecord.DGID, gid(VPORT))
                        .with(C, PathRecord.DLID, own)
                        .answer()))
                .isEqualTo(NONE);
        SaHarness.Request toPort = harness.get(0x35).with(C, PathRecord.SGID, hostGid(1));
        assertThat(MadHeader.status(toPort.with(C, PathRecord.DGID, hostGid(HOST))
                        .with(C, PathRecord.DLID, LID)
                        .answer()))
                .isEqualTo(NONE);
    }

    /** A client would keep a path to the LID of the physical port, which the virtual port does not use. */
    @Test
    void aVPortWhoseLidHasNoRoutesYetHasNoPath() {
        harness.view = torus.view;
        verifyNoPath();
    }

    @Test
    void aVPortThatWaitsForItsLidHasNoPath() {
        lid = VPortGuids.NO_LID;
        verifyNoPath();
    }

    private void verifyNoPath() {
        assertThat(MadHeader.status(by(PathRecord.SGID, hostGid(1), PathRecord.DGID, gid(VPORT))
                        .answer()))
                .isEqualTo(NONE);
        assertThat(MadHeader.status(by(PathRecord.SGID, gid(VPORT), PathRecord.DGID, hostGid(1))
                        .answer()))
                .isEqualTo(NONE);
    }

    @Test
    void aRequestFromItsLidIsOneOfItsPort() {
        harness.requester = new MadAddress(LID, 1, 0, 0);
        assertThat(read(path(1, HOST).answer()).get(PathRecord.DLID)).isEqualTo(torus.hostLid(HOST));
        harness.requester = new MadAddress(LID + 1, 1, 0, 0);
        SaHarness.Request request = path(1, HOST);
        harness.sa.onMad(new MadFrame(harness.requester, request.mad));
        harness.loop.runFor(0);
        assertThat(harness.sent).as("from an unknown LID").isEmpty();
    }

    @Test
    void aRecordByItsLidIsThatOfItsPort() {
        byte[] answer = harness.get(0x11)
                .with(NodeRecord.COMPONENTS, NodeRecord.LID, LID)
                .answer();
        assertThat(NodeRecord.TYPE.read(answer, SaMad.DATA_OFFSET).get(NodeRecord.LID))
                .isEqualTo(torus.hostLid(HOST));
    }

    @Test
    void theSubscriptionOfAVPortIsIdentifiedByItsGid() {
        harness.requester = new MadAddress(LID, 0x11, 0, 0);
        InformInfo sent = InformInfo.TYPE
                .zero()
                .with(InformInfo.SUBSCRIBE, 1)
                .with(InformInfo.IS_GENERIC, 1)
                .with(InformInfo.LID_RANGE_BEGIN, 0xffff)
                .with(InformInfo.TRAP_NUMBER, 64);
        SaHarness.Request request = harness.request(Method.SET, 0x03);
        sent.write(request.mad, SaMad.DATA_OFFSET);
        assertThat(MadHeader.status(request.answer())).isZero();
        Subscriber subscriber = harness.subscriptions.view().get(0).subscriber();
        assertThat(subscriber.portGuid()).isEqualTo(SmallTorus.hostGuid(HOST) + 1);
        assertThat(Objects.requireNonNull(subscriber.grh()).gid()).isEqualTo(gid(VPORT));
    }
}
