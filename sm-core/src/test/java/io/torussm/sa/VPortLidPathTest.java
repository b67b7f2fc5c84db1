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
import io.torussm.mad.smp.Notice;
import io.torussm.report.Subscription.Subscriber;
import io.torussm.subnet.VPortLids;
import io.torussm.subnet.VPortLids.VPortLid;
import io.torussm.testing.ViewDraft;
import io.torussm.transport.MadAddress;
import io.torussm.view.PublishedView;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Paths and other answers of the SA for a virtual port with a LID of its own. The virtual port has no routes of its
 * own: packets to its LID take those to its physical port, at host 3.
 */
class VPortLidPathTest extends PathRecordCase {
    private static final long VPORT_GUID = 0x77;

    /** A LID that no physical port has. */
    private static final int VPORT_LID = 90;

    /** The host with the physical port, and another one. */
    private static final int VPORT_HOST = 3;

    private static final int OTHER_HOST = 1;

    /** LIDRangeBegin of a subscription to reports about any port (IBA 13.4.8.3). */
    private static final int ALL_LIDS = 0xffff;

    /** The LID that the SA gives the virtual port; {@link VPortGuids#NO_LID} while it waits for one. */
    private int assignedLid = VPORT_LID;

    @BeforeEach
    void giveOwnLid() {
        long portGuid = SmallTorus.hostGuid(VPORT_HOST) + 1;
        boolean isPresent = true;
        harness.view = withLids(VPortLids.NONE.with(VPORT_GUID, new VPortLid(VPORT_LID, portGuid, isPresent)));
        harness.aliases.setVPorts(new VPortGuids() {
            @Override
            public long portOf(long guid) {
                return guid == VPORT_GUID ? portGuid : 0;
            }

            @Override
            public int lidOf(long guid) {
                return guid == VPORT_GUID ? assignedLid : 0;
            }
        });
    }

    /** Returns the view of the torus in the sweep after LIDs were given to virtual ports. */
    private PublishedView withLids(VPortLids lids) {
        PublishedView view = torus.view;
        return ViewDraft.of(view)
                .subnet(view.subnet().with(lids))
                .plan(view.plan().with(lids))
                .sweep(view.sweep() + 1)
                .build();
    }

    /** Returns a request for a path between two ends, each named by a GID or by a LID. */
    private SaHarness.Request pathBetween(Field source, Object from, Field destination, Object to) {
        return with(with(harness.get(PathRecord.TYPE.id()), source, from), destination, to);
    }

    private PathRecord pathOf(Field source, Object from, Field destination, Object to) {
        return read(pathBetween(source, from, destination, to).answer());
    }

    private static SaHarness.Request with(SaHarness.Request request, Field field, Object value) {
        return value instanceof Gid gid
                ? request.with(COMPONENTS, field, gid)
                : request.with(COMPONENTS, field, (int) value);
    }

    private static Gid gidOf(PathRecord path, Field field) {
        return Gid.read(path.toBytes(), field.offset() / Byte.SIZE);
    }

    @Test
    void aPathToAVPortHasTheLidOfTheVPortAndTheSlOfItsPort() {
        PathRecord toPort = read(path(OTHER_HOST, VPORT_HOST).answer());
        PathRecord toVPort = pathOf(PathRecord.SGID, hostGid(OTHER_HOST), PathRecord.DGID, gid(VPORT_GUID));
        assertThat(toPort.get(PathRecord.DLID)).isEqualTo(torus.hostLid(VPORT_HOST));
        assertThat(toVPort.get(PathRecord.DLID)).isEqualTo(VPORT_LID);
        assertThat(toVPort.get(PathRecord.SL)).isEqualTo(toPort.get(PathRecord.SL));
        assertThat(toVPort.get(PathRecord.MTU)).isEqualTo(toPort.get(PathRecord.MTU));
    }

    /** The DGID of a GRH distinguishes virtual ports with one LID. A client adds a GRH unless HopLimit is 0. */
    @Test
    void aPathToAVPortHasAHopLimitThatDemandsAGrh() {
        assertThat(pathOf(PathRecord.SGID, hostGid(OTHER_HOST), PathRecord.DGID, gid(VPORT_GUID))
                        .get(PathRecord.HOP_LIMIT))
                .isEqualTo(2);
    }

    @Test
    void aPathFromAVPortHasTheLidOfTheVPort() {
        PathRecord path = pathOf(PathRecord.SGID, gid(VPORT_GUID), PathRecord.DGID, hostGid(OTHER_HOST));
        assertThat(path.get(PathRecord.SLID)).isEqualTo(VPORT_LID);
        assertThat(path.get(PathRecord.DLID)).isEqualTo(torus.hostLid(OTHER_HOST));
    }

    @Test
    void aPathToTheLidOfAVPortHasTheGidOfTheVPort() {
        PathRecord path = pathOf(PathRecord.SGID, hostGid(OTHER_HOST), PathRecord.DLID, VPORT_LID);
        assertThat(path.get(PathRecord.DLID)).isEqualTo(VPORT_LID);
        assertThat(gidOf(path, PathRecord.DGID)).isEqualTo(gid(VPORT_GUID));
    }

    @Test
    void aPathFromTheLidOfAVPortHasTheGidOfTheVPort() {
        PathRecord path = pathOf(PathRecord.SLID, VPORT_LID, PathRecord.DLID, torus.hostLid(OTHER_HOST));
        assertThat(path.get(PathRecord.SLID)).isEqualTo(VPORT_LID);
        assertThat(gidOf(path, PathRecord.SGID)).isEqualTo(gid(VPORT_GUID));
    }

    @Test
    void aPhysicalPortHasAPathToItsOwnVPort() {
        PathRecord path = pathOf(PathRecord.SLID, torus.hostLid(VPORT_HOST), PathRecord.DLID, VPORT_LID);
        assertThat(path.get(PathRecord.DLID)).isEqualTo(VPORT_LID);
    }

    @Test
    void aRequestWithTheGidOfAVPortAndTheLidOfItsPortHasNoPath() {
        assertThat(statusOfPathTo(gid(VPORT_GUID), torus.hostLid(VPORT_HOST))).isEqualTo(NO_RECORDS);
    }

    @Test
    void aRequestWithTheGidOfAPortAndTheLidOfItsVPortHasNoPath() {
        assertThat(statusOfPathTo(hostGid(VPORT_HOST), VPORT_LID)).isEqualTo(NO_RECORDS);
    }

    private int statusOfPathTo(Gid dgid, int dlid) {
        return harness.get(PathRecord.TYPE.id())
                .with(COMPONENTS, PathRecord.SGID, hostGid(OTHER_HOST))
                .with(COMPONENTS, PathRecord.DGID, dgid)
                .with(COMPONENTS, PathRecord.DLID, dlid)
                .status();
    }

    /** A client would keep a path to the LID of the physical port, which the virtual port does not use. */
    @Test
    void aVPortWhoseLidHasNoRoutesYetHasNoPath() {
        harness.view = torus.view;
        verifyNoPath();
    }

    @Test
    void aVPortThatWaitsForItsLidHasNoPath() {
        assignedLid = VPortGuids.NO_LID;
        verifyNoPath();
    }

    private void verifyNoPath() {
        assertThat(pathBetween(PathRecord.SGID, hostGid(OTHER_HOST), PathRecord.DGID, gid(VPORT_GUID))
                        .status())
                .isEqualTo(NO_RECORDS);
        assertThat(pathBetween(PathRecord.SGID, gid(VPORT_GUID), PathRecord.DGID, hostGid(OTHER_HOST))
                        .status())
                .isEqualTo(NO_RECORDS);
    }

    @Test
    void aRequestFromTheLidOfAVPortIsAnswered() {
        harness.requester = new MadAddress(VPORT_LID, 1, 0, 0);
        assertThat(read(path(OTHER_HOST, VPORT_HOST).answer()).get(PathRecord.DLID))
                .isEqualTo(torus.hostLid(VPORT_HOST));
    }

    @Test
    void aRequestFromAnUnknownLidIsNotAnswered() {
        harness.requester = new MadAddress(VPORT_LID + 1, 1, 0, 0);
        assertThat(path(OTHER_HOST, VPORT_HOST).frames()).isEmpty();
    }

    @Test
    void theNodeRecordForTheLidOfAVPortIsThatOfItsPort() {
        byte[] answer = harness.get(NodeRecord.TYPE.id())
                .with(NodeRecord.COMPONENTS, NodeRecord.LID, VPORT_LID)
                .answer();
        assertThat(NodeRecord.TYPE.read(answer, SaMad.DATA_OFFSET).get(NodeRecord.LID))
                .isEqualTo(torus.hostLid(VPORT_HOST));
    }

    @Test
    void aSubscriptionFromTheLidOfAVPortIsThatOfItsPortWithItsGid() {
        harness.requester = new MadAddress(VPORT_LID, 0x11, 0, 0);
        InformInfo sent = InformInfo.TYPE
                .zero()
                .with(InformInfo.SUBSCRIBE, 1)
                .with(InformInfo.IS_GENERIC, 1)
                .with(InformInfo.LID_RANGE_BEGIN, ALL_LIDS)
                .with(InformInfo.TRAP_NUMBER, Notice.TRAP_GID_IN_SERVICE);
        SaHarness.Request request = harness.request(Method.SET, InformInfo.TYPE.id());
        sent.write(request.mad, SaMad.DATA_OFFSET);
        assertThat(MadHeader.status(request.answer())).isZero();
        Subscriber subscriber = harness.subscriptions.view().get(0).subscriber();
        assertThat(subscriber.portGuid()).isEqualTo(SmallTorus.hostGuid(VPORT_HOST) + 1);
        assertThat(Objects.requireNonNull(subscriber.grh()).gid()).isEqualTo(gid(VPORT_GUID));
    }
}
