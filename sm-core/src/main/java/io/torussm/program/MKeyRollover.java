package io.torussm.program;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.MKeyStore;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Gives ports that have another M_Key the configured one, each by a single write under the key that it has. This is the
 * last thing that is written to a port, so that no other write to the same device is on its way with the old key.
 *
 * <p>Nothing is sent before the new keys are on the disk: a restart must know both. A port whose answer is lost keeps both
 * in the {@link MKeyStore} until it tells.
 */
public final class MKeyRollover {
    /** How long the disk may take. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

    private final MadScope scope;
    private final Subnet subnet;
    private final Fabric fabric;
    private final MKeyStore keys;
    private final long wanted;
    private final ProgrammingErrors trouble;
    private final Consumer<Subnet> then;
    private final @Nullable PortInfo[] portInfos;
    private boolean isUnderWay;

    private MKeyRollover(
            MadScope scope,
            Subnet subnet,
            MKeyStore keys,
            long wanted,
            ProgrammingErrors trouble,
            Consumer<Subnet> then) {
        this.scope = scope;
        this.subnet = subnet;
        this.fabric = subnet.fabric();
        this.keys = keys;
        this.wanted = wanted;
        this.trouble = trouble;
        this.then = then;
        this.portInfos = new PortInfo[fabric.portCount()];
        for (int port = 0; port < portInfos.length; port++) {
            portInfos[port] = fabric.portInfo(port);
        }
    }

    /**
     * Starts.
     *
     * @param wanted the configured M_Key
     * @param then takes the subnet with the PortInfos that ports answered last; on the loop, perhaps within this call
     */
    public static MadScope start(
            MadScope scope,
            Loop loop,
            Subnet subnet,
            MKeyStore keys,
            long wanted,
            ProgrammingErrors trouble,
            Consumer<Subnet> then) {
        new MKeyRollover(scope, subnet, keys, wanted, trouble, then).start(loop);
        return scope;
    }

    private void start(Loop loop) {
        List<Integer> ports = new ArrayList<>();
        for (int port = 0; port < portInfos.length; port++) {
            boolean isAsked =
                    fabric.isEndport(port) && portInfos[port] != null && !trouble.hasGivenUp(fabric.nodeOf(port));
            if (isAsked && keys.current(fabric.portGuid(port)) != wanted) {
                ports.add(port);
                keys.expect(fabric.portGuid(port), wanted);
            }
        }
        if (ports.isEmpty()) {
            then.accept(subnet);
            return;
        }
        keys.save(isWritten -> loop.execute(() -> go(ports, isWritten)));
        loop.schedule(PATIENCE_NS, () -> go(ports, false));
    }

    private void go(List<Integer> ports, boolean isWritten) {
        if (isUnderWay) {
            return;
        }
        isUnderWay = true;
        if (!isWritten) {
            trouble.report(
                    false,
                    "the M_Keys of " + ports.size()
                            + " ports stay as they are, since the new ones cannot be written to "
                            + MKeyStore.FILE.name()
                            + " in the state directory; see its error above");
            then.accept(subnet);
            return;
        }
        Deque<Integer> left = new ArrayDeque<>(ports);
        scope.pull(new Lookahead<>() {
            @Override
            protected @Nullable SmpRequest<PortInfo> findNext() {
                Integer port = left.poll();
                return port == null ? null : request(port);
            }
        });
        scope.whenIdle(() -> then.accept(subnet.with(fabric.with(portInfos))));
    }

    private @Nullable SmpRequest<PortInfo> request(int port) {
        PortInfo held = portInfos[port];
        if (held == null) {
            return null;
        }
        PortInfo value = LinkActivator.unchangedStates(held)
                .with(PortInfo.CLIENT_REREGISTER, 0)
                .with(PortInfo.PORT_STATE, PortInfo.STATE_NO_CHANGE)
                .with(PortInfo.M_KEY, wanted);
        return SmpRequest.set(value, fabric.pathTo(port), fabric.portNum(port), outcome -> onSet(port, outcome));
    }

    private void onSet(int port, Outcome<PortInfo> outcome) {
        trouble.heard(fabric.nodeOf(port), outcome);
        if (outcome instanceof Outcome.Reply<PortInfo> reply) {
            portInfos[port] = reply.value();
            keys.learn(fabric.portGuid(port), reply.value());
        } else {
            trouble.report(
                    false,
                    "new M_Key of " + fabric.portName(port) + ": " + outcome
                            + "; it is shown the old one and the new one in turn until it answers");
        }
    }
}
