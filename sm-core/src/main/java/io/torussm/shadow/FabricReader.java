package io.torussm.shadow;

import io.torussm.discovery.Discovery;
import io.torussm.event.DeviceText;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mastership.DiscoveredSm;
import io.torussm.names.Names;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.FabricSnapshot.Manager;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.stage.StageContext;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a whole fabric by Gets. A device that does not answer costs its own registers and a few time-outs; a defect in here costs this
 * reading. Owner thread: the loop.
 */
public final class FabricReader {
    private final MadClient client;
    private final Loop loop;
    private final SubnetMemory memory;
    private @Nullable MadScope current;

    /**
     * What came of a reading.
     *
     * @param snapshot null if there is none
     * @param problem why; else empty
     */
    public record Result(@Nullable FabricSnapshot snapshot, String problem) {}

    /**
     * Creates it.
     *
     * @param client on a port that only reads; its windows and the pace of the port are the pace of readings
     * @param memory that keeps nothing but what this reader learns: M_Keys, and where cables led to
     */
    public FabricReader(MadClient client, Loop loop, SubnetMemory memory) {
        this.client = client;
        this.loop = loop;
        this.memory = memory;
    }

    /** Whether a reading is under way. */
    public boolean isReading() {
        return current != null;
    }

    /**
     * Begins a reading.
     *
     * @param names what the operator calls nodes, for notes
     * @param then called once, on the loop, unless the reading is {@link #cancel}led
     * @throws IllegalStateException if one is under way
     */
    public void read(Names names, Consumer<Result> then) {
        loop.check();
        if (current != null) {
            throw new IllegalStateException("a reading is under way");
        }
        MadScope scope = client.scope();
        current = scope;
        Consumer<Result> end = result -> {
            if (current == scope) {
                current = null;
                scope.close();
                then.accept(result);
            }
        };
        Context context = new Context(scope, end);
        scope.whenFailed(context::failed);
        new Discovery().start(context, Discovery.Input.all(List.of(), names), found -> discovered(context, found, end));
    }

    /** Ends the reading that is under way, if one is. */
    public void cancel() {
        loop.check();
        MadScope scope = current;
        current = null;
        if (scope != null) {
            scope.close();
        }
    }

    private void discovered(Context context, Discovery.Result found, Consumer<Result> end) {
        Fabric fabric = found.fabric();
        if (fabric == null) {
            end.accept(new Result(null, found.problem()));
            return;
        }
        MadScope scope = context.scope();
        RegisterReading registers = new RegisterReading(fabric, scope);
        List<Manager> managers = new ArrayList<>();
        found.remoteSms().forEach(sm -> managers.add(manager(sm)));
        askOwn(fabric, scope, managers);
        registers.start();
        scope.whenIdle(() -> {
            List<String> notes = new ArrayList<>(
                    fabric.anomalies().stream().map(DeviceText::text).toList());
            found.silentSms()
                    .forEach(sm -> notes.add("a subnet manager behind route " + sm.path() + " does not answer"));
            end.accept(new Result(registers.snapshot(loop.timeOfDay(), managers, notes), ""));
        });
    }

    /** The SM of this very port, which discovery leaves out since it is usually itself. */
    private static void askOwn(Fabric fabric, MadScope scope, List<Manager> managers) {
        int port = fabric.localPort();
        PortInfo info = fabric.governing(port);
        if (info != null && info.can(PortInfo.CAP_IS_SM)) {
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

    /** What discovery needs of a sweep. */
    private final class Context implements StageContext {
        private final MadScope whole;
        private final Consumer<Result> end;
        private final ProgrammingErrors errors = new ProgrammingErrors();

        Context(MadScope whole, Consumer<Result> end) {
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
        public void failed(Throwable defect) {
            loop.execute(() -> end.accept(new Result(null, "this program has a defect: " + defect)));
        }
    }
}
