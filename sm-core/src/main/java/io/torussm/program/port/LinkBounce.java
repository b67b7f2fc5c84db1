package io.torussm.program.port;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadClient;
import io.torussm.transport.Outcome;

/**
 * The operator's command to take a link down so that it trains again, because MTU, VLs, width and speed can change only
 * while a link trains. The end that is nearer to the SM is set Down. Owner thread: the loop.
 */
public final class LinkBounce {
    private static final EventLog EVENTS = EventLog.of(LinkBounce.class);

    private final MadClient client;

    /** Creates a bounce of links by a client. */
    public LinkBounce(MadClient client) {
        this.client = client;
    }

    /** Returns the reason why the link of a port (index) may not be taken down; empty if it may be. */
    public static String objection(Fabric fabric, int port) {
        int far = fabric.peer(port);
        if (far == Fabric.NONE || fabric.portInfo(port) == null) {
            return fabric.portName(port) + " has no link";
        }
        boolean isOwn = port == fabric.localPort() || far == fabric.localPort();
        return isOwn ? "the SM itself is attached to " + fabric.portName(port) + "; move the SM first" : "";
    }

    /**
     * Takes the link of a port down. Does nothing if there is an {@link #objection}.
     *
     * @param port port index
     * @param then callback, called on the loop after success only
     */
    public void bounce(Subnet subnet, int port, Runnable then) {
        Fabric fabric = subnet.fabric();
        int far = fabric.peer(port);
        boolean isFarNearer = far != Fabric.NONE
                && fabric.pathTo(far).hops() < fabric.pathTo(port).hops();
        int end = isFarNearer ? far : port;
        PortInfo current = fabric.portInfo(end);
        if (current == null || !objection(fabric, port).isEmpty()) {
            return;
        }
        PortInfo down = LinkActivator.withoutPhysicalStateChange(current)
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
