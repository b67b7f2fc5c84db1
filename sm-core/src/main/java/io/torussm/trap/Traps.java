package io.torussm.trap;

import io.torussm.discovery.DeviceRefresher;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.Notice;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.view.CableHistory;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The handling of all traps of a subnet, from the TrapRepress to the action. Owner thread: the loop, except
 * for the counters.
 */
public final class Traps {
    private final Loop loop;
    private final MKeyMonitor keys;
    private final TrapHandler handler;
    private final TrapReceiver receiver;
    private Consumer<Notice> forwarding = notice -> {};
    private IntConsumer vportsChanged = lid -> {};
    private VPortNameListener vportNames = (lid, vport) -> {};

    /** A receiver of traps about the name or the capabilities of a virtual port. */
    @FunctionalInterface
    public interface VPortNameListener {
        /** Handles the trap of the port with a LID about a virtual port. Called for each trap. */
        void onNameTrap(int lid, int vport);
    }

    /** The state on which decisions on traps depend, and their actions. Called on the loop. */
    public interface Effects {
        /** Checks whether this SM is master; only then it handles traps. */
        boolean isMaster();

        /** Returns the subnet with the last assigned addresses; null before the first. */
        @Nullable
        Subnet addressed();

        /** Returns the published view; null if there is none. */
        @Nullable
        PublishedView view();

        /** Returns the fabric as it was read last, and its lost cables. */
        FabricState state();

        /** Checks whether babbling ports may be disabled. */
        boolean mayDisablePorts();

        /** Returns the cables that sweeps have found changed within the last half minute. */
        List<CableHistory.Ends> changedCables();

        /** Returns the losses and returns of a cable that sweeps have found since a time, the oldest first. */
        List<CableHistory.Entry> changesOf(CableHistory.Ends cable, Instant since);

        /** Returns the present time, as that of the entries. */
        Instant timeOfDay();

        /** Handles a changed port of the switch with this LID; the LID may be unassigned. */
        void onLinkChange(int lid);

        /** Applies newly read attributes of a device to the known fabric. */
        void onDeviceChange(UnaryOperator<Fabric> change);

        /** Handles an SM that appeared at the end of a route, or changed its priority. */
        void onSmChange(DrPath path);
    }

    /** Creates the handling of traps, without remembered ones. */
    public Traps(MadClient client, Loop loop, SubnetMemory memory, Effects effects) {
        this.loop = loop;
        this.keys = new MKeyMonitor(memory, effects::view, loop::nowNs);
        this.handler = new TrapHandler(
                loop,
                keys,
                memory.neighbors(),
                new DeviceRefresher(client, effects::onDeviceChange, effects::onSmChange),
                new BabblingPorts(client, effects::mayDisablePorts),
                effects,
                notice -> forwarding.accept(notice),
                new TrapHandler.VPortConsumers(
                        (lid, vport) -> vportNames.onNameTrap(lid, vport), lid -> vportsChanged.accept(lid)));
        this.receiver = new TrapReceiver(client::send, effects::isMaster, keys::repressKey, handler::handle);
    }

    /** Sets the consumer of traps that were acted on, which forwards them to subscribers. */
    public void forwardTo(Consumer<Notice> others) {
        loop.requireInLoop();
        forwarding = others;
    }

    /** Sets the consumer of LIDs whose virtual ports changed. */
    public void whenVPortsChange(IntConsumer consumer) {
        loop.requireInLoop();
        vportsChanged = consumer;
    }

    /** Sets the consumer of traps about names of virtual ports. It is called before that of changed virtual ports. */
    public void whenVPortNamesChange(VPortNameListener listener) {
        loop.requireInLoop();
        vportNames = listener;
    }

    /** Forgets the conditions of this mastership, so that none of them ends in the next one. */
    public void onMastershipEnd() {
        loop.requireInLoop();
        handler.onMastershipEnd();
    }

    /** Checks whether a switch is an end of a link with a report of flapping that has not ended. */
    public boolean isFlapping(long nodeGuid) {
        loop.requireInLoop();
        return handler.isFlapping(nodeGuid);
    }

    /** Receives an SMP of another device. */
    public void receive(MadFrame frame) {
        loop.requireInLoop();
        receiver.receive(frame);
    }

    /** Returns the counters of all traps; from any thread. */
    public TrapCounts counts() {
        return handler.counts();
    }

    /** Returns the counters of link errors; from any thread. */
    public LinkComplaints complaints() {
        return handler.complaints();
    }

    /** Returns the number of traps 256; from any thread. */
    public long mKeyComplaints() {
        return keys.complaints();
    }
}
