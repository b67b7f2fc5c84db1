package io.torussm.program.port;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.program.smp.Lookahead;
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
 * The stage that writes the LID of a new master to the switches (PortInfo.MasterSMLID, IBA 14.2.5.6), to
 * which they send traps. It runs before the tables are read, which takes longest. Until then traps go to the
 * previous SM. Traps leave by VL 15, so the SL needs no route.
 *
 * <p>It changes no other field, and only ports whose other addresses are right; {@link LinkActivator} writes
 * all of them in any case. Hosts are left to that stage: they would ask an SA that does not answer yet.
 */
public final class TrapDestination implements Stage<Fabric, Fabric> {
    @Override
    public Phase phase() {
        return Phase.DISCOVER;
    }

    /** Passes the fabric on unchanged. */
    @Override
    public void start(StageContext context, Fabric fabric, Consumer<Fabric> then) {
        int smLid = keptLid(context, fabric);
        if (smLid == 0) {
            then.accept(fabric);
            return;
        }
        MKeyStore keys = context.memory().keys();
        MadScope scope = context.scope();
        SmpRequests requests = new SmpRequests(fabric, context.errors(), scope, context.loop());
        scope.pull(new Lookahead<>() {
            private int sw;

            @Override
            protected @Nullable SmpRequest<PortInfo> findNext() {
                SmpRequest<PortInfo> next = null;
                while (next == null && sw < fabric.switchCount()) {
                    next = request(requests, fabric, keys, smLid, fabric.port(sw++, 0));
                }
                return next;
            }
        });
        scope.whenIdle(() -> then.accept(fabric));
    }

    /** Returns the LID of this SM; 0 if it has none, or may receive another. */
    private static int keptLid(StageContext context, Fabric fabric) {
        PortInfo own = fabric.portInfo(fabric.localPort());
        int lid = own == null ? 0 : own.lid();
        int kept = context.memory().lids().lid(fabric.portGuid(fabric.localPort()));
        return kept == 0 || kept == lid ? lid : 0;
    }

    private static @Nullable SmpRequest<PortInfo> request(
            SmpRequests requests, Fabric fabric, MKeyStore keys, int smLid, int port) {
        PortInfo now = fabric.portInfo(port);
        if (now == null
                || now.lid() == 0
                || now.masterSmLid() == smLid
                || now.get(PortInfo.M_KEY) != keys.current(fabric.portGuid(port))) {
            return null;
        }
        PortInfo value = LinkActivator.settingsAlone(now).with(PortInfo.MASTER_SM_LID, smLid);
        SmpRequest<PortInfo> set =
                SmpRequest.set(value, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {});
        return requests.trial(fabric.nodeOf(port), set, outcome -> {});
    }
}
