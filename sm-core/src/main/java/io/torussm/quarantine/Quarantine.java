package io.torussm.quarantine;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.Drains;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import io.torussm.transport.SmpRequest;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The devices, and links between switches, that are excluded from the subnet because they cannot be programmed. The
 * essay of the package describes the rules.
 *
 * <p>Owner thread: the loop, except for {@link #entries}.
 */
public final class Quarantine {
    private static final EventLog EVENTS = EventLog.of(Quarantine.class);

    /** Number of consecutive failed sweeps after which a device is excluded. */
    private static final int MAX_FAILED_SWEEPS = 2;

    /** The number of consecutive failed sweeps if many devices fail together, because the cause may be elsewhere. */
    private static final int MAX_FAILED_SWEEPS_OF_MANY = 4;

    /**
     * The max number of sweeps (light sweeps included) between retries of a device that failed again after its release.
     */
    private static final int MAX_PAUSE = 15;

    /** Time without failures after a release, in nanoseconds, after which the record of a device is deleted. */
    private static final long RECORD_EXPIRY_NS = TimeUnit.MINUTES.toNanos(10);

    private final Loop loop;
    private final DrainedParts drained;

    /** The parts that failed, excluded or not. */
    private final Map<Part, FailedPart> failedParts = new LinkedHashMap<>();

    /** Number of the current sweep, from 1. */
    private long sweep = 1;

    /** Scope of the current retries; null if none are outstanding. */
    private @Nullable MadScope retryScope;

    /** Excluded devices and links as of the last admission, without drained parts. */
    private final Set<Part> leftOut = new HashSet<>();

    private volatile List<Entry> entries = List.of();

    /**
     * An excluded part.
     *
     * @param portNum for a link, the number of the port that does not become ACTIVE; -1 for a switch, -2 for a switch
     *     that only multicast bypasses
     * @param reason the failure, as text
     * @param isTolerated whether the part is in the subnet nevertheless, because the SM depends on it
     */
    public record Entry(long nodeGuid, int portNum, String name, String reason, boolean isTolerated) {}

    /**
     * Creates a quarantine without excluded parts, except for drained parts.
     *
     * @param drains drains, which are read at each sweep
     */
    public Quarantine(Loop loop, Drains drains) {
        this.loop = loop;
        this.drained = new DrainedParts(drains);
    }

    /** Returns the excluded parts. Any thread. */
    public List<Entry> entries() {
        return entries;
    }

    /** Returns the directed routes to the excluded devices. */
    public Set<DrPath> paths() {
        Set<DrPath> paths = new HashSet<>();
        failedParts.values().stream().filter(each -> each.isExcluded).forEach(each -> paths.add(each.path));
        return paths;
    }

    /** Checks whether an excluded switch has a LID, so that its traps about links are ignored. */
    public boolean isLidExcluded(int lid) {
        return lid != 0
                && failedParts.entrySet().stream()
                        .anyMatch(each ->
                                each.getKey().isDevice() && each.getValue().isExcluded && each.getValue().lid == lid);
    }

    /**
     * Returns a fabric without the parts that cannot be programmed, and without drained parts.
     *
     * @param isWhole whether the whole fabric was read
     * @param unaddressed end ports for which no LID is left, which are excluded, too
     */
    public Admission admit(Fabric found, boolean isWhole, Collection<NodePort> unaddressed) {
        Set<Long> unreadable = unreadable(found, isWhole);
        updateParts(found, isWhole);
        Set<Part> out = new HashSet<>();
        Set<Long> tolerated = new HashSet<>();
        unreadable.forEach(guid -> out.add(new Part(guid, Part.WHOLE)));
        leftOut.clear();
        failedParts.forEach((part, held) -> {
            int node = found.nodeByGuid(part.nodeGuid());
            boolean isThere = node != Fabric.NONE;
            boolean isIndispensable = isThere && Admission.isIndispensable(found, node);
            if (held.isExcluded && isThere) {
                held.isTolerated = part.isDevice() && isIndispensable;
            }
            if (held.isExcluded && held.isTolerated) {
                tolerated.add(part.nodeGuid());
            } else if (held.isExcluded && !part.isMulticast()) {
                leftOut.add(
                        held.excludedSwitch != null && !isIndispensable ? new Part(part.nodeGuid(), Part.WHOLE) : part);
            }
        });
        leftOut.stream()
                .filter(part -> found.nodeByGuid(part.nodeGuid()) != Fabric.NONE)
                .forEach(out::add);
        out.addAll(drained.of(found));
        unaddressed.forEach(
                port -> out.add(new Part(port.nodeGuid(), port.portNum() == 0 ? Part.WHOLE : port.portNum())));
        publish();
        return Admission.without(withoutMulticast(found), out, tolerated);
    }

    /**
     * Checks whether the last fabric is routed without a port, because the port is drained or cannot be programmed. The
     * port may be absent.
     */
    public boolean isLeftOut(NodePort port) {
        return drained.isExcluded(port)
                || leftOut.contains(new Part(port.nodeGuid(), Part.WHOLE))
                || leftOut.contains(new Part(port.nodeGuid(), port.portNum()));
    }

    /**
     * Returns a fabric in which switches that reject multicast entries have MulticastFDBCap 0, so that trees bypass
     * them and no entry is written.
     */
    private Fabric withoutMulticast(Fabric found) {
        @Nullable SwitchInfo[] changed = new SwitchInfo[found.switchCount()];
        failedParts.forEach((part, held) -> {
            int node = found.nodeByGuid(part.nodeGuid());
            SwitchInfo info = part.isMulticast() && held.isExcluded && node != Fabric.NONE
                    ? found.node(node).switchInfo()
                    : null;
            if (info != null) {
                changed[node] = info.with(SwitchInfo.MULTICAST_FDB_CAP, 0);
            }
        });
        return Arrays.stream(changed).allMatch(Objects::isNull) ? found : found.with(changed);
    }

    /** Returns the NodeGUIDs of switches that only multicast bypasses. */
    public Set<Long> bypassed() {
        return failedParts.entrySet().stream()
                .filter(each -> each.getKey().isMulticast() && each.getValue().isExcluded)
                .map(each -> each.getKey().nodeGuid())
                .collect(Collectors.toSet());
    }

    /** Returns the drain because of which a port is not used; null without one. */
    Drains.@Nullable Drain drainOf(Part port) {
        return drained.of(port);
    }

    /** Records that the routes of the admitted fabric are complete without the drained parts. */
    public void confirmDrains() {
        drained.confirmDrains();
    }

    /**
     * Cancels drains, because no routes are complete without their parts: first the isolations of cables, in the next
     * call drains that are newer than the last complete routes, then all drains. A cancelled drain stays cancelled
     * until it is undrained.
     *
     * @return false if there was no isolation and no effective drain
     */
    public boolean cancelDrains() {
        return drained.cancelDrains();
    }

    /**
     * Excludes the switches of excluded links as a whole, because no engine routes the fabric without these links.
     * Checks whether a switch was excluded.
     */
    public boolean excludeWholeSwitches(Fabric found) {
        boolean hasWidened = false;
        for (Map.Entry<Part, FailedPart> each : failedParts.entrySet()) {
            FailedPart held = each.getValue();
            int node = found.nodeByGuid(each.getKey().nodeGuid());
            boolean isDue =
                    each.getKey().isPort() && held.isExcluded && held.excludedSwitch == null && node != Fabric.NONE;
            if (isDue && !Admission.isIndispensable(found, node)) {
                DeviceText device = found.device(node);
                boolean isFirst =
                        failedParts.entrySet().stream().noneMatch(other -> excludesSwitch(other, each.getKey()));
                held.excludedSwitch = device;
                hasWidened = true;
                if (isFirst) {
                    EVENTS.report(
                            SmEvent.DEVICE_LEFT_OUT,
                            EventField.NAME.of(device),
                            EventField.REASON.of("there are no routes without its links; " + held.reason));
                }
            }
        }
        return hasWidened;
    }

    /** Returns the NodeGUIDs of switches that do not report SwitchInfo or PortInfo, or have no forwarding table. */
    private Set<Long> unreadable(Fabric found, boolean isWhole) {
        Set<Long> unreadable = new HashSet<>();
        for (int sw = 0; sw < found.switchCount(); sw++) {
            SwitchInfo info = found.node(sw).switchInfo();
            boolean isKnown = info != null && found.portInfo(found.port(sw, 0)) != null;
            boolean hasTable = info == null || info.linearFdbCap() > 0;
            if (Admission.isIndispensable(found, sw) || (isKnown && hasTable)) {
                continue;
            }
            unreadable.add(found.nodeGuid(sw));
            if (!isKnown && isWhole) {
                DrPath path = found.node(sw).path();
                SmpRequest<?> request = info == null
                        ? SmpRequest.get(SwitchInfo.TYPE, path, 0, outcome -> {})
                        : SmpRequest.get(PortInfo.TYPE, path, 0, outcome -> {});
                noteFailure(found, new Part(found.nodeGuid(sw), Part.WHOLE), request, MAX_FAILED_SWEEPS);
            }
        }
        return unreadable;
    }

    /** Removes absent devices, and links that are now down or ACTIVE; updates the routes and LIDs of other devices. */
    private void updateParts(Fabric found, boolean isWhole) {
        Set<Part> closed = new HashSet<>();
        failedParts.forEach((part, held) -> {
            int node = found.nodeByGuid(part.nodeGuid());
            if (node == Fabric.NONE) {
                if (isWhole) {
                    closed.add(part);
                }
                return;
            }
            held.path = found.node(node).path();
            PortInfo port0 = found.isSwitch(node) ? found.portInfo(found.port(node, 0)) : null;
            held.lid = port0 == null ? held.lid : port0.lid();
            PortInfo port = part.isPort() ? found.portInfo(found.port(node, part.portNum())) : null;
            if (part.isPort() && (port == null || !port.isLinkUp() || port.portState() == PortInfo.STATE_ACTIVE)) {
                closed.add(part);
            }
        });
        closed.forEach(part -> {
            FailedPart held = failedParts.remove(part);
            if (held != null && held.isExcluded) {
                reportEnd(part, held, "it is absent, or has changed");
            }
        });
    }

    /**
     * Processes the errors of a sweep after all its writes.
     *
     * @param fabric the fabric of the sweep
     * @return whether a part failed, so that another sweep is necessary soon
     */
    public boolean onSweepEnd(Fabric fabric, ProgrammingErrors errors) {
        Map<Part, SmpRequest<?>> failed = new HashMap<>();
        errors.deviations()
                .forEach((node, request) -> failed.put(new Part(fabric.nodeGuid(node), Part.WHOLE), request));
        errors.multicastFailures()
                .forEach((node, request) -> failed.put(new Part(fabric.nodeGuid(node), Part.MULTICAST), request));
        errors.unraised().forEach((port, request) -> {
            int far = fabric.peer(port);
            boolean isBetweenSwitches = fabric.isSwitch(fabric.nodeOf(port))
                    && fabric.portNum(port) > 0
                    && far != Fabric.NONE
                    && fabric.isSwitch(fabric.nodeOf(far));
            if (isBetweenSwitches) {
                failed.put(new Part(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port)), request);
            }
        });
        long devices =
                failed.keySet().stream().mapToLong(Part::nodeGuid).distinct().count();
        boolean areMany = devices > Math.max(2, fabric.switchCount() / 8);
        failed.forEach((part, request) ->
                noteFailure(fabric, part, request, areMany ? MAX_FAILED_SWEEPS_OF_MANY : MAX_FAILED_SWEEPS));
        removeSuccessful(fabric);
        publish();
        return !failed.isEmpty();
    }

    /** Records a failure. Excludes the part after {@code patience} failed sweeps, or immediately after a release. */
    private void noteFailure(Fabric fabric, Part part, SmpRequest<?> request, int patience) {
        FailedPart previous = failedParts.get(part);
        if (previous != null && previous.isExcluded) {
            return;
        }
        DeviceRecord record = failedParts.entrySet().stream()
                .filter(each -> each.getKey().nodeGuid() == part.nodeGuid())
                .map(each -> each.getValue().record)
                .findFirst()
                .orElseGet(DeviceRecord::new);
        FailedPart held = new FailedPart(fabric, part, request, record);
        failedParts.put(part, held);
        record.onFailure(sweep);
        if (record.failures() >= (record.releases() > 0 ? 1 : patience)) {
            record.onExclusion();
            held.isExcluded = true;
            held.isTolerated = part.isDevice() && Admission.isIndispensable(fabric, fabric.nodeByGuid(part.nodeGuid()));
            held.pause = Math.min(MAX_PAUSE, 1 << Math.min(record.releases(), 6));
            SmEvent event = part.isMulticast() ? SmEvent.MULTICAST_LEFT_OUT : SmEvent.DEVICE_LEFT_OUT;
            EVENTS.report(
                    held.isTolerated ? SmEvent.DEVICE_TOLERATED : event,
                    EventField.NAME.of(held.name),
                    EventField.ATTRIBUTE.of(held.attribute),
                    EventField.REASON.of(held.reason));
        }
    }

    /**
     * Removes the failures of devices that did not fail in this sweep. A device that was released once keeps its record
     * for {@link #RECORD_EXPIRY_NS}.
     */
    private void removeSuccessful(Fabric fabric) {
        failedParts.entrySet().removeIf(entry -> {
            FailedPart held = entry.getValue();
            DeviceRecord record = held.record;
            boolean isJudged = fabric.nodeByGuid(entry.getKey().nodeGuid()) != Fabric.NONE;
            if (held.isExcluded || !isJudged || record.hasFailedIn(sweep)) {
                return false;
            }
            record.onSuccess();
            return record.releases() == 0 || loop.nowNs() - record.releasedNs() > RECORD_EXPIRY_NS;
        });
        sweep++;
    }

    /**
     * Retries the failed request of each excluded part that is due.
     *
     * @param whenReleased callback, called on the loop with the NodeGUID of a device that complies: the device is no
     *     longer excluded, and may contain outdated values
     */
    public void retryDue(MadClient client, LongConsumer whenReleased) {
        if (retryScope != null) {
            return;
        }
        MadScope scope = null;
        for (Map.Entry<Part, FailedPart> each : List.copyOf(failedParts.entrySet())) {
            FailedPart held = each.getValue();
            if (held.isExcluded && held.pause-- <= 0) {
                scope = scope == null ? client.scope() : scope;
                held.retry(scope, reason -> release(each.getKey(), held, reason, whenReleased));
            }
        }
        retryScope = scope;
        if (scope != null) {
            scope.whenIdle(() -> retryScope = null);
        }
    }

    private void release(Part part, FailedPart held, String reason, LongConsumer whenReleased) {
        if (failedParts.get(part) != held) {
            return;
        }
        held.isExcluded = false;
        held.isTolerated = false;
        held.record.onRelease(loop.nowNs());
        reportEnd(part, held, reason);
        publish();
        whenReleased.accept(part.nodeGuid());
    }

    /** Reports the end of an exclusion, and that of the whole switch if no other port of it excludes it. */
    private void reportEnd(Part part, FailedPart held, String reason) {
        EVENTS.report(
                SmEvent.DEVICE_TAKEN_IN,
                EventField.NAME.of(held.name),
                EventField.ATTRIBUTE.of(held.attribute),
                EventField.REASON.of(reason));
        DeviceText device = held.excludedSwitch;
        if (device != null && failedParts.entrySet().stream().noneMatch(each -> excludesSwitch(each, part))) {
            EVENTS.report(SmEvent.DEVICE_TAKEN_IN, EventField.NAME.of(device), EventField.REASON.of(reason));
        }
    }

    private static boolean excludesSwitch(Map.Entry<Part, FailedPart> each, Part part) {
        FailedPart held = each.getValue();
        return each.getKey().nodeGuid() == part.nodeGuid() && held.isExcluded && held.excludedSwitch != null;
    }

    /** Removes the whole state, because another SM is master and programs the devices. */
    public void forget() {
        MadScope scope = retryScope;
        retryScope = null;
        if (scope != null) {
            scope.close();
        }
        failedParts.forEach((part, held) -> {
            if (held.isExcluded) {
                held.isExcluded = false;
                reportEnd(part, held, "another subnet manager is master");
            }
        });
        failedParts.clear();
        leftOut.clear();
        drained.forget();
        publish();
    }

    private void publish() {
        entries = failedParts.entrySet().stream()
                .filter(each -> each.getValue().isExcluded)
                .map(each -> new Entry(
                        each.getKey().nodeGuid(),
                        each.getKey().portNum(),
                        each.getValue().name.text(),
                        each.getValue().reason,
                        each.getValue().isTolerated))
                .toList();
    }
}
