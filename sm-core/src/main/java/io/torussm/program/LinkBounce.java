package io.torussm.program;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadClient;
import io.torussm.transport.Outcome;

/**
 * Takes a link down on the operator's word, so that it trains anew: MTU, VLs, width and speed can only change then. Of its two
 * ends that is set Down which is nearer to the SM. Owner thread: the loop.
 */
public final class LinkBounce {
    private static final EventLog EVENTS = EventLog.of(LinkBounce.class);

    private final MadClient client;

    public LinkBounce(MadClient client) {
        this.client = client;
    }

    /** Why a link is not taken down; empty if it may be. */
    public static String objection(Fabric fabric, int port) {
        int far = fabric.peer(port);
        if (far == Fabric.NONE || fabric.portInfo(port) == null) {
            return fabric.portName(port) + " has no link";
        }
        boolean isOwn = port == fabric.localPort() || far == fabric.localPort();
        return isOwn ? "the SM itself hangs on " + fabric.portName(port) + "; move the SM first" : "";
    }

    /**
     * Takes the link of a port down.
     *
     * @param then called on the loop when it is
     */
    public void bounce(Subnet subnet, int port, Runnable then) {
        Fabric fabric = subnet.fabric();
        int far = fabric.peer(port);
        boolean isFarNearer = far != Fabric.NONE
                && fabric.pathTo(far).hops() < fabric.pathTo(port).hops();
        int end = isFarNearer ? far : port;
        PortInfo now = fabric.portInfo(end);
        if (now == null || !objection(fabric, port).isEmpty()) {
            return;
        }
        PortInfo down = LinkActivator.unchangedStates(now)
                .with(PortInfo.CLIENT_REREGISTER, 0)
                .with(PortInfo.PORT_STATE, PortInfo.STATE_DOWN);
        client.scope().set(down, fabric.pathTo(end), fabric.portInfoModifier(end), outcome -> {
            if (outcome instanceof Outcome.Reply<PortInfo>) {
                EVENTS.report(SmEvent.PORT_BOUNCED, EventField.NAME.of(subnet.devicePort(end)));
                then.run();
            } else {
                EVENTS.report(
                        SmEvent.PORT_NOT_BOUNCED,
                        EventField.NAME.of(subnet.devicePort(end)),
                        EventField.REASON.of(outcome));
            }
        });
    }
}
