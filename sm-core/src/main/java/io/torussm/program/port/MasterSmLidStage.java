package io.torussm.program.port;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.program.smp.LookaheadIterator;
import io.torussm.program.smp.SmpRequests;
import io.torussm.stage.Phase;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import io.torussm.subnet.MKeyStore;
import io.torussm.transport.MadScope;
import io.torussm.transport.SmpRequest;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stage that writes the LID of a new master SM to ports (PortInfo.MasterSMLID, IBA 14.2.5.6). Switches send their
 * traps to that LID, and hosts their SA queries. Until the Set, both go to the previous SM. The stage runs before the
 * tables are read, because that takes longest.
 *
 * <p>The stage changes no other field, and no port whose LID or M_Key is wrong: {@link LinkActivator} writes all
 * fields of all ports later. Only then hosts register again. Owner thread: the loop.
 */
public final class MasterSmLidStage implements Stage<Fabric, Fabric> {
    private final boolean isToHosts;

    private MasterSmLidStage(boolean isToHosts) {
        this.isToHosts = isToHosts;
    }

    /** Returns the stage for ports 0 of switches. */
    public static MasterSmLidStage toSwitches() {
        return new MasterSmLidStage(false);
    }

    /** Returns the stage for ports of hosts, for an SM whose SA responds already. */
    public static MasterSmLidStage toHosts() {
        return new MasterSmLidStage(true);
    }

    @Override
    public Phase phase() {
        return Phase.DISCOVER;
    }

    /** Writes the LID; the result is the unchanged fabric. */
    @Override
    public void start(StageContext context, Fabric fabric, Consumer<Fabric> then) {
        int smLid = ownLid(context, fabric);
        if (smLid == 0) {
            then.accept(fabric);
            return;
        }
        MKeyStore keys = context.memory().keys();
        MadScope scope = context.scope();
        SmpRequests requests = new SmpRequests(fabric, context.errors(), scope, context.loop());
        scope.pull(new LookaheadIterator<>() {
            private int port;

            @Override
            protected @Nullable SmpRequest<PortInfo> findNext() {
                SmpRequest<PortInfo> next = null;
                while (next == null && port < fabric.portCount()) {
                    next = isAddressed(fabric, port) ? request(requests, fabric, keys, smLid, port) : null;
                    port++;
                }
                return next;
            }
        });
        scope.whenIdle(() -> then.accept(fabric));
    }

    private boolean isAddressed(Fabric fabric, int port) {
        return fabric.isEndport(port) && fabric.isSwitch(fabric.nodeOf(port)) != isToHosts;
    }

    /** Returns the LID of this SM; 0 if it has no LID, or will receive another one. */
    private static int ownLid(StageContext context, Fabric fabric) {
        PortInfo own = fabric.portInfo(fabric.localPort());
        int lid = own == null ? 0 : own.lid();
        int kept = context.memory().lids().lid(fabric.portGuid(fabric.localPort()));
        return kept == 0 || kept == lid ? lid : 0;
    }

    private static @Nullable SmpRequest<PortInfo> request(
            SmpRequests requests, Fabric fabric, MKeyStore keys, int smLid, int port) {
        PortInfo current = fabric.portInfo(port);
        PortInfo value =
                current == null ? null : withMasterSmLid(current, keys.currentKey(fabric.portGuid(port)), smLid);
        if (value == null) {
            return null;
        }
        SmpRequest<PortInfo> set =
                SmpRequest.set(value, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {});
        return requests.trial(fabric.nodeOf(port), set, outcome -> {});
    }

    /**
     * Returns the value of a Set that writes MasterSMLID to a port and no other setting. Returns null if the port
     * already has this MasterSMLID, or lacks its LID or M_Key ({@link LinkActivator} then writes all three).
     *
     * @param current last response of the port
     * @param mKey the M_Key that the port should have
     * @param smLid LID of the master SM
     */
    public static @Nullable PortInfo withMasterSmLid(PortInfo current, long mKey, int smLid) {
        boolean isAddressed = current.lid() != 0 && current.get(PortInfo.M_KEY) == mKey;
        return isAddressed && current.masterSmLid() != smLid
                ? LinkActivator.settingsOnly(current).with(PortInfo.MASTER_SM_LID, smLid)
                : null;
    }
}
