package io.torussm.vport;

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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The fixture of claims of LIDs: a subnet of one switch (LID 1) and three hosts (LIDs 2 to 4). */
abstract class VPortClaimsCase {
    static final int HOSTS = 3;
    static final long VPORT = 0x77;

    static final long FIRST_OF_MANY = 0x10000;

    /** Number of LIDs that vports may have: half of the unicast LIDs that no port has. */
    static final int LIDS_OF_VPORTS = (0xbfff - 4) / 2;

    /** Number of LIDs that the vports of one port may have. */
    static final int SHARE = LIDS_OF_VPORTS / 8;

    final VirtualLoop loop = new VirtualLoop();
    final StateDirectory directory = StateDirectory.none(loop);
    final LidStore portLids = new LidStore(directory);
    final VPortLidStore store = new VPortLidStore(directory);
    final Subnet plain = Subnets.of(fabric(HOSTS));
    final Set<Long> notVirtual = new HashSet<>();
    final Set<Long> unread = new HashSet<>();
    final List<Long> visited = new ArrayList<>();
    VPortLidClaims claims = claims(store);
    Subnet published = plain;
    RoutingStart start = RoutingStart.BEGUN;
    int requests;

    VPortLidClaims claims(VPortLidStore vports) {
        Supplier<RoutingStart> routing = () -> {
            requests += start == RoutingStart.BEGUN ? 1 : 0;
            return start;
        };
        return new VPortLidClaims(
                loop, portLids, vports, routing, notVirtual::contains, unread::contains, visited::add);
    }

    static Fabric fabric(int hosts) {
        Sketch sketch = new Sketch();
        int sw = sketch.addSwitch("switch", 36);
        for (int i = 1; i <= hosts; i++) {
            sketch.addHost(sw, i);
        }
        return sketch.build();
    }

    long portGuid(int host) {
        Fabric fabric = plain.fabric();
        return fabric.portGuid(fabric.port(1 + host, 1));
    }

    LidGrant claim(int host, long guid, int reportedLid) {
        return claim(host, guid, PortInfo.STATE_INITIALIZE, reportedLid);
    }

    LidGrant claim(int host, long guid, int state, int reportedLid) {
        VPortInfo info = VPortInfo.TYPE.zero().with(VPortInfo.STATE, state).with(VPortInfo.LID, reportedLid);
        return claims.claim(portGuid(host), guid, info);
    }

    /** Publishes the subnet with the LIDs of the store, as the sweep does that was requested. */
    Set<Long> publish() {
        loop.runFor(TimeUnit.MILLISECONDS.toNanos(20));
        published = plain.with(store.lids());
        return claims.publish(published);
    }

    /** Publishes a vport at the first host, which loses it. */
    void claimAndLeave() {
        publish();
        claim(0, VPORT, 0);
        publish();
        claims.retain(portGuid(0), Set.of());
    }

    VPortLid present(int lid, int host) {
        return new VPortLid(lid, portGuid(host), true);
    }

    VPortLid absent(int lid, int host) {
        return new VPortLid(lid, portGuid(host), false);
    }

    /** Returns vports with consecutive LIDs and GUIDs from {@link #FIRST_OF_MANY}. */
    static VPortLids vports(int count, long portGuid, boolean isPresent) {
        return VPortLids.of(IntStream.range(0, count)
                .boxed()
                .collect(Collectors.toMap(i -> FIRST_OF_MANY + i, i -> new VPortLid(100 + i, portGuid, isPresent))));
    }
}
