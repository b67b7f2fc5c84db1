package io.torussm.sweep;

import io.torussm.discovery.UnansweredRequest;
import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.smp.DrPath;
import io.torussm.names.NameList;
import io.torussm.program.Programmers;
import io.torussm.program.smp.SweepSettings;
import io.torussm.program.table.LateReading;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.stages.DeviceFaults;
import io.torussm.sweep.stages.SweepContext;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.transport.MadScope;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The reads between sweeps: light sweeps, and the late reading of tables. At most one is in progress; it ends when a
 * sweep begins. Owner thread: the loop.
 */
final class LightSweeps {
    private static final EventLog EVENTS = EventLog.of(LightSweeps.class);

    private final Sweeper sweeper;
    private final SweepContext parts;
    private final Programmers programmers;
    private final DeviceFaults faults;
    private final SweepCounts counts;
    private @Nullable MadScope running;

    /**
     * Changes and silent switches that the last light sweep found. If routing refuses the fabric, the next light sweep
     * finds the same, which is not reported again. The ends of links that flap are left out.
     */
    private List<DeviceText> lastChanges = List.of();

    /** NodeGUIDs of switches whose hosts' LIDs the next light sweep reads. */
    private final Set<Long> switchesOfHostReads = new HashSet<>();

    private final SecondReads secondReads = new SecondReads();

    /** The number of light sweeps so far, modulo {@link PortStateCheck#TURNS}. */
    private int turn;

    /** Creates the reads; they start on request. */
    LightSweeps(Sweeper sweeper, SweepContext parts, Programmers programmers, DeviceFaults faults, SweepCounts counts) {
        this.sweeper = sweeper;
        this.parts = parts;
        this.programmers = programmers;
        this.faults = faults;
        this.counts = counts;
    }

    /**
     * Requests that the next light sweep reads the LIDs of the hosts at switches: a local sweep has cleared the
     * reported change, but read no host.
     *
     * @param switches NodeGUIDs
     */
    void readHostLidsOf(Set<Long> switches) {
        switchesOfHostReads.addAll(switches);
    }

    /** Handles the end of a sweep with this fabric: the next light sweeps read its new parts again. */
    void onSweepEnd(Fabric currentFabric) {
        secondReads.onSweepEnd(currentFabric);
    }

    /** Drops the second reads, because another SM is master. */
    void forget() {
        secondReads.forget();
    }

    /** Checks whether a read is in progress. */
    boolean isReading() {
        return running != null;
    }

    /**
     * Starts a light sweep; no other read may be in progress.
     *
     * @param subnet the published subnet
     * @param silent unanswered requests
     * @param isFull whether new parts of the last sweeps are read again, see {@link SecondReads}
     */
    void start(Subnet subnet, List<UnansweredRequest> silent, boolean isFull) {
        programmers.guids().release();
        retryExcluded();
        SweepSettings current = parts.settings().get();
        OptionalInt leased = current.isLeased() ? OptionalInt.of(current.mKeyProtectBits()) : OptionalInt.empty();
        Set<NodePort> unconfirmed = isFull ? secondReads.due() : Set.of();
        running = LightSweep.start(
                parts.client(),
                subnet,
                programmers.tables(),
                new LightSweep.AdditionalReads(
                        new LinkedHashSet<>(switchesOfHostReads),
                        faults.quarantine().bypassed(),
                        unansweredOfIncluded(silent),
                        unconfirmed,
                        leased,
                        turn),
                found -> {
                    secondReads.onLightSweepEnd(unconfirmed, found.contradicted());
                    onLightSweepEnd(found, silent);
                });
        switchesOfHostReads.clear();
        turn = (turn + 1) % PortStateCheck.TURNS;
    }

    /** Reads excluded devices again, to include those that respond correctly now. */
    void retryExcluded() {
        faults.quarantine().retryDue(parts.client(), released -> {
            programmers.forget(released);
            sweeper.sweepHeavy();
        });
    }

    /** Returns the unanswered requests, except to excluded devices, which {@link #retryExcluded} reads. */
    private List<UnansweredRequest> unansweredOfIncluded(List<UnansweredRequest> silent) {
        Set<DrPath> leftOut = faults.quarantine().paths();
        return silent.stream()
                .filter(request ->
                        !leftOut.contains(request.path()) && faults.retries().takeRequest(request.key()))
                .toList();
    }

    private void onLightSweepEnd(LightSweep.LightOutcome found, List<UnansweredRequest> silent) {
        running = null;
        if (found.isRetry() && found.mustSweepAll()) {
            faults.retries().onRetry(silent.stream().map(UnansweredRequest::key).toList());
        }
        found.steady().forEach(programmers::onSwitchRead);
        counts.countSweep(
                SweepCounts.SweepScope.LIGHT,
                found.isQuiet() ? SweepCounts.SweepEnd.QUIET : SweepCounts.SweepEnd.CHANGED);
        reportChanges(found);
        sweeper.onLightSweepEnd(found);
    }

    /** Reports changed and silent devices, except the ends of links that flap: a report of these is open. */
    private void reportChanges(LightSweep.LightOutcome found) {
        List<DeviceText> changes =
                found.described().stream().filter(device -> !isFlapping(device)).toList();
        if (!changes.equals(lastChanges)) {
            report(
                    SmEvent.SWITCHES_SILENT,
                    changes.stream().filter(found.silent()::contains).toList());
            report(
                    SmEvent.DEVICES_CHANGED,
                    changes.stream()
                            .filter(device -> !found.silent().contains(device))
                            .toList());
        }
        lastChanges = changes;
    }

    private boolean isFlapping(DeviceText device) {
        return device.fields().stream()
                .anyMatch(field -> field.field() == EventField.GUID
                        && field.value() instanceof Long guid
                        && sweeper.traps().isFlapping(guid));
    }

    /** Reports the first device in the field of its name, and the second one and the number of the others as text. */
    private static void report(SmEvent event, List<DeviceText> devices) {
        if (!devices.isEmpty()) {
            List<DeviceText> others = devices.subList(1, devices.size());
            EVENTS.report(
                    event,
                    EventField.COUNT.of(devices.size()),
                    EventField.NAME.of(devices.get(0)),
                    EventField.TEXT.of(
                            switch (others.size()) {
                                case 0 -> "";
                                case 1 -> " and " + others.get(0);
                                default -> ", " + NameList.of(others, 1);
                            }));
        }
    }

    /**
     * Reads the remaining tables of devices, unless a read is in progress.
     *
     * @param whenWrong callback, called on the loop if a table differs
     */
    void read(LateReading rest, Runnable whenWrong) {
        if (running == null && !rest.isEmpty()) {
            running = rest.start(parts.client(), parts.loop(), isWrong -> {
                running = null;
                if (isWrong) {
                    whenWrong.run();
                }
            });
        }
    }

    /** Ends a read in progress. */
    void end() {
        MadScope scope = running;
        running = null;
        if (scope != null) {
            scope.close();
        }
    }
}
