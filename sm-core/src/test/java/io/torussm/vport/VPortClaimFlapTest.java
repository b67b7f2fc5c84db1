package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.LidStore;
import io.torussm.testing.Subnets;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Claims of LIDs by vports, or vports of ports, that leave and return. */
class VPortClaimFlapTest extends VPortClaimsCase {
    /** A sweep that began before a vport went is published after its return. */
    @Test
    void aReturnIsWrittenThoughASubnetWithTheLidIsPublishedFirst() {
        claimAndLeave();
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(20));
        claim(0, VPORT, 0);
        claims.publish(published);
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(store.lids().of(VPORT)).isEqualTo(present(5, 0));
    }

    /** As upon a flap of the link of a host, or a PortInfo that was not read. */
    @Test
    void anAbsentPortKeepsTheLidsOfItsVPortsWithoutARoutingRun() throws Exception {
        claimAtLastHostThatLeaves();
        loop.runFor(TimeUnit.MINUTES.toNanos(3));
        assertThat(store.lids().of(VPORT)).isEqualTo(present(5, 2));
        claim(1, VPORT + 1, 0);
        publish();
        assertThat(claim(1, VPORT + 1, 0).lid()).as("that of another").isEqualTo(6);
        requests = 0;
        publish();
        assertThat(claim(2, VPORT, 0).lid()).isEqualTo(5);
        loop.runFor(TimeUnit.MINUTES.toNanos(3));
        assertThat(requests).isZero();
    }

    /** Publishes a vport at the last host, then a subnet without this host. */
    private void claimAtLastHostThatLeaves() throws Exception {
        storeLidOfLastHost();
        publish();
        claim(2, VPORT, 0);
        publish();
        claim(2, VPORT, 0);
        claims.publish(Subnets.of(fabric(2)).with(store.lids()));
    }

    private void storeLidOfLastHost() throws Exception {
        String line = "0x" + Long.toHexString(portGuid(HOSTS - 1)) + " 0x0004 0x0004";
        directory.examine("guid2lid", LidStore.FILE.content(Stream.of(line))).complete();
    }

    /** A device must not take the LID of a vport at a port that flaps. */
    @Test
    void noOtherVPortTakesALidOfAFlappingPort() throws Exception {
        claimAtLastHostThatLeaves();
        claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5);
        publish();
        assertThat(claim(2, VPORT, 0).lid()).isEqualTo(5);
        assertThat(claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5).lid()).isEqualTo(6);
    }

    @Test
    void aVPortThatReturnsBeforeTheNextSweepNeedsNoRoutingRun() {
        claimAndLeave();
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(store.lids().of(VPORT)).isEqualTo(absent(5, 0));
        assertThat(claim(0, VPORT, 0).lid()).isEqualTo(5);
        loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(store.lids().of(VPORT)).isEqualTo(present(5, 0));
        assertThat(requests).isEqualTo(1);
    }
}
