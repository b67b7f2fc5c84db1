package io.torussm.daemon;

import io.torussm.mastership.MastershipDriver;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmState;
import io.torussm.mastership.SmpPeers;
import io.torussm.mastership.Trust;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastGroups;
import io.torussm.partition.PartitionSettings;
import io.torussm.qos.QosOptions;
import io.torussm.qos.VlArbitrationPlan;
import io.torussm.routing.Finding;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimTransport;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.LinkSettings;
import io.torussm.sweep.SubnetMemory;
import io.torussm.sweep.SweepListener;
import io.torussm.sweep.SweepParts;
import io.torussm.sweep.SweepReport;
import io.torussm.sweep.SweepSettings;
import io.torussm.sweep.Sweeper;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.TransportException;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A subnet manager with torus-2QoS at one host of an embedded fabric, in virtual time; others may be at other hosts. */
final class FabricSm implements SweepListener, MadClient.Unsolicited {
    static final long SM_KEY = 0x5e;
    private static final long LIGHT_SWEEP_NS = TimeUnit.SECONDS.toNanos(10);
    private static final int MAX_MEMBERSHIPS = 100;

    private final MortalLoop life;
    private final SimTransport transport;
    final Sweeper sweeper;
    final MastershipDriver mastership;
    final List<String> ends = new ArrayList<>();
    int priority;
    Trust trust = new Trust(SM_KEY, Set.of(), Set.of());

    FabricSm(Loop loop, SimFabric fabric, String host, int priority, SmOptions options) {
        life = new MortalLoop(loop);
        this.priority = priority;
        transport = fabric.attach(host, 1);
        long mKey = options.keys().mKey();
        SubnetMemory memory =
                SubnetMemory.of(StateDirectory.none(loop), transport.localPort().portGuid(), () -> mKey, () -> true);
        MadClient client =
                new MadClient(transport, life, new MadClient.Settings(64, 4, 200, 3, memory.keys()), 1, this);
        MembershipService memberships = new MembershipService(life, new MulticastGroups(18, MAX_MEMBERSHIPS));
        SweepSettings settings = new SweepSettings(
                options.addresses().subnetPrefix(),
                0,
                false,
                options.addresses().reassignLids(),
                mKey,
                0,
                options.keys().mKeyProtectBits(),
                18,
                18,
                LinkSettings.DEFAULT,
                true,
                0,
                false);
        sweeper = new Sweeper(new SweepParts(
                client,
                life,
                Runnable::run,
                () -> settings,
                () -> RoutingFactory.chain(options),
                () -> PartitionSettings.DEFAULT,
                new VlArbitrationPlan(QosOptions.NONE.settings()),
                memory,
                memberships,
                this));
        mastership = new MastershipDriver(
                life,
                new SmpPeers(client),
                sweeper,
                client::send,
                guid(),
                key -> memory.keys().opens(guid(), key),
                () -> new MastershipDriver.Settings(
                        this.priority, 1000, 2, options.keys().mKeyProtectBits(), trust, false));
        sweeper.under(mastership);
    }

    FabricSm start() {
        try {
            transport.setIsSm(true);
        } catch (TransportException e) {
            throw new AssertionError(e);
        }
        mastership.start();
        sweepInTime();
        return this;
    }

    private void sweepInTime() {
        life.schedule(LIGHT_SWEEP_NS, () -> {
            mastership.sweepLight();
            sweepInTime();
        });
    }

    /** As the operating system does it for a process that dies: IsSM falls, and nobody answers. */
    void kill() {
        life.die();
        transport.close();
    }

    /** SIGTERM. */
    void end() {
        mastership.end(this::kill);
    }

    boolean isDead() {
        return life.isDead();
    }

    SmState state() {
        return mastership.state().state();
    }

    boolean isUp() {
        return mastership.isMaster() && sweeper.view() != null;
    }

    long guid() {
        return transport.localPort().portGuid();
    }

    // --- what comes in ---

    @Override
    public void subnetManagement(MadFrame frame) {
        if (!life.isDead() && !mastership.receive(frame)) {
            sweeper.receive(frame);
        }
    }

    @Override
    public void subnetAdministration(MadFrame frame) {
        throw new AssertionError("nobody asks the SA here");
    }

    @Override
    public void portLost(String why) {
        throw new AssertionError(why);
    }

    @Override
    public void subnetUp(PublishedView view, SweepReport report) {
        ends.add("up");
    }

    @Override
    public void refused(List<Finding> findings) {
        ends.add("refused: " + findings);
    }

    @Override
    public void otherMaster(@Nullable RemoteSm other) {
        ends.add("other: " + other);
    }

    @Override
    public void failed(String why) {
        ends.add("failed: " + why);
    }

    @Override
    public void multicastProgrammed() {
        ends.add("multicast");
    }
}
