package io.torussm.trap;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.program.LinkActivator;
import io.torussm.transport.MadClient;
import io.torussm.transport.Outcome;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes links out of service whose ports complain without end, if the operator wants that. The end that is nearer to the SM
 * is disabled, because the other one could not be reached any more afterwards. Owner thread: the loop.
 */
public final class BabblingPorts {
    private static final Logger LOG = LoggerFactory.getLogger(BabblingPorts.class);

    private final MadClient client;
    private final BooleanSupplier mayDisable;

    /**
     * Creates the policy.
     *
     * @param mayDisable asked each time
     */
    public BabblingPorts(MadClient client, BooleanSupplier mayDisable) {
        this.client = client;
        this.mayDisable = mayDisable;
    }

    /** A port babbles. */
    void found(Fabric fabric, int port) {
        int end = nearEnd(fabric, port);
        PortInfo info = fabric.portInfo(end);
        boolean isOwn = end == fabric.localPort() || fabric.peer(end) == fabric.localPort();
        if (!mayDisable.getAsBoolean() || isOwn || info == null) {
            LOG.warn(
                    "{} does not cease to complain; pull or replace the cable{}",
                    TrapHandler.where(fabric, port),
                    isOwn ? ", by which this SM is connected itself" : ", or set babbling_port_policy = true");
            return;
        }
        PortInfo disabled = LinkActivator.unchangedStates(info)
                .with(PortInfo.CLIENT_REREGISTER, 0)
                .with(PortInfo.PORT_STATE, PortInfo.STATE_NO_CHANGE)
                .with(PortInfo.PORT_PHYSICAL_STATE, PortInfo.PHYS_DISABLED);
        client.scope().set(disabled, fabric.pathTo(end), fabric.portNum(end), outcome -> {
            if (outcome instanceof Outcome.Reply<PortInfo>) {
                LOG.warn(
                        "{} does not cease to complain; {} is disabled (babbling_port_policy); when the cable is replaced,"
                                + " enable it again with ibportstate",
                        TrapHandler.where(fabric, port),
                        fabric.portName(end));
            } else {
                LOG.warn("{} cannot be disabled: {}", fabric.portName(end), outcome);
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
