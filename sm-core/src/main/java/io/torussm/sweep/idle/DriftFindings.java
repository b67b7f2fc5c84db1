package io.torussm.sweep.idle;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.program.TableProbe;
import io.torussm.transport.Loop;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The differences that {@link DriftWatch} found, by device, with their events and the published report. A device whose
 * tables differ again within an hour is reported as having a foreign writer. Owner thread: the loop, except for {@link
 * #report()}.
 */
final class DriftFindings {
    private static final EventLog EVENTS = EventLog.of(DriftWatch.class);

    /** The time within which a second difference of a device counts as that of a foreign writer. */
    private static final long FOREIGN_WRITER_WINDOW_NS = TimeUnit.HOURS.toNanos(1);

    /** Max number of remembered devices with differences. */
    private static final int MAX_DEVICES = 1000;

    private final Loop loop;

    /** Differences that are not repaired yet, by NodeGUID. */
    private final Map<Long, DriftReport.Drift> openDrifts = new LinkedHashMap<>();

    /** Time of the last event, by NodeGUID. */
    private final Map<Long, Long> lastEventNs = new HashMap<>();

    private volatile DriftReport report = DriftReport.NOTHING;

    DriftFindings(Loop loop) {
        this.loop = loop;
    }

    /** Returns the last report; may be called from any thread. */
    DriftReport report() {
        return report;
    }

    /** Counts Gets, and the differing entries that the Gets confirmed. */
    void count(long reads, long differences) {
        DriftReport current = report;
        report = new DriftReport(
                current.isRunning(),
                current.remainingDevices(),
                current.lastPassEnd(),
                current.seconds(),
                current.passes(),
                current.reads() + reads,
                current.differences() + differences,
                current.openDrifts());
    }

    /**
     * Adds a confirmed difference.
     *
     * @param isNews whether it begins a repair; otherwise it is added to the reported difference of the device
     */
    void addDifference(Fabric fabric, int node, TableProbe<?> probe, TableProbe.Difference difference, boolean isNews) {
        long guid = fabric.nodeGuid(node);
        DriftReport.Drift previous = openDrifts.get(guid);
        DriftReport.Drift drift = new DriftReport.Drift(
                loop.timeOfDay(),
                guid,
                fabric.name(node),
                probe.attribute(),
                difference.entry(),
                difference.wanted(),
                difference.found(),
                difference.count() - 1);
        if (previous == null || isNews) {
            reportDrift(fabric.device(node), guid, drift);
        } else {
            openDrifts.put(guid, previous.withMore(difference.count()));
        }
    }

    private void reportDrift(DeviceText device, long guid, DriftReport.Drift drift) {
        Long previousNs = lastEventNs.get(guid);
        boolean isAgain = previousNs != null && loop.nowNs() - previousNs < FOREIGN_WRITER_WINDOW_NS;
        if (lastEventNs.size() < MAX_DEVICES || previousNs != null) {
            lastEventNs.put(guid, loop.nowNs());
        }
        if (openDrifts.size() < MAX_DEVICES || openDrifts.containsKey(guid)) {
            openDrifts.put(guid, drift);
        }
        EVENTS.report(SmEvent.DRIFT_FOUND, EventField.NAME.of(device), EventField.TEXT.of(drift.text()));
        if (isAgain) {
            EVENTS.report(SmEvent.FOREIGN_WRITER, EventField.NAME.of(device), EventField.TEXT.of(drift.text()));
        }
    }

    /** Ends the difference of a device that was read as a whole and has its tables. */
    void onRepair(Fabric fabric, int node) {
        if (openDrifts.remove(fabric.nodeGuid(node)) != null) {
            EVENTS.report(SmEvent.DRIFT_OVER, EventField.NAME.of(fabric.device(node)));
        }
    }

    /** Forgets all devices, because another SM is master. */
    void forget() {
        openDrifts.clear();
        lastEventNs.clear();
    }

    /**
     * Publishes the progress.
     *
     * @param isRunning whether a pass is in progress
     * @param left number of devices that are still to be read
     */
    void publish(boolean isRunning, int left) {
        publish(isRunning, left, report.lastPassEnd(), report.seconds(), report.passes());
    }

    /** Publishes the end of a pass, and the seconds that it took. */
    void publishPassEnd(int left, long seconds) {
        publish(false, left, loop.timeOfDay(), seconds, report.passes() + 1);
    }

    private void publish(boolean isRunning, int left, @Nullable Instant ended, long seconds, long passes) {
        List<DriftReport.Drift> drifts = new ArrayList<>(openDrifts.values());
        report = new DriftReport(isRunning, left, ended, seconds, passes, report.reads(), report.differences(), drifts);
    }
}
