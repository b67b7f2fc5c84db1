package io.torussm.daemon.shadow;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.twin.VirtualSm;
import io.torussm.event.Finding;
import io.torussm.shadow.Twin;
import io.torussm.sim.topology.TopologyException;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.FabricSnapshot.Cable;
import io.torussm.snapshot.FabricSnapshot.PortRef;
import io.torussm.snapshot.SnapshotDifference;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.transport.MadFrame;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The simulated takeover of a fabric by an SM with the options of the operator. The fabric is a twin, simulated from a
 * snapshot. The SM runs until {@link #close}, so that its response to a fault can be simulated too. Not thread-safe.
 */
public final class TakeoverTrial implements AutoCloseable {
    /** Max virtual time for a takeover or for the response to a fault. */
    private static final long TIME_LIMIT_NS = TimeUnit.MINUTES.toNanos(20);

    private static final int MAX_FINDINGS = 50;

    private final Twin twin;
    private final TrialRecorder watch;
    private final VirtualSm sm;

    /** Fabric before the takeover. */
    private final FabricSnapshot fabricBefore;

    /** Virtual time of the takeover. */
    private final long nanoseconds;

    private final boolean isUp;

    /** Fabric after the takeover. */
    private final FabricSnapshot fabricAfter;

    /** The recorder of the events and actions of the SM. */
    private static final class TrialRecorder implements VirtualSm.Watcher {
        /** Different events by line. */
        private final Map<String, Finding> findings = new LinkedHashMap<>();

        /** Number of sweeps that have ended. */
        private int endedSweeps;

        /** Number of Sets that were sent. */
        private long sets;

        /** Reason why the last sweep failed; empty if it succeeded, or before the first end. */
        private String lastFailure = "";

        @Override
        public void onEvent(Finding finding) {
            if (finding.severity() != Finding.Severity.INFO && findings.size() < MAX_FINDINGS) {
                findings.putIfAbsent(finding.line(), finding);
            }
        }

        @Override
        public void onSet(MadFrame frame) {
            sets++;
        }

        @Override
        public void onSweepEvent(SweepEvent event) {
            if (event instanceof SweepEvent.SubnetUp) {
                recordEnd("");
            } else if (event instanceof SweepEvent.RoutingRefused refused) {
                recordEnd("no engine routes the fabric: "
                        + (refused.findings().isEmpty()
                                ? ""
                                : refused.findings().get(0).text()));
            } else if (event instanceof SweepEvent.OtherMaster) {
                recordEnd("another SM is master there");
            } else if (event instanceof SweepEvent.SweepFailed failed) {
                recordEnd("its sweep failed: " + failed.reason());
            } else if (event instanceof SweepEvent.PortLost lost) {
                recordEnd("its sweep failed: " + lost.reason());
            }
        }

        private void recordEnd(String outcome) {
            endedSweeps++;
            lastFailure = outcome;
        }
    }

    /**
     * The outcome of a trial.
     *
     * @param outcome reason of the failure; empty if the subnet came up
     * @param nanoseconds virtual time of the trial
     * @param difference changes of the registers of the fabric
     */
    public record Outcome(String outcome, long nanoseconds, SnapshotDifference difference) {}

    private TakeoverTrial(Twin twin, FabricSnapshot seen, VirtualSm.Start start) throws ConfigurationException {
        this.twin = twin;
        fabricBefore = seen;
        watch = new TrialRecorder();
        long startNs = twin.loop().nowNs();
        sm = VirtualSm.start(twin.loop(), twin.attach(), start, watch);
        boolean isResting = sm.runUntil(
                () -> sm.isIdle() || (watch.endedSweeps > 0 && !watch.lastFailure.isEmpty()), TIME_LIMIT_NS);
        isUp = isResting && sm.isIdle();
        nanoseconds = twin.loop().nowNs() - startNs;
        fabricAfter = twin.read(sm.parts().client());
    }

    /**
     * Simulates the takeover of a fabric.
     *
     * @param seen fabric before the takeover
     * @param start options and stored state of the SM
     * @throws ConfigurationException if a file that the options name cannot be used
     * @throws TopologyException if the snapshot describes an impossible fabric
     */
    public static TakeoverTrial of(FabricSnapshot seen, VirtualSm.Start start)
            throws ConfigurationException, TopologyException {
        return new TakeoverTrial(Twin.of(seen), seen, start);
    }

    /** Returns the outcome of the takeover. */
    public Outcome outcome() {
        String reason =
                isUp ? "" : watch.lastFailure.isEmpty() ? "its subnet did not come up in time" : watch.lastFailure;
        return new Outcome(reason, nanoseconds, SnapshotDifference.between(fabricBefore, fabricAfter));
    }

    /** Returns the published view; null if the subnet did not come up. */
    public @Nullable PublishedView view() {
        return isUp ? sm.view() : null;
    }

    /** Returns the number of Sets that the SM has sent. */
    public long sets() {
        return watch.sets;
    }

    /** Returns the lines of the different events at level warning or above. */
    public List<String> findings() {
        return List.copyOf(watch.findings.keySet());
    }

    /**
     * Simulates the response of an SM to a change of cables and devices. The SM first takes over a twin of the fabric
     * before the change. Then the lost devices and cables are removed from the twin, and the new ones are added.
     *
     * @param oldSnapshot fabric before the change
     * @param newSnapshot fabric after the change
     * @param start options and stored state of the SM
     */
    public static Outcome ofFault(FabricSnapshot oldSnapshot, FabricSnapshot newSnapshot, VirtualSm.Start start)
            throws ConfigurationException, TopologyException {
        SnapshotDifference change = SnapshotDifference.between(oldSnapshot, newSnapshot);
        FabricSnapshot all = union(oldSnapshot, newSnapshot);
        Twin twin = Twin.of(all);
        change.newDevices().forEach(guid -> power(twin, all, guid, false));
        change.newCables().forEach(cable -> plug(twin, cable, false));
        try (TakeoverTrial trial = new TakeoverTrial(twin, oldSnapshot, start)) {
            return trial.isUp ? trial.afterChange(change, all) : trial.outcome();
        }
    }

    private static FabricSnapshot union(FabricSnapshot oldSnapshot, FabricSnapshot newSnapshot) {
        Map<Long, DeviceRegisters> devices = new TreeMap<>(newSnapshot.devices());
        devices.putAll(oldSnapshot.devices());
        Map<PortRef, Cable> byPort = new TreeMap<>();
        List<Cable> cables = new ArrayList<>();
        for (Set<Cable> some : List.of(oldSnapshot.cables(), newSnapshot.cables())) {
            for (Cable cable : some) {
                // A port has one cable in the twin, so a moved cable stays at its old place.
                if (!byPort.containsKey(cable.a()) && !byPort.containsKey(cable.b())) {
                    byPort.put(cable.a(), cable);
                    byPort.put(cable.b(), cable);
                    cables.add(cable);
                }
            }
        }
        return new FabricSnapshot(
                oldSnapshot.takenAt(), oldSnapshot.local(), devices.values(), cables, List.of(), List.of());
    }

    private Outcome afterChange(SnapshotDifference change, FabricSnapshot all) {
        int ends = watch.endedSweeps;
        long startNs = twin.loop().nowNs();
        change.lostDevices().forEach(guid -> power(twin, all, guid, false));
        change.lostCables().forEach(cable -> plug(twin, cable, false));
        change.newDevices().forEach(guid -> power(twin, all, guid, true));
        change.newCables().stream()
                .filter(cable -> all.cables().contains(cable))
                .forEach(cable -> plug(twin, cable, true));
        boolean isOver = sm.runUntil(
                () -> watch.endedSweeps > ends && (sm.isIdle() || !watch.lastFailure.isEmpty()), TIME_LIMIT_NS);
        long tookNs = twin.loop().nowNs() - startNs;
        String outcome = !isOver ? "it did nothing about that in time" : watch.lastFailure;
        return new Outcome(
                outcome,
                tookNs,
                SnapshotDifference.between(fabricAfter, twin.read(sm.parts().client())));
    }

    /**
     * Turns a switch on or off. A host is not turned off, because the loss of its cables, which is part of the change,
     * has the same effect.
     */
    private static void power(Twin twin, FabricSnapshot all, long guid, boolean isOn) {
        DeviceRegisters device = all.device(guid);
        if (device != null && device.isSwitch() && isOn) {
            twin.fabric().restoreSwitch(guid);
        } else if (device != null && device.isSwitch()) {
            twin.fabric().failSwitch(guid);
        }
    }

    private static void plug(Twin twin, Cable cable, boolean isIn) {
        if (isIn) {
            twin.fabric().relink(cable.a().nodeGuid(), cable.a().portNum());
        } else {
            twin.fabric().unlink(cable.a().nodeGuid(), cable.a().portNum());
        }
    }

    @Override
    public void close() {
        sm.kill();
    }
}
