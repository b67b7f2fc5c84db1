package io.torussm.sweep.idle;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.program.Programmers;
import io.torussm.program.TableProbe;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.view.PublishedView;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The read-back of devices, one at a time, and the comparison with the written tables. It runs on request, and in
 * background passes over all devices if {@code drift_check_interval} is set. The rate of Gets is limited, and no Get
 * is sent while other work is due. If a sweep interrupts the read of a device, that device is read again first.
 *
 * <p>If passes are configured, the path to this SM is checked more often: the LFT block of each switch that contains
 * the SM's LID. If that entry is wrong, hosts cannot reach the SM, and no other check shows it.
 *
 * <p>A difference is read a second time, after a check that the switch did not restart, because sweeps handle a
 * restart. If the difference persists, it is recorded as the present contents of the device and reported. A sweep
 * follows and writes the planned entries in a safe order; then the device is read once more. Owner thread:
 * the loop, except for {@link #report()}.
 */
public final class DriftWatch {
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final int TICKS_PER_S = 5;
    private static final long NEVER = Long.MAX_VALUE;

    /** Pause before the second read of a difference. */
    private static final long CONFIRMATION_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

    /** Min interval of the checks of the path to this SM. In a large fabric it is longer, see {@link #begin}. */
    private static final long PATH_CHECK_INTERVAL_NS = TimeUnit.SECONDS.toNanos(60);

    /** The interval at which settings are read while there is no other work. */
    private static final long IDLE_NS = TimeUnit.SECONDS.toNanos(10);

    /** The minimum pause between sweeps for differences. */
    private static final long SWEEP_PAUSE_NS = TimeUnit.SECONDS.toNanos(30);

    private final MadClient client;
    private final Loop loop;
    private final Programmers programmers;
    private final Supplier<@Nullable PublishedView> view;
    private final BooleanSupplier isResting;
    private final Supplier<Pace> pace;
    private final Runnable sweepHeavy;

    /** NodeGUIDs of devices that are to be read as a whole, the next one first. */
    private final Deque<Long> devicesDue = new ArrayDeque<>();

    /** NodeGUIDs of switches whose LFT block with the SM's LID is to be read. */
    private final Deque<Long> pathChecksDue = new ArrayDeque<>();

    private final DriftFindings findings;

    /** NodeGUIDs of devices that are read again after the sweep that repairs them. */
    private final Set<Long> devicesToRepair = new LinkedHashSet<>();

    private @Nullable Reading reading;

    /** Time of the next scheduled tick; NEVER if there is none. */
    private long tickAtNs = NEVER;

    private boolean isPassRunning;
    private long passBeganNs;

    /** Begin of the last background pass, or time of the first publication. */
    private long lastPassNs = NEVER;

    /** Begin of the last check of the path to this SM, or time of the first publication. */
    private long lastPathCheckNs = NEVER;

    /** Time from which the next sweep for differences may begin. */
    private long sweepFromNs;

    private boolean mustSweep;

    /**
     * The rate of reads.
     *
     * @param driftCheckInterval seconds between the begins of passes over all devices; 0: no passes
     * @param driftCheckRate max number of Gets per second
     */
    public record Pace(int driftCheckInterval, int driftCheckRate) {
        /** No background passes. */
        public static final Pace ON_REQUEST = new Pace(0, 100);
    }

    /** The read-back of one device. */
    private final class Reading {
        final long guid;
        final Fabric fabric;
        final int node;
        final MadScope scope = client.scope();

        /** Probes that are still to be sent. */
        final Deque<TableProbe<?>> remainingProbes;

        /** True if all tables are read; otherwise only the block with the SM's LID. */
        final boolean isWhole;

        /** Number of pending Gets and repeated requests. */
        int pendingReads;

        boolean hasDifference;

        Reading(Fabric fabric, int node, boolean isWhole, List<TableProbe<?>> probes) {
            this.fabric = fabric;
            this.node = node;
            this.isWhole = isWhole;
            guid = fabric.nodeGuid(node);
            remainingProbes = new ArrayDeque<>(probes);
        }

        void send(TableProbe<?> probe) {
            pendingReads++;
            scope.submit(probe.request((difference, learn) -> {
                pendingReads--;
                findings.count(1, 0);
                if (difference != null) {
                    pendingReads++;
                    loop.schedule(CONFIRMATION_PAUSE_NS, () -> readAgain(probe));
                }
            }));
        }

        /**
         * Reads a differing table again. Does nothing if a sweep began meanwhile or the switch may have restarted;
         * waits while tables are written between sweeps.
         */
        private void readAgain(TableProbe<?> probe) {
            if (reading != this) {
                return;
            }
            if (!isResting.getAsBoolean()) {
                loop.schedule(CONFIRMATION_PAUSE_NS, () -> readAgain(probe));
                return;
            }
            if (!fabric.isSwitch(node)) {
                confirm(probe);
                return;
            }
            scope.get(SwitchInfo.TYPE, fabric.node(node).path(), 0, outcome -> {
                boolean isSteady = outcome instanceof Outcome.Reply<SwitchInfo> reply
                        && !reply.value().portStateChange()
                        && programmers.tables().isAsProgrammed(guid, reply.value());
                if (isSteady) {
                    confirm(probe);
                } else {
                    pendingReads--;
                }
            });
        }

        private void confirm(TableProbe<?> probe) {
            scope.submit(probe.request((difference, learn) -> {
                pendingReads--;
                findings.count(1, difference == null ? 0 : difference.count());
                if (difference != null) {
                    learn.run();
                    hasDifference = true;
                    onDifference(this, probe, difference);
                }
            }));
        }
    }

    /**
     * Creates a watch that reads nothing until its pace permits it, or a read is requested.
     *
     * @param view returns the published view; null if no subnet is up
     * @param isResting checks that no sweep, light sweep or other write is in progress or due
     * @param sweepHeavy callback, called to repair differences
     */
    public DriftWatch(
            MadClient client,
            Loop loop,
            Programmers programmers,
            Supplier<@Nullable PublishedView> view,
            BooleanSupplier isResting,
            Supplier<Pace> pace,
            Runnable sweepHeavy) {
        this.client = client;
        this.loop = loop;
        this.programmers = programmers;
        this.view = view;
        this.isResting = isResting;
        this.pace = pace;
        this.sweepHeavy = sweepHeavy;
        this.findings = new DriftFindings(loop);
    }

    /** Returns the results; may be called from any thread. */
    public DriftReport report() {
        return findings.report();
    }

    /** Reads a device before all others, as soon as no other work is due. */
    public void request(long nodeGuid) {
        loop.requireInLoop();
        devicesDue.remove(nodeGuid);
        devicesDue.addFirst(nodeGuid);
        tick();
    }

    /** Begins a pass over all devices, unless one is in progress. */
    public void requestAll() {
        loop.requireInLoop();
        PublishedView currentView = view.get();
        if (currentView != null && !isPassRunning) {
            isPassRunning = true;
            passBeganNs = loop.nowNs();
            Fabric fabric = currentView.subnet().fabric();
            for (int node = 0; node < fabric.nodeCount(); node++) {
                devicesDue.add(fabric.nodeGuid(node));
            }
            tick();
        }
    }

    /**
     * Handles the publication of a subnet: repaired devices are read again, and passes begin if they are
     * configured.
     */
    public void onPublication() {
        devicesToRepair.forEach(guid -> {
            devicesDue.remove(guid);
            devicesDue.addFirst(guid);
        });
        devicesToRepair.clear();
        if (lastPassNs == NEVER) { // The first sweep has just written or read all tables.
            lastPassNs = loop.nowNs();
            lastPathCheckNs = lastPassNs;
        }
        tick();
    }

    /** Interrupts the read of a device, because a sweep begins: pending answers would be outdated. */
    public void interrupt() {
        Reading current = reading;
        reading = null;
        if (current != null) {
            current.scope.close();
            Deque<Long> queue = current.isWhole ? devicesDue : pathChecksDue;
            queue.remove(current.guid);
            queue.addFirst(current.guid);
        }
    }

    /** Forgets all devices, because another SM is master. */
    public void forget() {
        interrupt();
        devicesDue.clear();
        pathChecksDue.clear();
        lastPassNs = NEVER;
        lastPathCheckNs = NEVER;
        findings.forget();
        devicesToRepair.clear();
        isPassRunning = false;
        mustSweep = false;
        publish();
    }

    private void tick() {
        boolean isBusy = !devicesDue.isEmpty() || !pathChecksDue.isEmpty() || reading != null || mustSweep;
        if (view.get() == null || (!isBusy && pace.get().driftCheckInterval() == 0)) {
            return;
        }
        long atNs = loop.nowNs() + (isBusy ? TICK_NS : IDLE_NS);
        if (atNs >= tickAtNs) {
            return;
        }
        tickAtNs = atNs;
        loop.schedule(atNs - loop.nowNs(), () -> {
            if (tickAtNs != atNs) {
                return; // An earlier tick was requested meanwhile.
            }
            tickAtNs = NEVER;
            try {
                step();
            } finally {
                tick();
            }
        });
    }

    private void step() {
        PublishedView currentView = view.get();
        if (currentView == null || !isResting.getAsBoolean()) {
            return;
        }
        Pace current = pace.get();
        long nowNs = loop.nowNs();
        if (mustSweep && nowNs >= sweepFromNs) {
            mustSweep = false;
            sweepFromNs = nowNs + SWEEP_PAUSE_NS;
            sweepHeavy.run();
            return;
        }
        Fabric fabric = currentView.subnet().fabric();
        if (current.driftCheckInterval() > 0) {
            begin(fabric, current, nowNs);
        }
        read(currentView, Math.max(1, current.driftCheckRate() / TICKS_PER_S));
    }

    /** Queues the reads that are due in the background. */
    private void begin(Fabric fabric, Pace current, long nowNs) {
        // A check takes one Get per switch. At this interval the checks use half of the allowed Gets.
        long halfNs = TimeUnit.SECONDS.toNanos(2L * fabric.switchCount() / current.driftCheckRate());
        if (pathChecksDue.isEmpty() && nowNs - lastPathCheckNs >= Math.max(PATH_CHECK_INTERVAL_NS, halfNs)) {
            lastPathCheckNs = nowNs;
            for (int node = 0; node < fabric.switchCount(); node++) {
                pathChecksDue.add(fabric.nodeGuid(node));
            }
        }
        if (!isPassRunning && nowNs - lastPassNs >= TimeUnit.SECONDS.toNanos(current.driftCheckInterval())) {
            lastPassNs = nowNs;
            requestAll();
        }
    }

    /**
     * Sends the Gets of this tick.
     *
     * @param budget max number of Gets, those included that are still pending
     */
    private void read(PublishedView currentView, int budget) {
        Reading device = reading;
        int remaining = budget - (device == null ? 0 : device.pendingReads);
        while (remaining > 0) {
            if (device != null && device.remainingProbes.isEmpty()) {
                if (device.pendingReads > 0) {
                    break; // The next device follows when all of this one is known.
                }
                onReadingEnd(device);
                device = null;
            }
            if (device == null) {
                device = next(currentView);
                if (device == null) {
                    break;
                }
            }
            TableProbe<?> probe = device.remainingProbes.poll();
            if (probe != null) {
                device.send(probe);
                remaining--;
            }
        }
    }

    private @Nullable Reading next(PublishedView currentView) {
        Fabric fabric = currentView.subnet().fabric();
        int ownLid = currentView.subnet().lid(fabric.localPort());
        for (Long guid = pathChecksDue.poll(); guid != null; guid = pathChecksDue.poll()) {
            int node = fabric.nodeByGuid(guid);
            if (node != Fabric.NONE) {
                reading = new Reading(fabric, node, false, programmers.probeOf(fabric, node, ownLid));
                return reading;
            }
        }
        for (Long guid = devicesDue.poll(); guid != null; guid = devicesDue.poll()) {
            int node = fabric.nodeByGuid(guid);
            if (node != Fabric.NONE) {
                reading = new Reading(fabric, node, true, programmers.probes(fabric, node));
                return reading;
            }
        }
        if (isPassRunning) {
            isPassRunning = false;
            long tookS = TimeUnit.NANOSECONDS.toSeconds(loop.nowNs() - passBeganNs);
            findings.publishPassEnd(countRemaining(), tookS);
        }
        return null;
    }

    private void onReadingEnd(Reading device) {
        reading = null;
        if (device.isWhole && !device.hasDifference) {
            findings.onRepair(device.fabric, device.node);
        }
        publish();
    }

    private void onDifference(Reading device, TableProbe<?> probe, TableProbe.Difference difference) {
        boolean isNews = !mustSweep && !devicesToRepair.contains(device.guid);
        findings.addDifference(device.fabric, device.node, probe, difference, isNews);
        devicesToRepair.add(device.guid);
        mustSweep = true;
        publish();
    }

    private void publish() {
        findings.publish(isPassRunning, countRemaining());
    }

    /** Returns the number of devices that are still to be read. */
    private int countRemaining() {
        return devicesDue.size() + (reading == null ? 0 : 1);
    }
}
