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
 * An SM with the operator's options takes over a twin of a fabric. Single-threaded; the SM lives on in it, so
 * that it can be shown a fault, until {@link #close}.
 */
public final class TakeoverTrial implements AutoCloseable {
    /** Virtual time in which an SM is up on any fabric, or never. */
    private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(20);

    private static final int MAX_FINDINGS = 50;

    private final Twin twin;
    private final Watch watch;
    private final VirtualSm sm;
    private final FabricSnapshot before;
    private final long nanoseconds;
    private final boolean isUp;
    private final FabricSnapshot after;

    /** The recorder of the SM's events and actions. */
    private static final class Watch implements VirtualSm.Watcher {
        private final Map<String, Finding> findings = new LinkedHashMap<>();
        private int ends;
        private long sets;
        private String last = "";

        @Override
        public void event(Finding finding) {
            if (finding.severity() != Finding.Severity.INFO && findings.size() < MAX_FINDINGS) {
                findings.putIfAbsent(finding.line(), finding);
            }
        }

        @Override
        public void set(MadFrame frame) {
            sets++;
        }

        @Override
        public void swept(SweepEvent event) {
            if (event instanceof SweepEvent.SubnetUp) {
                ended("");
            } else if (event instanceof SweepEvent.RoutingRefused refused) {
                ended("no engine routes the fabric: "
                        + (refused.findings().isEmpty()
                                ? ""
                                : refused.findings().get(0).text()));
            } else if (event instanceof SweepEvent.OtherMaster) {
                ended("another SM is master there");
            } else if (event instanceof SweepEvent.SweepFailed failed) {
                ended("its sweep failed: " + failed.reason());
            } else if (event instanceof SweepEvent.PortLost lost) {
                ended("its sweep failed: " + lost.reason());
            }
        }

        private void ended(String outcome) {
            ends++;
            last = outcome;
        }
    }

    /**
     * The outcome of a trial.
     *
     * @param outcome empty if the subnet came up; else the obstacle
     * @param nanoseconds virtual time
     * @param difference changes in the registers of the fabric
     */
    public record Outcome(String outcome, long nanoseconds, SnapshotDifference difference) {}

    private TakeoverTrial(Twin twin, FabricSnapshot seen, VirtualSm.Start start) throws ConfigurationException {
        this.twin = twin;
        before = seen;
        watch = new Watch();
        long startNs = twin.loop().nowNs();
        sm = VirtualSm.start(twin.loop(), twin.attach(), start, watch);
        boolean isResting = sm.runUntil(() -> sm.isResting() || (watch.ends > 0 && !watch.last.isEmpty()), LIMIT_NS);
        isUp = isResting && sm.isResting();
        nanoseconds = twin.loop().nowNs() - startNs;
        after = twin.read(sm.parts().client());
    }

    /**
     * Lets an SM take over a twin of a fabric.
     *
     * @param start options of the SM, and its stored state
     * @throws ConfigurationException if a file that the options name cannot be used
     * @throws TopologyException if the snapshot describes an impossible fabric
     */
    public static TakeoverTrial of(FabricSnapshot seen, VirtualSm.Start start)
            throws ConfigurationException, TopologyException {
        return new TakeoverTrial(Twin.of(seen), seen, start);
    }

    /** Returns how the takeover went. */
    public Outcome outcome() {
        String reason = isUp ? "" : watch.last.isEmpty() ? "its subnet did not come up in time" : watch.last;
        return new Outcome(reason, nanoseconds, SnapshotDifference.between(before, after));
    }

    /** Returns the published view; null if the subnet did not come up. */
    public @Nullable PublishedView view() {
        return isUp ? sm.view() : null;
    }

    /** Sets that it sent. */
    public long sets() {
        return watch.sets;
    }

    /** Returns the events at level warning and above, once each. */
    public List<String> findings() {
        return List.copyOf(watch.findings.keySet());
    }

    /**
     * Returns the response of such an SM to a change of cables and devices. It is master of a twin of the
     * fabric before the change; then the lost devices are removed and the new ones added.
     *
     * @param oldSnapshot before
     * @param newSnapshot after it
     */
    public static Outcome ofFault(FabricSnapshot oldSnapshot, FabricSnapshot newSnapshot, VirtualSm.Start start)
            throws ConfigurationException, TopologyException {
        SnapshotDifference change = SnapshotDifference.between(oldSnapshot, newSnapshot);
        FabricSnapshot all = union(oldSnapshot, newSnapshot);
        Twin twin = Twin.of(all);
        change.newDevices().forEach(guid -> power(twin, all, guid, false));
        change.newCables().forEach(cable -> plug(twin, cable, false));
        try (TakeoverTrial trial = new TakeoverTrial(twin, oldSnapshot, start)) {
            return trial.isUp ? trial.after(change, all) : trial.outcome();
        }
    }

    private static FabricSnapshot union(FabricSnapshot oldSnapshot, FabricSnapshot newSnapshot) {
        Map<Long, DeviceRegisters> devices = new TreeMap<>(newSnapshot.devices());
        devices.putAll(oldSnapshot.devices());
        Map<PortRef, Cable> byPort = new TreeMap<>();
        List<Cable> cables = new ArrayList<>();
        for (Set<Cable> some : List.of(oldSnapshot.cables(), newSnapshot.cables())) {
            for (Cable cable : some) {
                // of a cable that was moved only the old place can be had
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

    private Outcome after(SnapshotDifference change, FabricSnapshot all) {
        int ends = watch.ends;
        long startNs = twin.loop().nowNs();
        change.lostDevices().forEach(guid -> power(twin, all, guid, false));
        change.lostCables().forEach(cable -> plug(twin, cable, false));
        change.newDevices().forEach(guid -> power(twin, all, guid, true));
        change.newCables().stream()
                .filter(cable -> all.cables().contains(cable))
                .forEach(cable -> plug(twin, cable, true));
        boolean isOver = sm.runUntil(() -> watch.ends > ends && (sm.isResting() || !watch.last.isEmpty()), LIMIT_NS);
        long tookNs = twin.loop().nowNs() - startNs;
        String outcome = !isOver ? "it did nothing about that in time" : watch.last;
        return new Outcome(
                outcome,
                tookNs,
                SnapshotDifference.between(after, twin.read(sm.parts().client())));
    }

    /**
     * Switches a switch on or off. For a host, the loss of its cables, which is part of the change, has the same
     * effect.
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
