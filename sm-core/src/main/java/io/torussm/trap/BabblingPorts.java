package io.torussm.trap;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.program.port.LinkActivator;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadClient;
import io.torussm.transport.Outcome;
import java.util.function.BooleanSupplier;

/**
 * The policy for links whose ports send traps without end: if it is enabled, the link is disabled. It
 * disables the end that is nearer to the SM, because the other one could not be reached afterwards. Owner
 * thread: the loop.
 */
public final class BabblingPorts {
    private static final EventLog EVENTS = EventLog.of(BabblingPorts.class);

    private final MadClient client;
    private final BooleanSupplier mayDisable;

    /**
     * Creates the policy.
     *
     * @param mayDisable whether the policy is enabled; read on each use
     */
    public BabblingPorts(MadClient client, BooleanSupplier mayDisable) {
        this.client = client;
        this.mayDisable = mayDisable;
    }

    /** Handles a babbling port. */
    void onBabblingPort(Subnet subnet, int port) {
        Fabric fabric = subnet.fabric();
        int end = nearEnd(fabric, port);
        PortInfo info = fabric.portInfo(end);
        boolean isOwn = end == fabric.localPort() || fabric.peer(end) == fabric.localPort();
        if (!mayDisable.getAsBoolean() || isOwn || info == null) {
            EVENTS.report(
                    isOwn ? SmEvent.OWN_PORT_BABBLING : SmEvent.PORT_BABBLING,
                    EventField.NAME.of(TrapHandler.portText(subnet, port)));
            return;
        }
        PortInfo disabled = LinkActivator.settingsOnly(info).with(PortInfo.PORT_PHYSICAL_STATE, PortInfo.PHYS_DISABLED);
        client.scope().set(disabled, fabric.pathTo(end), fabric.portInfoModifier(end), outcome -> {
            if (outcome instanceof Outcome.Reply<PortInfo>) {
                EVENTS.report(
                        SmEvent.PORT_DISABLED,
                        EventField.NAME.of(subnet.devicePort(end)
                                .withText(TrapHandler.portText(subnet, port).text())),
                        EventField.DESTINATION.of(fabric.portName(end)));
            } else {
                EVENTS.report(
                        SmEvent.PORT_NOT_DISABLED,
                        EventField.NAME.of(subnet.devicePort(end)),
                        EventField.REASON.of(outcome));
            }
        });
    }

    private static int nearEnd(Fabric fabric, int port) {
        int far = fabric.peer(port);
        boolean isFarNearer = far != Fabric.NONE && hops(fabric, far) < hops(fabric, port);
        return isFarNearer ? far : port;
    }

    private static int hops(Fabric fabric, int port) {
        return fabric.pathTo(port).hops();
    }
}
