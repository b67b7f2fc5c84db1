package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.LidStore;
import io.torussm.subnet.VPortLidStore;
import io.torussm.subnet.VPortLids;
import io.torussm.subnet.VPortLids.VPortLid;
import io.torussm.vport.VPortLidClaims.LidGrant;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Claims of LIDs after another SM was master, which left LIDs that the store does not have. */
class OutdatedVPortLidsTest extends VPortClaimsCase {
    /** Another SM was master meanwhile, and gave LIDs to vports. */
    @Test
    void anActiveVPortKeepsItsLidThoughTheStoreIsOutdated() {
        store.replace(
                VPortLids.NONE
                        .with(VPORT, present(5, 0))
                        .with(VPORT + 1, present(6, 1))
                        .with(VPORT + 2, absent(7, 1)),
                () -> {});
        unread.add(portGuid(1));
        publish();
        assertThat(claim(0, VPORT, PortInfo.STATE_ACTIVE, 6))
                .as("that of another, which may be gone")
                .isEqualTo(new LidGrant(0, ""));
        unread.clear();
        claims.retain(portGuid(1), Set.of());
        claim(0, VPORT, PortInfo.STATE_ACTIVE, 6);
        claim(2, VPORT + 3, PortInfo.STATE_ACTIVE, 7);
        claim(2, VPORT + 4, PortInfo.STATE_ACTIVE, 6);
        publish();
        assertThat(claim(0, VPORT, PortInfo.STATE_ACTIVE, 6).lid()).isEqualTo(6);
        assertThat(claim(2, VPORT + 3, PortInfo.STATE_ACTIVE, 7).lid()).isEqualTo(7);
        assertThat(claim(2, VPORT + 4, PortInfo.STATE_ACTIVE, 6).lid())
                .as("another")
                .isEqualTo(5);
    }

    /** The store is outdated: another SM gave the LID of a vport to one of another port. */
    @Test
    void aVPortWaitsForAnUnreadPortWithItsLidAndThenGetsAnother() {
        store.replace(VPortLids.NONE.with(VPORT, present(5, 0)), () -> {});
        unread.add(portGuid(0));
        publish();
        assertThat(claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5).refusal()).isEmpty();
        loop.runFor(TimeUnit.MINUTES.toNanos(1));
        assertThat(claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5).refusal()).contains("it waits until the vports");
        unread.clear(); // the device of that port did not respond in time
        claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5);
        publish();
        assertThat(claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5).lid()).isEqualTo(6);
        assertThat(store.lids().of(VPORT)).isEqualTo(present(5, 0));
    }

    @Test
    void aVPortKeepsTheLidOfOneAtAPortWithoutVPorts() {
        store.replace(VPortLids.NONE.with(VPORT, present(5, 0)), () -> {});
        notVirtual.add(portGuid(0));
        publish();
        claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5);
        publish();
        assertThat(claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5).lid()).isEqualTo(5);
    }

    @Test
    void aPortDoesNotGetTheLidOfAVPortBeforeItsPortByTheStoreWasRead() {
        store.replace(VPortLids.NONE.with(VPORT, present(5, 0)), () -> {});
        unread.add(portGuid(0));
        publish();
        claim(1, VPORT, PortInfo.STATE_ACTIVE, 5);
        publish();
        assertThat(store.lids().of(VPORT)).isEqualTo(present(5, 0));
        unread.clear();
        claim(1, VPORT, PortInfo.STATE_ACTIVE, 5);
        publish();
        assertThat(claim(1, VPORT, PortInfo.STATE_ACTIVE, 5).lid()).isEqualTo(5);
        assertThat(store.lids().of(VPORT)).isEqualTo(present(5, 1));
    }

    @Test
    void theLidsOfAnotherSmAreNotLostAtTheNextWrite() throws Exception {
        publish();
        claim(0, VPORT, 0);
        adoptAnother();
        publish();
        assertThat(store.lids().guids()).containsExactlyInAnyOrder(VPORT, 0x99L);
    }

    /** Another SM may have given the LID to the vport after the port left, and hosts may name wrong LIDs of masters. */
    @Test
    void aVPortKeepsALidThatAnAbsentPortHad() throws Exception {
        store.replace(VPortLids.NONE.with(VPORT, present(5, 0)), () -> {});
        String line = "0x0000000000005555 0x0005 0x0005";
        directory.examine("guid2lid", LidStore.FILE.content(Stream.of(line))).complete();
        publish();
        assertThat(claim(0, VPORT, PortInfo.STATE_ACTIVE, 5).lid()).isEqualTo(5);
        assertThat(claim(1, VPORT + 1, 0).lid()).isZero();
        publish();
        assertThat(claim(1, VPORT + 1, 0).lid()).isEqualTo(6);
    }

    /** The store is outdated: another SM has exchanged the LIDs of two vports that are ACTIVE since. */
    @Test
    void vportsThatExchangedTheirLidsKeepThem() {
        store.replace(VPortLids.NONE.with(VPORT, present(5, 0)).with(VPORT + 1, present(6, 1)), () -> {});
        unread.add(portGuid(1));
        publish();
        claim(0, VPORT, PortInfo.STATE_ACTIVE, 6);
        unread.clear();
        claims.retain(portGuid(1), Set.of(VPORT + 1));
        assertThat(visited).containsExactly(portGuid(0));
        claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5);
        claim(0, VPORT, PortInfo.STATE_ACTIVE, 6);
        publish();
        assertThat(claim(0, VPORT, PortInfo.STATE_ACTIVE, 6).lid()).isEqualTo(6);
        assertThat(claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5).lid()).isEqualTo(5);
    }

    /** LIDs of absent ports, and MasterSMLIDs that hosts report, make no other LID plausible. */
    @Test
    void anAbsentPortWithAHighLidMakesNoLidPlausible() throws Exception {
        String line = "0x0000000000005555 0xbff0 0xbff0";
        directory.examine("guid2lid", LidStore.FILE.content(Stream.of(line))).complete();
        publish();
        claim(0, VPORT, 0xb000);
        publish();
        assertThat(claim(0, VPORT, 0xb000).lid()).isEqualTo(5);
    }

    private void adoptAnother() throws Exception {
        String line = "0x99 0x001e 0x" + Long.toHexString(portGuid(1));
        directory
                .examine("vport2lid", VPortLidStore.FILE.content(Stream.of(line)))
                .complete();
    }

    @Test
    void theLidsOfAnotherSmDoNotEndTheKnowledgeOfOwnOnes() throws Exception {
        publish();
        claim(0, VPORT, 0);
        publish();
        adoptAnother();
        publish();
        unread.add(portGuid(0));
        claim(1, VPORT + 2, PortInfo.STATE_ACTIVE, 5);
        publish();
        assertThat(claim(1, VPORT + 2, PortInfo.STATE_ACTIVE, 5).lid()).isEqualTo(6);
    }

    /** Another SM was master while a host of the store left, and gave the LID of its vport to another one. */
    @Test
    void anActiveVPortKeepsTheLidOfOneAtAnAbsentPortByTheStore() {
        store.replace(VPortLids.NONE.with(VPORT, new VPortLid(5, 0x9999, true)), () -> {});
        publish();
        claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5);
        publish();
        assertThat(claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5).lid()).isEqualTo(5);
    }
}
