package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.vport.VPortLidClaims.LidGrant;
import io.torussm.vport.VPortManager.RoutingStart;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Claims of LIDs by vports that this SM knows: grants, tables, limits. */
class VPortLidClaimsTest extends VPortClaimsCase {
    @Test
    void aLidIsGrantedOnceTheSubnetHasIt() {
        publish();
        assertThat(claim(0, VPORT, 0)).isEqualTo(new LidGrant(0, ""));
        assertThat(claim(0, VPORT, 0)).isEqualTo(new LidGrant(0, ""));
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(requests).isEqualTo(1);
        assertThat(publish()).containsExactly(portGuid(0));
        assertThat(claim(0, VPORT, 0)).isEqualTo(new LidGrant(5, ""));
        assertThat(publish()).as("no news").isEmpty();
        assertThat(requests).isEqualTo(1);
    }

    @Test
    void tablesAreRequestedAgainIfASweepWasInProgress() {
        publish();
        start = RoutingStart.BUSY;
        claim(0, VPORT, 0);
        loop.runFor(TimeUnit.SECONDS.toNanos(3));
        assertThat(requests).isZero();
        start = RoutingStart.BEGUN;
        claims.publish(plain);
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(requests).isEqualTo(1);
    }

    @Test
    void requestsEndIfNoSubnetHasTheLid() {
        publish();
        claim(0, VPORT, 0);
        for (int i = 0; i < 1000; i++) {
            loop.runFor(TimeUnit.SECONDS.toNanos(1));
            claims.publish(plain);
        }
        assertThat(requests).isEqualTo(10);
        assertThat(claim(0, VPORT, 0).refusal()).contains("no tables have LID 5");
    }

    @Test
    void aVPortKeepsTheLidThatItReportsIfThatIsFree() {
        publish();
        claim(0, VPORT, 40);
        claim(1, VPORT + 1, 40);
        claim(1, VPORT + 2, 2);
        claim(1, VPORT + 3, 0xc000);
        publish();
        assertThat(claim(0, VPORT, 40).lid()).isEqualTo(40);
        assertThat(claim(1, VPORT + 1, 40).lid()).isEqualTo(5);
        assertThat(claim(1, VPORT + 2, 2).lid()).as("that of a port").isEqualTo(6);
        assertThat(claim(1, VPORT + 3, 0xc000).lid()).isEqualTo(7);
    }

    @Test
    void aVPortKeepsItsLidAtAnotherPort() {
        claimAndLeave();
        publish();
        assertThat(published.portOfLid(5)).isEqualTo(Fabric.NONE);
        assertThat(claim(1, VPORT, 0).lid()).isZero();
        publish();
        assertThat(claim(1, VPORT, 0).lid()).isEqualTo(5);
        assertThat(published.fabric().portGuid(published.portOfLid(5))).isEqualTo(portGuid(1));
    }

    @Test
    void theLidsOutliveTheProcess() {
        publish();
        claim(0, VPORT, 0);
        publish();
        claims.forget();
        claims = claims(store);
        publish();
        assertThat(claim(0, VPORT, 0).lid()).isEqualTo(5);
    }

    /** One false LID would enlarge the tables of all switches, and several ones step by step. */
    @Test
    void aVPortGetsAnotherLidIfItsOwnIsImplausible() {
        publish();
        claim(0, VPORT, 0xb000);
        claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 0xb000);
        claim(2, VPORT + 2, 1000);
        publish();
        claim(2, VPORT + 3, 2000);
        publish();
        assertThat(claim(0, VPORT, 0xb000).lid()).isEqualTo(5);
        assertThat(claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 0xb000).lid()).isEqualTo(6);
        assertThat(claim(2, VPORT + 2, 1000).lid()).isEqualTo(1000);
        assertThat(claim(2, VPORT + 3, 2000).lid()).isEqualTo(7);
    }

    @Test
    void aDelayedChangeRemovesNoLidThatIsKept() {
        store.replace(vports(SHARE, portGuid(0), false), () -> {});
        publish();
        for (int i = 0; i < 100; i++) {
            claim(0, VPORT + i, 0);
            loop.runFor(TimeUnit.MILLISECONDS.toNanos(11));
        }
        claims.retain(portGuid(0), Set.of());
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(store.lids().guids()).hasSize(SHARE);
    }

    @Test
    void lidsOfVPortsAtAbsentPortsAreGivenToOthersIfNoneIsLeft() {
        store.replace(vports(LIDS_OF_VPORTS, 0x9999, true), () -> {});
        publish();
        assertThat(claim(0, VPORT, 0).refusal()).isEmpty();
        publish();
        assertThat(claim(0, VPORT, 0).lid()).isPositive();
        assertThat(store.lids().guids()).hasSize(LIDS_OF_VPORTS);
    }

    @Test
    void aVPortThatWaitsForTablesLongSaysSo() {
        publish();
        start = RoutingStart.SUSPENDED;
        claim(0, VPORT, 0);
        loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(claim(0, VPORT, 0).refusal()).contains("sweeps are suspended");
        assertThat(claim(0, VPORT, 0).isAwaited()).isTrue();
        start = RoutingStart.BUSY;
        loop.runFor(TimeUnit.SECONDS.toNanos(2));
        assertThat(claim(0, VPORT, 0).refusal()).isEmpty();
        loop.runFor(TimeUnit.SECONDS.toNanos(30));
        assertThat(claim(0, VPORT, 0).refusal()).contains("waits for tables");
        start = RoutingStart.BEGUN;
        loop.runFor(TimeUnit.SECONDS.toNanos(2));
        publish();
        assertThat(claim(0, VPORT, 0).lid()).isEqualTo(5);
    }

    @Test
    void aPortGetsNoMoreThanItsShare() {
        publish();
        store.replace(vports(SHARE, portGuid(0), true), () -> {});
        publish();
        assertThat(claim(0, VPORT, 0).refusal()).contains("share, " + SHARE);
        assertThat(claim(1, VPORT, 0).refusal()).isEmpty();
        claims.release(portGuid(0), FIRST_OF_MANY);
        assertThat(claim(0, VPORT + 1, 0).refusal())
                .as("in place of one that went")
                .isEmpty();
        publish();
        assertThat(store.lids().of(FIRST_OF_MANY)).isNull();
    }

    @Test
    void changesOfAPortWithoutEndAreDelayed() {
        publish();
        for (int i = 0; i < 10_000; i++) {
            claim(0, FIRST_OF_MANY + i, 0);
            claims.retain(portGuid(0), Set.of());
            loop.runFor(TimeUnit.MILLISECONDS.toNanos(10));
        }
        assertThat(visited).as("once a second, by 64 without delay").hasSizeBetween(30, 100);
        int lids = store.lids().guids().size();
        assertThat(lids).isBetween(VPortLidClaims.BURST, VPortLidClaims.BURST + 102);
    }
}
