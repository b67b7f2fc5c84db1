package io.torussm.sweep.stages;

import io.torussm.fabric.Fabric;
import io.torussm.multicast.MulticastRouter;
import io.torussm.partition.PartitionSettings;
import io.torussm.program.LidPersistenceBarrier;
import io.torussm.program.Programmers;
import io.torussm.program.smp.SweepSettings;
import io.torussm.program.table.GroupReading;
import io.torussm.program.table.TableProgrammer;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.RetentionQuality;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The writes of a sweep after it has a plan, in this order: the LIDs are written to the disk, multicast groups get the
 * tree of the plan, all tables of switches are written, then ports and links are configured. An instance is used once.
 * Owner thread: the loop.
 */
public final class Programming {
    private final SweepContext parts;
    private final SweepSettings settings;
    private final StageRunner stages;
    private final Programmers programmers;
    private final Supplier<LongPredicate> mustRegister;
    private final StandingFindings pKeys;
    private final LidPersistenceBarrier lidsKept;

    /**
     * The input of the writes.
     *
     * @param plan plan to program
     * @param routed outcome of the routing
     * @param isFirst whether this SM has published nothing yet, so that devices may contain tables of another SM
     */
    public record Input(Plan plan, Routed routed, PartitionSettings partitions, boolean isFirst) {}

    /**
     * The outcome of the writes.
     *
     * @param plan programmed plan
     * @param multicast the tree of multicast groups; null if the plan has none
     */
    public record ProgrammedSubnet(
            Plan plan,
            @Nullable MulticastTree multicast,
            TableProgrammer.ProgrammedTables tables,
            Activation.ActivatedSubnet ports) {
        /** Returns the number of MADs that changed a device. */
        long writes() {
            return tables.writes() + ports.writes();
        }

        /** Checks whether the tables route all switches; retained routes may leave some out. */
        public boolean isAllRouted() {
            return plan.retention()
                    .map(RetentionQuality::waiting)
                    .orElse(List.of())
                    .isEmpty();
        }
    }

    /**
     * Creates the stages.
     *
     * @param owesRegistration returns a check by PortGUID whether a port receives ClientReregister; called when ports
     *     are about to be written
     * @param pKeys findings on ports without room for their P_Keys
     */
    public Programming(
            SweepContext parts,
            SweepSettings settings,
            StageRunner stages,
            Programmers programmers,
            Supplier<LongPredicate> owesRegistration,
            StandingFindings pKeys) {
        this.parts = parts;
        this.settings = settings;
        this.stages = stages;
        this.programmers = programmers;
        this.mustRegister = owesRegistration;
        this.pKeys = pKeys;
        this.lidsKept = new LidPersistenceBarrier(parts.loop());
    }

    /** Starts the writes; calls back once, on the loop. */
    public void start(Input input, Consumer<ProgrammedSubnet> then) {
        Plan plan = input.plan();
        lidsKept.write(parts.memory().lids(), plan.subnet());
        parts.memberships().declare(input.partitions().conf().groups());
        MulticastRouter router = new MulticastRouter(
                plan.subnet(), input.routed().multicast(), plan.multicastSls(), guid -> parts.aliases()
                        .portOf(guid));
        if (input.isFirst() && router.hasTree() && mayLackPorts(router)) {
            stages.run(new GroupReading(), router, ports -> {
                parts.memberships().inherit(ports, router::hasPort);
                programGroups(input, router, then);
            });
        } else {
            programGroups(input, router, then);
        }
    }

    /** Checks whether groups may have members that this SM does not know, or virtual ports that it has not read. */
    private boolean mayLackPorts(MulticastRouter router) {
        return parts.memberships().hasNoMembers()
                || (parts.memberships().hasMemberWithoutPort(router::hasPort) && hasUnreadVPorts(router.fabric()));
    }

    private boolean hasUnreadVPorts(Fabric fabric) {
        return IntStream.range(0, fabric.portCount())
                .filter(fabric::isEndport)
                .anyMatch(port -> parts.aliases().vports().guidsAt(fabric.portGuid(port)) == null);
    }

    private void programGroups(Input input, MulticastRouter router, Consumer<ProgrammedSubnet> then) {
        Plan plan = input.plan();
        programmers
                .groups()
                .adopt(
                        router,
                        plan.subnet(),
                        plan.multicastSls(),
                        stages.guarded(() -> programTables(input, router, then)));
    }

    private void programTables(Input input, MulticastRouter router, Consumer<ProgrammedSubnet> then) {
        TableProgrammer.Input tables = new TableProgrammer.Input(
                input.plan(),
                input.routed().order(),
                router,
                parts.memberships().view(),
                settings,
                input.isFirst());
        stages.run(programmers.tables(), tables, written -> activate(input, written, then));
    }

    private void activate(Input input, TableProgrammer.ProgrammedTables tables, Consumer<ProgrammedSubnet> then) {
        Plan plan = input.plan();
        Activation activation = new Activation(stages, programmers, settings, lidsKept, mustRegister, pKeys);
        activation.start(
                new Activation.Input(plan, parts.vlArbitration().apply(plan), tables.fabric(), input.partitions()),
                ports -> then.accept(new ProgrammedSubnet(plan, input.routed().multicast(), tables, ports)));
    }
}
