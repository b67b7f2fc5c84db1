package io.torussm.program.port;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.program.smp.LookaheadIterator;
import io.torussm.program.smp.SmpRequests;
import io.torussm.stage.Phase;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import io.torussm.subnet.MKeyStore;
import io.torussm.subnet.Subnet;
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
 * The stage that replaces M_Keys by the configured M_Key, each by a single Set under the current key. This is the last
 * Set to a port in a sweep, so that no other Set to the device is in flight with the old key.
 *
 * <p>No Set is sent before the new keys are on the disk, so that a restarted SM has both keys. If a response is lost,
 * the {@link MKeyStore} keeps both keys of the port until the port responds. Owner thread: the loop.
 */
public final class MKeyRollover implements Stage<Subnet, Subnet> {
    /** The time-out of the write of the keys to the disk. */
    private static final long WRITE_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private final long configuredKey;

    /**
     * Creates the stage.
     *
     * @param wanted the configured M_Key
     */
    public MKeyRollover(long wanted) {
        this.configuredKey = wanted;
    }

    @Override
    public Phase phase() {
        return Phase.ACTIVATE;
    }

    /** Changes the M_Keys of the ports of a subnet; the result is the subnet with the last PortInfo of each port. */
    @Override
    public void start(StageContext context, Subnet subnet, Consumer<Subnet> then) {
        new RolloverRun(context, subnet, then).start();
    }

    /** The rollover of one subnet. */
    private final class RolloverRun {
        private final StageContext context;
        private final MadScope scope;
        private final Subnet subnet;
        private final Fabric fabric;
        private final MKeyStore keys;
        private final ProgrammingErrors errors;
        private final SmpRequests requests;
        private final Consumer<Subnet> then;
        private final @Nullable PortInfo[] portInfos;

        /** True after the keys are on the disk, or after the time-out. */
        private boolean hasBegun;

        RolloverRun(StageContext context, Subnet subnet, Consumer<Subnet> then) {
            this.context = context;
            this.scope = context.scope();
            this.subnet = subnet;
            this.fabric = subnet.fabric();
            this.keys = context.memory().keys();
            this.errors = context.errors();
            this.requests = new SmpRequests(fabric, errors, scope, context.loop());
            this.then = then;
            this.portInfos = new PortInfo[fabric.portCount()];
            for (int port = 0; port < portInfos.length; port++) {
                portInfos[port] = fabric.portInfo(port);
            }
        }

        void start() {
            List<Integer> ports = new ArrayList<>();
            for (int port = 0; port < portInfos.length; port++) {
                boolean isWritable = fabric.isEndport(port)
                        && portInfos[port] != null
                        && !requests.hasGivenUpSets(fabric.nodeOf(port), PortInfo.TYPE);
                if (isWritable && keys.currentKey(fabric.portGuid(port)) != configuredKey) {
                    ports.add(port);
                    keys.expect(fabric.portGuid(port), configuredKey);
                }
            }
            if (ports.isEmpty()) {
                then.accept(subnet);
                return;
            }
            keys.save(isWritten -> context.resume(() -> replaceKeys(ports, isWritten)));
            context.loop().schedule(WRITE_TIMEOUT_NS, () -> context.resume(() -> replaceKeys(ports, false)));
        }

        private void replaceKeys(List<Integer> ports, boolean isWritten) {
            if (hasBegun) {
                return;
            }
            hasBegun = true;
            if (!isWritten) {
                errors.report("the M_Keys of " + ports.size()
                        + " ports stay as they are, since the new ones cannot be written to "
                        + MKeyStore.FILE.name()
                        + " in the state directory; see its error above");
                then.accept(subnet);
                return;
            }
            Deque<Integer> remaining = new ArrayDeque<>(ports);
            scope.pull(new LookaheadIterator<>() {
                @Override
                protected @Nullable SmpRequest<PortInfo> findNext() {
                    Integer port = remaining.poll();
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
            PortInfo value = LinkActivator.settingsOnly(held).with(PortInfo.M_KEY, configuredKey);
            SmpRequest<PortInfo> set =
                    SmpRequest.set(value, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {});
            return requests.counted(fabric.nodeOf(port), set, outcome -> onSet(port, outcome));
        }

        private void onSet(int port, Outcome<PortInfo> outcome) {
            if (outcome instanceof Outcome.Reply<PortInfo> reply) {
                portInfos[port] = reply.value();
                keys.learn(fabric.portGuid(port), reply.value());
            } else {
                errors.report(
                        fabric.nodeOf(port),
                        PortInfo.TYPE.id(),
                        "new M_Key of ",
                        fabric.devicePort(port),
                        ": " + outcome + "; it is shown the old one and the new one in turn until it answers");
            }
        }
    }
}
