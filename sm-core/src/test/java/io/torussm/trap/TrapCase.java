package io.torussm.trap;

import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.Smp;
import io.torussm.program.smp.SweepSettings;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.trap.TrapCounts.Disposition;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A running subnet, a torus of 3 x 3 switches with a host each, in which devices send traps. */
abstract class TrapCase {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=1");
    Subnet subnet = subnetOf(harness);

    private static Subnet subnetOf(SweepHarness harness) {
        harness.sweep();
        harness.awaitRest();
        harness.ends.clear();
        harness.requests.clear();
        return harness.publishedView().subnet();
    }

    int switchLid(int sw) {
        return subnet.lid(subnet.fabric().port(sw, 0));
    }

    /** Returns the port index of the first host that is not the SM's. */
    int host() {
        return harness.hosts().stream()
                .filter(port -> port != subnet.fabric().localPort())
                .findFirst()
                .orElseThrow();
    }

    void receive(Notice notice, int fromLid) {
        byte[] mad = Smp.lidRouted(Method.TRAP, 7, Notice.TYPE.id(), 0, 0);
        notice.write(mad, Smp.DATA_OFFSET);
        harness.sweeper.traps().receive(new MadFrame(new MadAddress(fromLid, 0, 0, 0), mad));
    }

    void receive(Notice notice) {
        receive(notice, notice.issuerLid());
    }

    /** Receives a notice as a directed-route MAD with these ingress ports, the last one first. */
    void receive(Notice notice, DrPath cameBy) {
        byte[] mad = Smp.directed(Method.TRAP, 7, Notice.TYPE.id(), 0, 0, cameBy);
        for (int i = 0; i < cameBy.hops(); i++) {
            mad[Smp.RETURN_PATH + cameBy.hops() - i] = (byte) cameBy.port(i);
        }
        notice.write(mad, Smp.DATA_OFFSET);
        harness.sweeper.traps().receive(new MadFrame(MadAddress.DIRECTED, mad));
    }

    static Notice generic(int trapNumber, int lid) {
        return Notice.linkErrors(trapNumber, NodeInfo.CHANNEL_ADAPTER, lid, 1);
    }

    /** Returns a trap 129 of a switch about a port. */
    Notice complaint(int sw, int portNum) {
        return Notice.linkErrors(Notice.TRAP_LINK_INTEGRITY, NodeInfo.SWITCH, switchLid(sw), portNum);
    }

    long count(int trapNumber, Disposition disposition) {
        return harness.sweeper.traps().counts().count(trapNumber, disposition);
    }

    /** Sets babbling_port_policy. */
    void disableBabblers(boolean isWanted) {
        harness.settings = new SweepSettings(
                harness.settings.gidPrefix(),
                0,
                false,
                false,
                0,
                0,
                0,
                18,
                18,
                harness.settings.links(),
                true,
                0,
                isWanted);
    }
}
