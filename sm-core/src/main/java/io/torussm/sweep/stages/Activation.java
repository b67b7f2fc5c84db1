package io.torussm.sweep.stages;

import io.torussm.fabric.Fabric;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.program.LidPersistenceBarrier;
import io.torussm.program.Programmers;
import io.torussm.program.port.LinkActivator;
import io.torussm.program.port.MKeyRollover;
import io.torussm.program.port.PartitionProgrammer;
import io.torussm.program.smp.SweepSettings;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.subnet.Subnet;
import java.util.BitSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import java.util.function.Supplier;

/**
 * The last stages of a sweep, after all tables of switches are written: P_Key tables, ports and links,
 * M_Keys. Ports receive their LIDs only after the LIDs are on the disk, so that a restarted SM assigns the same LIDs.
 * An instance is used once. Owner thread: the loop.
 */
public final class Activation {
    private final StageRunner stages;
    private final Programmers programmers;
    private final SweepSettings settings;
    private final LidPersistenceBarrier lidsKept;
    private final Supplier<LongPredicate> mustRegister;
    private final StandingFindings pKeys;

    /**
     * Creates the stages.
     *
     * @param lidsKept the LIDs of the plan, which are being written to the disk
     * @param owesRegistration returns a check by PortGUID whether a port receives ClientReregister; called when ports
     *     are about to be written
     * @param pKeys findings on ports without room for their P_Keys
     */
    Activation(
            StageRunner stages,
            Programmers programmers,
            SweepSettings settings,
            LidPersistenceBarrier lidsKept,
            Supplier<LongPredicate> owesRegistration,
            StandingFindings pKeys) {
        this.stages = stages;
        this.programmers = programmers;
        this.settings = settings;
        this.lidsKept = lidsKept;
        this.mustRegister = owesRegistration;
        this.pKeys = pKeys;
    }

    /**
     * The input of the stages.
     *
     * @param plan plan whose tables are written
     * @param fabric fabric with the last answers of its switches
     */
    record Input(Plan plan, VlArbitrationPolicy vlArbitration, Fabric fabric, PartitionSettings partitions) {}

    /**
     * The outcome of the stages.
     *
     * @param subnet subnet with the last answers of its ports
     * @param partitions contents of P_Key tables
     * @param writes number of P_Key blocks that were written
     * @param activated indexes of ports that became ACTIVE
     * @param notReady NodeGUIDs of nodes with ports that did not become ACTIVE, because their neighbour was not ready
     * @param changed NodeGUIDs of switches at links that went down since discovery
     * @param unconfirmed PortGUIDs of ports that have not confirmed ClientReregister
     */
    public record ActivatedSubnet(
            Subnet subnet,
            PartitionPlan partitions,
            long writes,
            BitSet activated,
            Set<Long> notReady,
            Set<Long> changed,
            Set<Long> unconfirmed) {}

    /** Runs the stages; calls back once, on the loop. */
    void start(Input input, Consumer<ActivatedSubnet> then) {
        stages.run(
                programmers.partitions(),
                new PartitionProgrammer.Input(input.fabric(), input.partitions()),
                keys -> lidsKept.whenWritten(stages.guarded(() -> raiseLinks(input, keys, then))));
    }

    private void raiseLinks(
            Input input, PartitionProgrammer.ProgrammedPartitions keys, Consumer<ActivatedSubnet> then) {
        pKeys.update(keys.plan().findings());
        stages.run(
                programmers.fdr10(settings),
                keys.fabric(),
                ports -> stages.run(
                        programmers.links(settings, input.vlArbitration()),
                        new LinkActivator.Input(input.plan(), keys, mustRegister.get()),
                        links -> changeKeys(keys, links, then)));
    }

    private void changeKeys(
            PartitionProgrammer.ProgrammedPartitions keys,
            LinkActivator.ActivatedLinks links,
            Consumer<ActivatedSubnet> then) {
        stages.run(
                new MKeyRollover(settings.mKey()),
                links.subnet(),
                subnet -> then.accept(new ActivatedSubnet(
                        subnet,
                        keys.plan(),
                        keys.writes(),
                        links.activated(),
                        links.notReady(),
                        links.changed(),
                        links.unconfirmed())));
    }
}
