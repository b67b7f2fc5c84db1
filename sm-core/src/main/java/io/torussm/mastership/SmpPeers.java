package io.torussm.mastership;

import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The requests to other SMs by SMPs. Owner thread: the loop. */
public final class SmpPeers implements SmPeers {
    private static final EventLog EVENTS = EventLog.of(SmpPeers.class);

    private final MadClient client;

    /** Number of sent traps, which is also the transaction ID of the last one. */
    private long traps;

    public SmpPeers(MadClient client) {
        this.client = client;
    }

    @Override
    public Runnable poll(DrPath path, boolean showsKey, Consumer<Answer> then) {
        AtomicBoolean isCancelled = new AtomicBoolean();
        MadScope scope = client.scope();
        SmpRequest<SmInfo> request = SmpRequest.get(SmInfo.TYPE, path, 0, outcome -> {
            if (!isCancelled.get()) {
                boolean isWithoutSm = outcome instanceof Outcome.Failure<SmInfo> failure && failure.isWithoutAgent();
                then.accept(
                        new Answer(outcome instanceof Outcome.Reply<SmInfo> reply ? reply.value() : null, isWithoutSm));
            }
        });
        scope.submit(showsKey ? request : request.withoutKey());
        return () -> {
            isCancelled.set(true);
            scope.close();
        };
    }

    @Override
    public void identify(DrPath path, Consumer<@Nullable Port> then) {
        client.scope().get(NodeInfo.TYPE, path, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<NodeInfo> reply) {
                identify(path, reply.value(), then);
            } else {
                then.accept(null);
            }
        });
    }

    private void identify(DrPath path, NodeInfo node, Consumer<@Nullable Port> then) {
        int portNum = node.isSwitch() ? 0 : node.localPortNum();
        client.scope().get(PortInfo.TYPE, path, portNum, outcome -> {
            Port port = null;
            if (outcome instanceof Outcome.Reply<PortInfo> reply) {
                PortInfo info = reply.value();
                port = new Port(node.portGuid(), info.hasCapability(PortInfo.CAP_IS_SM), info.lid(), info.lmc());
            }
            then.accept(port);
        });
    }

    @Override
    public void locate(DrPath path, Consumer<SmHost> then) {
        MadScope scope = client.scope();
        AtomicReference<@Nullable String> description = new AtomicReference<>();
        AtomicInteger lid = new AtomicInteger();
        scope.get(NodeDescription.TYPE, path, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<NodeDescription> reply) {
                description.set(reply.value().text());
            }
        });
        scope.get(PortInfo.TYPE, path, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<PortInfo> reply) {
                lid.set(reply.value().lid());
            }
        });
        scope.whenIdle(() -> then.accept(new SmHost(Objects.requireNonNullElse(description.get(), ""), lid.get())));
    }

    @Override
    public void set(DrPath path, SmInfo self, int modifier, Consumer<String> then) {
        client.scope()
                .set(
                        self,
                        path,
                        modifier,
                        outcome -> then.accept(outcome instanceof Outcome.Reply<SmInfo> ? "" : outcome.toString()));
    }

    @Override
    public void trapPriorityChange() {
        client.scope().get(PortInfo.TYPE, DrPath.LOCAL, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<PortInfo> reply
                    && reply.value().masterSmLid() != 0) {
                trap(reply.value());
            } else {
                EVENTS.report(SmEvent.NO_TRAP_144);
            }
        });
    }

    private void trap(PortInfo port) {
        traps++;
        byte[] mad = Smp.lidRouted(Method.TRAP, traps, Notice.TYPE.id(), 0, 0);
        Notice.priorityChange(port.lid(), port.capabilityMask()).write(mad, Smp.DATA_OFFSET);
        client.send(new MadFrame(new MadAddress(port.masterSmLid(), 0, port.masterSmSl(), 0), mad));
    }
}
