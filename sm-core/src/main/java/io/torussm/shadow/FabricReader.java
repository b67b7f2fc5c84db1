package io.torussm.shadow;

import io.torussm.discovery.Discovery;
import io.torussm.event.DeviceText;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.mastership.DiscoveredSm;
import io.torussm.names.Names;
import io.torussm.shadow.RegisterReading.Depth;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.FabricSnapshot.Manager;
import io.torussm.snapshot.FabricSnapshot.PortRef;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.stage.StageContext;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The reader of a whole fabric by Gets. If a device does not respond, only its registers are missing, and the reading
 * takes a few time-outs longer. A defect of this code ends only the present reading. Owner thread: the loop.
 */
public final class FabricReader {
    private final MadClient client;
    private final Loop loop;
    private final SubnetMemory memory;

    /** The requests of the reading or check in progress; null if there is none. */
    private @Nullable MadScope currentScope;

    /** The fabric of the last reading; null before the first. */
    private @Nullable Fabric lastFabric;

    /** Ports that had a cable in any reading. */
    private final Set<PortRef> cabledPorts = new TreeSet<>();

    /**
     * The outcome of a reading.
     *
     * @param snapshot the read fabric; null if it could not be read
     * @param problem the reason why it could not be read; empty if there is a snapshot
     */
    public record ReadingOutcome(@Nullable FabricSnapshot snapshot, String problem) {}

    /**
     * Creates a reader.
     *
     * @param client client on a port that only reads; its windows and pace limit the readings
     * @param memory memory of M_Keys and earlier peers of ports, which no other code uses
     */
    public FabricReader(MadClient client, Loop loop, SubnetMemory memory) {
        this.client = client;
        this.loop = loop;
        this.memory = memory;
    }

    /** Checks whether a reading or a check for changes is in progress. */
    public boolean isReading() {
        return currentScope != null;
    }

    /**
     * Begins a reading.
     *
     * @param names configured names of nodes, for notes
     * @param then callback, called once, on the loop, unless the reading is cancelled by {@link #cancel}
     * @throws IllegalStateException if a reading or a check for changes is in progress
     */
    public void read(Names names, Consumer<ReadingOutcome> then) {
        read(names, Depth.ALL, then);
    }

    /**
     * Begins a reading of links and linear forwarding tables only, which shows earlier whether these tables are
     * complete.
     *
     * @param then callback, as in {@link #read}
     */
    public void readForwarding(Names names, Consumer<ReadingOutcome> then) {
        read(names, Depth.FORWARDING, then);
    }

    private void read(Names names, Depth depth, Consumer<ReadingOutcome> then) {
        loop.requireInLoop();
        if (currentScope != null) {
            throw new IllegalStateException("a reading is under way");
        }
        MadScope scope = client.scope();
        currentScope = scope;
        Consumer<ReadingOutcome> end = result -> {
            if (currentScope == scope) {
                currentScope = null;
                scope.close();
                then.accept(result);
            }
        };
        Context context = new Context(scope, end);
        scope.whenFailed(context::abandon);
        new Discovery()
                .start(
                        context,
                        Discovery.Input.ofWholeFabric(null, List.of(), names),
                        found -> onDiscovery(context, found, depth, end));
    }

    /** Cancels the reading or check in progress, if any. */
    public void cancel() {
        loop.requireInLoop();
        MadScope scope = currentScope;
        currentScope = null;
        if (scope != null) {
            scope.close();
        }
    }

    private void onDiscovery(
            Context context, Discovery.DiscoveryResult found, Depth depth, Consumer<ReadingOutcome> end) {
        Fabric fabric = found.fabric();
        if (fabric == null) {
            end.accept(new ReadingOutcome(null, found.problem()));
            return;
        }
        MadScope scope = context.scope();
        RegisterReading registers = new RegisterReading(fabric, scope, depth);
        List<Manager> managers = new ArrayList<>();
        found.remoteSms().forEach(sm -> managers.add(manager(sm)));
        readOwnSmInfo(fabric, scope, managers);
        registers.start();
        remember(fabric);
        scope.whenIdle(() -> {
            List<String> notes = new ArrayList<>(
                    fabric.anomalies().stream().map(DeviceText::text).toList());
            found.silentSms()
                    .forEach(sm -> notes.add("a subnet manager behind route " + sm.path() + " does not answer"));
            end.accept(new ReadingOutcome(registers.snapshot(loop.timeOfDay(), managers, notes), ""));
        });
    }

    private void remember(Fabric fabric) {
        lastFabric = fabric;
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.peer(port) != Fabric.NONE) {
                cabledPorts.add(new PortRef(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port)));
            }
        }
    }

    /**
     * Checks whether links of switches changed since the last reading. It reads SwitchInfo of all switches, and
     * PortInfo of the ports that had a cable in any reading. If a reading is in progress, or there was none, it sends
     * no requests.
     *
     * @param then callback, called once, on the loop: true after the first difference, false if there is none
     */
    public void checkForChanges(Consumer<Boolean> then) {
        loop.requireInLoop();
        Fabric fabric = lastFabric;
        if (fabric == null || currentScope != null) {
            loop.execute(() -> then.accept(false));
            return;
        }
        MadScope scope = client.scope();
        currentScope = scope;
        Consumer<Boolean> end = isChanged -> {
            if (currentScope == scope) {
                currentScope = null;
                scope.close();
                then.accept(isChanged);
            }
        };
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            SwitchInfo previous = fabric.node(sw).switchInfo();
            if (previous != null) {
                scope.get(SwitchInfo.TYPE, fabric.node(sw).path(), 0, outcome -> {
                    boolean isUnchanged = outcome instanceof Outcome.Reply<SwitchInfo> reply
                            && (previous.portStateChange() || !reply.value().portStateChange());
                    if (!isUnchanged) {
                        end.accept(true);
                    }
                });
            }
        }
        scope.pull(cabledPorts.stream()
                .flatMap(port -> checkForChanges(fabric, port, end))
                .iterator());
        scope.whenIdle(() -> end.accept(false));
    }

    /** Returns the request for a port; empty if the last reading does not contain the port. */
    private static Stream<SmpRequest<?>> checkForChanges(Fabric fabric, PortRef ref, Consumer<Boolean> end) {
        int node = fabric.nodeByGuid(ref.nodeGuid());
        if (node == Fabric.NONE || !fabric.isSwitch(node) || ref.portNum() > fabric.numPorts(node)) {
            return Stream.empty();
        }
        int port = fabric.port(node, ref.portNum());
        PortInfo previous = fabric.portInfo(port);
        if (previous == null) {
            return Stream.empty(); // It did not respond to discovery, and may not respond now.
        }
        return Stream.of(
                SmpRequest.get(PortInfo.TYPE, fabric.node(node).path(), fabric.portInfoModifier(port), outcome -> {
                    boolean isUnchanged = outcome instanceof Outcome.Reply<PortInfo> reply
                            && reply.value().isLinkUp() == previous.isLinkUp();
                    if (!isUnchanged) {
                        end.accept(true);
                    }
                }));
    }

    /** Requests SMInfo of the own port, which discovery does not request because it is that of the own SM elsewhere. */
    private static void readOwnSmInfo(Fabric fabric, MadScope scope, List<Manager> managers) {
        int port = fabric.localPort();
        PortInfo info = fabric.capabilityPortInfo(port);
        if (info != null && info.hasCapability(PortInfo.CAP_IS_SM)) {
            scope.get(SmInfo.TYPE, DrPath.LOCAL, 0, outcome -> {
                if (outcome instanceof Outcome.Reply<SmInfo> reply) {
                    managers.add(manager(reply.value(), fabric.portGuid(port), info.lid()));
                }
            });
        }
    }

    private static Manager manager(DiscoveredSm sm) {
        return manager(sm.info(), sm.portGuid(), sm.host().lid());
    }

    private static Manager manager(SmInfo info, long portGuid, int lid) {
        return new Manager(portGuid, lid, info.priority(), info.smState(), info.get(SmInfo.ACT_COUNT));
    }

    /** The context of discovery, which a sweep provides elsewhere. */
    private final class Context implements StageContext {
        private final MadScope whole;
        private final Consumer<ReadingOutcome> end;
        private final ProgrammingErrors errors = new ProgrammingErrors();

        Context(MadScope whole, Consumer<ReadingOutcome> end) {
            this.whole = whole;
            this.end = end;
        }

        @Override
        public MadScope scope() {
            return whole.child();
        }

        @Override
        public Loop loop() {
            return loop;
        }

        @Override
        public SubnetMemory memory() {
            return memory;
        }

        @Override
        public ProgrammingErrors errors() {
            return errors;
        }

        @Override
        public void resume(Runnable next) {
            loop.execute(next);
        }

        @Override
        public void abandon(Throwable defect) {
            loop.execute(() -> end.accept(new ReadingOutcome(null, "this program has a defect: " + defect)));
        }
    }
}
