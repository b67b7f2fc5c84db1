package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.sim.VirtualLoop;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.LidStore;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.VPortLidStore;
import io.torussm.subnet.VPortLids;
import io.torussm.subnet.VPortLids.VPortLid;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.vport.VPortLidClaims.LidGrant;
import io.torussm.vport.VPortManager.RoutingStart;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Claims of LIDs on a subnet of one switch (LID 1) and three hosts (LIDs 2 to 4). */
class VPortLidClaimsTest {
    private static final int HOSTS = 3;
    private static final long VPORT = 0x77;

    private final VirtualLoop loop = new VirtualLoop();
    private final StateDirectory directory = StateDirectory.none(loop);
    private final LidStore portLids = new LidStore(directory);
    private final VPortLidStore store = new VPortLidStore(directory);
    private final Subnet plain = Subnets.of(fabric(HOSTS));
    private final Set<Long> notVirtual = new HashSet<>();
    private final Set<Long> unread = new HashSet<>();
    private final List<Long> visited = new ArrayList<>();
    private VPortLidClaims claims = claims(store);
    private Subnet published = plain;
    private RoutingStart start = RoutingStart.BEGUN;
    private int requests;

    private VPortLidClaims claims(VPortLidStore vports) {
        Supplier<RoutingStart> routing = () -> {
            requests += start == RoutingStart.BEGUN ? 1 : 0;
            return start;
        };
        return new VPortLidClaims(
                loop, portLids, vports, routing, notVirtual::contains, unread::contains, visited::add);
    }

    private static Fabric fabric(int hosts) {
        Sketch sketch = new Sketch();
        int sw = sketch.addSwitch("switch", 36);
        for (int i = 1; i <= hosts; i++) {
            sketch.addHost(sw, i);
        }
        return sketch.build();
    }

    private long portGuid(int host) {
        Fabric fabric = plain.fabric();
        return fabric.portGuid(fabric.port(1 + host, 1));
    }

    private LidGrant claim(int host, long guid, int reportedLid) {
        return claim(host, guid, PortInfo.STATE_INITIALIZE, reportedLid);
    }

    private LidGrant claim(int host, long guid, int state, int reportedLid) {
        VPortInfo info = VPortInfo.TYPE.zero().with(VPortInfo.STATE, state).with(VPortInfo.LID, reportedLid);
        return claims.claim(portGuid(host), guid, info);
    }

    /** Publishes the subnet with the LIDs of the store, as the sweep does that was requested. */
    private Set<Long> publish() {
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(20));
        published = plain.with(store.lids());
        return claims.publish(published);
    }

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
        publish();
        claim(0, VPORT, 0);
        publish();
        claims.retain(portGuid(0), Set.of());
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

    /** Another SM was master meanwhile, and gave LIDs to vports. */
    @Test
    void anActiveVPortKeepsItsLidThoughTheStoreIsOutdated() {
        store.replace(
                VPortLids.NONE
                        .with(VPORT, new VPortLid(5, portGuid(0), true))
                        .with(VPORT + 1, new VPortLid(6, portGuid(1), true))
                        .with(VPORT + 2, new VPortLid(7, portGuid(1), false)),
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

    /** The store is outdated: another SM gave the LID of a vport to one of another port. */
    @Test
    void aVPortWaitsForAnUnreadPortWithItsLidAndThenGetsAnother() {
        store.replace(VPortLids.NONE.with(VPORT, new VPortLid(5, portGuid(0), true)), () -> {});
        unread.add(portGuid(0));
        publish();
        assertThat(claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5).refusal()).isEmpty();
        loop.runFor(TimeUnit.MINUTES.toNanos(1));
        assertThat(claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5).refusal()).contains("it waits until the vports");
        unread.clear(); // the device of that port did not respond in time
        claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5);
        publish();
        assertThat(claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5).lid()).isEqualTo(6);
        assertThat(store.lids().of(VPORT)).isEqualTo(new VPortLid(5, portGuid(0), true));
    }

    @Test
    void aVPortKeepsTheLidOfOneAtAPortThatHasNoVPortsAnyMore() {
        store.replace(VPortLids.NONE.with(VPORT, new VPortLid(5, portGuid(0), true)), () -> {});
        notVirtual.add(portGuid(0));
        publish();
        claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5);
        publish();
        assertThat(claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5).lid()).isEqualTo(5);
    }

    @Test
    void aPortDoesNotGetTheLidOfAVPortBeforeItsPortByTheStoreWasRead() {
        store.replace(VPortLids.NONE.with(VPORT, new VPortLid(5, portGuid(0), true)), () -> {});
        unread.add(portGuid(0));
        publish();
        claim(1, VPORT, PortInfo.STATE_ACTIVE, 5);
        publish();
        assertThat(store.lids().of(VPORT)).isEqualTo(new VPortLid(5, portGuid(0), true));
        unread.clear();
        claim(1, VPORT, PortInfo.STATE_ACTIVE, 5);
        publish();
        assertThat(claim(1, VPORT, PortInfo.STATE_ACTIVE, 5).lid()).isEqualTo(5);
        assertThat(store.lids().of(VPORT)).isEqualTo(new VPortLid(5, portGuid(1), true));
    }

    /** A sweep that began before a vport went is published after its return. */
    @Test
    void aReturnIsWrittenThoughASubnetWithTheLidIsPublishedFirst() {
        publish();
        claim(0, VPORT, 0);
        publish();
        claims.retain(portGuid(0), Set.of());
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(20));
        claim(0, VPORT, 0);
        claims.publish(published);
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(store.lids().of(VPORT)).isEqualTo(new VPortLid(5, portGuid(0), true));
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
        store.replace(VPortLids.NONE.with(VPORT, new VPortLid(5, portGuid(0), true)), () -> {});
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
        store.replace(
                VPortLids.NONE
                        .with(VPORT, new VPortLid(5, portGuid(0), true))
                        .with(VPORT + 1, new VPortLid(6, portGuid(1), true)),
                () -> {});
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

    @Test
    void aDelayedChangeRemovesNoLidThatIsKept() {
        int share = (0xbfff - 4) / 2 / 8;
        Map<Long, VPortLid> many = new HashMap<>();
        for (int i = 0; i < share; i++) {
            many.put(0x10000L + i, new VPortLid(100 + i, portGuid(0), false));
        }
        store.replace(VPortLids.of(many), () -> {});
        publish();
        for (int i = 0; i < 100; i++) {
            claim(0, VPORT + i, 0);
            loop.runFor(TimeUnit.MILLISECONDS.toNanos(11));
        }
        claims.retain(portGuid(0), Set.of());
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(store.lids().guids()).hasSize(share);
    }

    /** As upon a flap of the link of a host, or a PortInfo that was not read. */
    @Test
    void aPortThatLeftKeepsTheLidsOfItsVPortsWithoutAnotherRunOfTheEngine() throws Exception {
        storeLidOfLastHost();
        publish();
        claim(2, VPORT, 0);
        publish();
        claim(2, VPORT, 0);
        claims.publish(Subnets.of(fabric(2)).with(store.lids()));
        loop.runFor(TimeUnit.MINUTES.toNanos(3));
        assertThat(store.lids().of(VPORT)).isEqualTo(new VPortLid(5, portGuid(2), true));
        claim(1, VPORT + 1, 0);
        publish();
        assertThat(claim(1, VPORT + 1, 0).lid()).as("that of another").isEqualTo(6);
        requests = 0;
        publish();
        assertThat(claim(2, VPORT, 0).lid()).isEqualTo(5);
        loop.runFor(TimeUnit.MINUTES.toNanos(3));
        assertThat(requests).isZero();
    }

    private void storeLidOfLastHost() throws Exception {
        String line = "0x" + Long.toHexString(portGuid(HOSTS - 1)) + " 0x0004 0x0004";
        directory.examine("guid2lid", LidStore.FILE.content(Stream.of(line))).complete();
    }

    /** A device must not take the LID of a vport at a port that flaps. */
    @Test
    void noOtherVPortTakesTheLidOfOneAtAPortThatFlaps() throws Exception {
        storeLidOfLastHost();
        publish();
        claim(2, VPORT, 0);
        publish();
        claim(2, VPORT, 0);
        claims.publish(Subnets.of(fabric(2)).with(store.lids()));
        claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5);
        publish();
        assertThat(claim(2, VPORT, 0).lid()).isEqualTo(5);
        assertThat(claim(1, VPORT + 1, PortInfo.STATE_ACTIVE, 5).lid()).isEqualTo(6);
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

    @Test
    void lidsOfVPortsAtAbsentPortsAreGivenToOthersIfNoneIsLeft() {
        int room = (0xbfff - 4) / 2;
        Map<Long, VPortLid> many = new HashMap<>();
        for (int i = 0; i < room; i++) {
            many.put(0x10000L + i, new VPortLid(100 + i, 0x9999, true));
        }
        store.replace(VPortLids.of(many), () -> {});
        publish();
        assertThat(claim(0, VPORT, 0).refusal()).isEmpty();
        publish();
        assertThat(claim(0, VPORT, 0).lid()).isPositive();
        assertThat(store.lids().guids()).hasSize(room);
    }

    @Test
    void aVPortThatReturnsBeforeTheNextSweepCostsNoRunOfTheEngine() {
        publish();
        claim(0, VPORT, 0);
        publish();
        claims.retain(portGuid(0), Set.of());
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(store.lids().of(VPORT)).isEqualTo(new VPortLid(5, portGuid(0), false));
        assertThat(claim(0, VPORT, 0).lid()).isEqualTo(5);
        loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(store.lids().of(VPORT)).isEqualTo(new VPortLid(5, portGuid(0), true));
        assertThat(requests).isEqualTo(1);
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
        int share = (0xbfff - 4) / 2 / 8;
        Map<Long, VPortLid> many = new HashMap<>();
        for (int i = 0; i < share; i++) {
            many.put(0x10000L + i, new VPortLid(100 + i, portGuid(0), true));
        }
        store.replace(VPortLids.of(many), () -> {});
        publish();
        assertThat(claim(0, VPORT, 0).refusal()).contains("share, " + share);
        assertThat(claim(1, VPORT, 0).refusal()).isEmpty();
        claims.release(portGuid(0), 0x10000L);
        assertThat(claim(0, VPORT + 1, 0).refusal())
                .as("in place of one that went")
                .isEmpty();
        publish();
        assertThat(store.lids().of(0x10000L)).isNull();
    }

    @Test
    void changesOfAPortWithoutEndAreDelayed() {
        publish();
        for (int i = 0; i < 10_000; i++) {
            claim(0, 0x10000L + i, 0);
            claims.retain(portGuid(0), Set.of());
            loop.runFor(TimeUnit.MILLISECONDS.toNanos(10));
        }
        assertThat(visited).as("once a second, by 64 without delay").hasSizeBetween(30, 100);
        int lids = store.lids().guids().size();
        assertThat(lids).isBetween(VPortLidClaims.BURST, VPortLidClaims.BURST + 102);
    }
}
