package io.torussm.program.port;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.program.smp.LookaheadIterator;
import io.torussm.program.smp.SmpRequests;
import io.torussm.stage.Phase;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.BitSet;
import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stage that takes down switch ports which lead to a device outside of the subnet, because the tables of such a
 * device are outdated and cannot be written. The link trains again and stays in INITIALIZE, so that no data passes.
 * Owner thread: the loop.
 */
public final class LinkIsolation implements Stage<LinkIsolation.Input, LinkIsolation.IsolatedLinks> {
    /**
     * A subnet whose tables bypass the devices outside of it.
     *
     * @param ports indexes of the switch ports to take down
     */
    public record Input(Subnet subnet, BitSet ports) {}

    /**
     * The result of the isolation.
     *
     * @param subnet subnet with the last PortInfo of each port
     * @param portsTakenDown indexes of the ports that confirmed the Set
     */
    public record IsolatedLinks(Subnet subnet, BitSet portsTakenDown) {}

    @Override
    public Phase phase() {
        return Phase.ACTIVATE;
    }

    @Override
    public void start(StageContext context, Input input, Consumer<IsolatedLinks> then) {
        if (input.ports().isEmpty()) {
            then.accept(new IsolatedLinks(input.subnet(), new BitSet()));
        } else {
            new IsolationRun(context, input).start(then);
        }
    }

    private static final class IsolationRun {
        private final StageContext context;
        private final Subnet subnet;
        private final Fabric fabric;
        private final SmpRequests requests;
        private final MadScope scope;
        private final @Nullable PortInfo[] portInfos;
        private final Iterator<Integer> ports;
        private final BitSet portsTakenDown = new BitSet();

        IsolationRun(StageContext context, Input input) {
            this.context = context;
            this.subnet = input.subnet();
            this.fabric = subnet.fabric();
            this.scope = context.scope();
            this.requests = new SmpRequests(fabric, context.errors(), scope, context.loop());
            this.ports = input.ports().stream().boxed().iterator();
            this.portInfos = new PortInfo[fabric.portCount()];
            for (int port = 0; port < portInfos.length; port++) {
                portInfos[port] = fabric.portInfo(port);
            }
        }

        void start(Consumer<IsolatedLinks> then) {
            scope.pull(new LookaheadIterator<>() {
                @Override
                protected @Nullable SmpRequest<PortInfo> findNext() {
                    SmpRequest<PortInfo> next = null;
                    while (next == null && ports.hasNext()) {
                        next = request(ports.next());
                    }
                    return next;
                }
            });
            scope.whenIdle(() -> then.accept(new IsolatedLinks(subnet.with(fabric.with(portInfos)), portsTakenDown)));
        }

        private @Nullable SmpRequest<PortInfo> request(int port) {
            PortInfo current = portInfos[port];
            int node = fabric.nodeOf(port);
            if (current == null || requests.hasGivenUpSets(node, PortInfo.TYPE)) {
                return null;
            }
            PortInfo value = LinkActivator.withoutPhysicalStateChange(current)
                    .with(PortInfo.CLIENT_REREGISTER, 0)
                    .with(PortInfo.PORT_STATE, PortInfo.STATE_DOWN);
            SmpRequest<PortInfo> set =
                    SmpRequest.set(value, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {});
            return requests.counted(node, set, outcome -> {
                if (outcome instanceof Outcome.Reply<PortInfo> reply) {
                    portInfos[port] = reply.value();
                    portsTakenDown.set(port);
                } else {
                    context.errors()
                            .report(
                                    node,
                                    PortInfo.TYPE.id(),
                                    "Set(PortInfo) of ",
                                    fabric.devicePort(port),
                                    " to Down: " + outcome);
                }
            });
        }
    }
}
