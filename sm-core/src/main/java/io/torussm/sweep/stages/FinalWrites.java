package io.torussm.sweep.stages;

import io.torussm.discovery.UnansweredRequest;
import io.torussm.fabric.Fabric;
import io.torussm.program.Programmers;
import io.torussm.program.port.LinkIsolation;
import io.torussm.quarantine.RetryPace;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.Subnet;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The last writes of a sweep, and the record of the devices that did not accept writes. Links of excluded devices are
 * taken down here, after the tables bypass them. An instance is used once. Owner thread: the loop.
 */
public final class FinalWrites {
    /** The key of failed writes that belong to no device. */
    private static final Object NO_DEVICE = "of no device";

    private final StageRunner stages;
    private final ProgrammingErrors errors;
    private final Programmers programmers;
    private final DeviceFaults faults;

    /** Creates the stage of one sweep. */
    public FinalWrites(StageRunner stages, Programmers programmers, DeviceFaults faults) {
        this.stages = stages;
        this.errors = stages.errors();
        this.programmers = programmers;
        this.faults = faults;
    }

    /**
     * The subnet after the last write.
     *
     * @param subnet subnet with the last answers of its ports
     * @param changed NodeGUIDs of switches that changed since discovery
     * @param failedKeys keys of the writes that devices did not take, see {@link RetryPace}
     * @param hasFailed whether another sweep must follow immediately because of a failure
     */
    public record SettledSubnet(Subnet subnet, Set<Long> changed, Set<Object> failedKeys, boolean hasFailed) {
        /** Returns the keys of all requests to repeat: the writes that failed, and the unanswered Gets. */
        public Set<Object> keysToRepeat(List<UnansweredRequest> silent) {
            Set<Object> keys = new HashSet<>(failedKeys);
            silent.forEach(request -> keys.add(request.key()));
            return keys;
        }
    }

    /**
     * Runs the writes; calls back once, on the loop.
     *
     * @param planning the decision on the routes; if they were refused, no link is taken down
     * @param isWhole whether the sweep handles the whole fabric
     */
    public void start(
            Programming.ProgrammedSubnet programmed, Planning planning, boolean isWhole, Consumer<SettledSubnet> then) {
        Subnet subnet = programmed.ports().subnet();
        if (errors.hasDeviations() || planning.isRefused()) {
            then.accept(settled(programmed, subnet));
            return;
        }
        BitSet due = faults.deadEnds().portsToDisable(subnet.fabric(), planning.borders(), isWhole);
        stages.run(new LinkIsolation(), new LinkIsolation.Input(subnet, due), isolated -> {
            faults.deadEnds().reportDown(subnet.fabric(), isolated.portsTakenDown());
            then.accept(settled(programmed, isolated.subnet()));
        });
    }

    private SettledSubnet settled(Programming.ProgrammedSubnet programmed, Subnet subnet) {
        Activation.ActivatedSubnet ports = programmed.ports();
        stages.finish();
        Fabric fabric = subnet.fabric();
        Set<Object> undone = new HashSet<>(faults.troubles().onSweepEnd(fabric, errors));
        boolean hasFailed = faults.onSweepEnd(fabric, errors);
        if (errors.count() > 0 && undone.isEmpty()) {
            undone.add(NO_DEVICE);
        }
        undone.addAll(ports.notReady());
        undone.addAll(ports.unconfirmed());
        programmers.onActivation(fabric, ports.activated());
        Set<Long> changed = new LinkedHashSet<>(programmed.tables().changed());
        changed.addAll(ports.changed());
        return new SettledSubnet(subnet, changed, undone, hasFailed);
    }
}
