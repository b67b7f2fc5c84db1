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
import io.torussm.view.PublishedView;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Takes all traps of a subnet, from the answer to what they bring about. Owner thread: the loop, except for the counters. */
public final class Traps {
    private final Loop loop;
    private final MKeyMonitor keys;
    private final TrapHandler handler;
    private final TrapReceiver receiver;
    private Consumer<Notice> forwarding = notice -> {};

    /** What traps are judged by, and what they bring about. Called on the loop. */
    public interface Effects {
        /** Whether this SM is master; only then are traps its business. */
        boolean isMaster();

        /** The subnet with the addresses that were given last; null before the first. */
        @Nullable
        Subnet addressed();

        /** What is published; null if nothing is. */
        @Nullable
        PublishedView view();

        /** Whether ports that complain of their link without end may be disabled. */
        boolean mayDisablePorts();

        /** A port of the switch with a LID changed; or of somebody, if nobody has the LID. */
        void linkChanged(int lid);

        /** A device was read again: changes the fabric as it is known. */
        void deviceChanged(UnaryOperator<Fabric> change);

        /** An SM appeared at the end of a route, or has another priority. */
        void smChanged(DrPath path);
    }

    /** Creates what takes traps, without a memory of any. */
    public Traps(MadClient client, Loop loop, SubnetMemory memory, Effects effects) {
        this.loop = loop;
        this.keys = new MKeyMonitor(memory, effects::view, loop::nowNs);
        this.handler = new TrapHandler(
                loop,
                keys,
                new DeviceRefresher(client, effects::deviceChanged, effects::smChanged),
                new BabblingPorts(client, effects::mayDisablePorts),
                effects,
                notice -> forwarding.accept(notice));
        this.receiver = new TrapReceiver(client::send, effects::isMaster, keys::repressKey, handler::take);
    }

    /** Who takes from now on the traps that were acted on, to forward them to subscribers. */
    public void forwardTo(Consumer<Notice> others) {
        loop.check();
        forwarding = others;
    }

    /** Takes an SMP of somebody else. */
    public void receive(MadFrame frame) {
        loop.check();
        receiver.receive(frame);
    }

    /** What became of all traps; from any thread. */
    public TrapCounts counts() {
        return handler.counts();
    }

    /** Which ports complain; from any thread. */
    public LinkComplaints complaints() {
        return handler.complaints();
    }

    /** Traps 256; from any thread. */
    public long mKeyComplaints() {
        return keys.complaints();
    }
}
