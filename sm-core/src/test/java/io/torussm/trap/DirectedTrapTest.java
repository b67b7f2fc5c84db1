package io.torussm.trap;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.Smp;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.trap.TrapCounts.Disposition;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Traps by directed route: their source is found by their return path. */
class DirectedTrapTest extends TrapCase {
    @Test
    void aDirectedTrapIsAcceptedIfItsReturnPathLeadsToItsIssuer() {
        Fabric fabric = subnet.fabric();
        DrPath toSwitch = fabric.pathTo(fabric.port(2, 0));
        receive(complaint(2, 1), toSwitch);
        assertThat(count(129, Disposition.ACTED_ON)).isEqualTo(1);
        DrPath toHost = fabric.pathTo(host());
        receive(Notice.linkErrors(131, NodeInfo.CHANNEL_ADAPTER, subnet.lid(host()), 1), toHost);
        assertThat(count(131, Disposition.ACTED_ON)).isEqualTo(1);
    }

    @Test
    void aForgedDirectedTrapNeitherDisablesAPortNorStartsASweep() {
        disableBabblers(true);
        Fabric fabric = subnet.fabric();
        DrPath attacker = fabric.pathTo(host());
        int victim = fabric.nodeOf(fabric.peer(host()));
        int way = fabric.portNum(fabric.peer(fabric.localPort()));
        List<DrPath> routes = List.of(
                attacker,
                attacker.withHop(1), // continues through the host, by the host's own entry
                fabric.pathTo(fabric.port(victim, 0)).withHop(200),
                DrPath.of(way, way),
                DrPath.LOCAL);
        for (DrPath route : routes) {
            for (int i = 0; i < 250; i++) {
                receive(complaint(victim, 1), route);
                receive(generic(Notice.TRAP_LINK_STATE_CHANGE, switchLid(victim)), route);
                receive(generic(Notice.TRAP_LOCAL_CHANGES, switchLid(victim)), route);
            }
        }
        harness.awaitRest();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(10));
        assertThat(harness.requests).isEmpty();
        assertThat(harness.ends).isEmpty();
        assertThat(log.all()).isEmpty();
        assertThat(count(129, Disposition.IGNORED)).isEqualTo(250L * routes.size());
    }

    @Test
    void aTrapWhoseRouteBeganByLidHasNoKnownOrigin() {
        Fabric fabric = subnet.fabric();
        byte[] mad = Smp.directed(Method.TRAP, 7, Notice.TYPE.id(), 0, 0, DrPath.LOCAL);
        generic(Notice.TRAP_LOCAL_CHANGES, subnet.lid(fabric.localPort())).write(mad, Smp.DATA_OFFSET);
        Smp.DR_SLID.set(mad, 0, subnet.lid(host()));
        harness.sweeper.traps().receive(new MadFrame(MadAddress.DIRECTED, mad));
        Smp.DR_SLID.set(mad, 0, 0xffff);
        harness.sweeper.traps().receive(new MadFrame(new MadAddress(subnet.lid(host()), 0, 0, 0), mad));
        assertThat(count(Notice.TRAP_LOCAL_CHANGES, Disposition.IGNORED)).isEqualTo(2);
    }
}
