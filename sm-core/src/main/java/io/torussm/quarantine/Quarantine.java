package io.torussm.quarantine;

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
 * The devices, and links between switches, that are excluded from the subnet since they cannot be programmed.
 * See the package.
 *
 * <p>Owner thread: the loop, except for {@link #entries}.
 */
public final class Quarantine {
    private static final EventLog EVENTS = EventLog.of(Quarantine.class);

    /** Number of consecutive failed sweeps after which a device is excluded. */
    private static final int PATIENCE = 2;

    /** The same number if many devices fail together, since the cause may be elsewhere. */
    private static final int PATIENCE_WITH_MANY = 4;

    /**
     * The maximum number of sweeps (light ones included) between retries of a device that failed again after
     * its release.
     */
    private static final int MAX_PAUSE = 15;

    /** Time without failures after a release, in ns, after which the record of a device is deleted. */
    private static final long PAROLE_NS = TimeUnit.MINUTES.toNanos(10);

    private final Loop loop;
    private final DrainedParts drained;
    private final Map<Part, FailedPart> cases = new LinkedHashMap<>();
    private long sweep = 1;
    private @Nullable MadScope asking;

    /** Excluded devices and links without drained ones, as of the last admission. */
    private final Set<Part> leftOut = new HashSet<>();

    private volatile List<Entry> entries = List.of();

    /**
     * An excluded part.
     *
     * @param portNum port number for a link, the port that does not rise; -1 for a switch, -2 for a switch that
     *     multicast alone bypasses
     * @param isTolerated whether it is in the subnet nevertheless, because the SM depends on it
     */
    public record Entry(long nodeGuid, int portNum, String name, String reason, boolean isTolerated) {}

    /**
     * Creates a quarantine without excluded parts, except for drained ones.
     *
     * @param drains read again at each sweep
     */
    public Quarantine(Loop loop, Drains drains) {
        this.loop = loop;
        this.drained = new DrainedParts(drains);
    }

    /** Returns the excluded parts; may be called from any thread. */
    public List<Entry> entries() {
        return entries;
    }

    /** Returns the paths to the excluded devices. */
    public Set<DrPath> paths() {
        Set<DrPath> paths = new HashSet<>();
        cases.values().stream().filter(each -> each.isLeftOut).forEach(each -> paths.add(each.path));
        return paths;
    }

    /** Checks whether an excluded switch has this LID. Its reports of links are then ignored. */
    public boolean hasLeftOut(int lid) {
        return lid != 0
                && cases.entrySet().stream()
                        .anyMatch(each ->
                                each.getKey().isDevice() && each.getValue().isLeftOut && each.getValue().lid == lid);
    }

    /**
     * Returns a fabric without the parts that cannot be programmed.
     *
     * @param isWhole whether all of the fabric was read
     * @param unaddressed end ports for which there is no LID; excluded, too
     */
    public Admission admit(Fabric found, boolean isWhole, Collection<NodePort> unaddressed) {
        Set<Long> unreadable = unreadable(found, isWhole);
        follow(found, isWhole);
        Set<Part> out = new HashSet<>();
        Set<Long> tolerated = new HashSet<>();
        unreadable.forEach(guid -> out.add(new Part(guid, Part.WHOLE)));
        leftOut.clear();
        cases.forEach((part, held) -> {
            int node = found.nodeByGuid(part.nodeGuid());
            boolean isThere = node != Fabric.NONE;
            boolean isIndispensable = isThere && Admission.isIndispensable(found, node);
            if (held.isLeftOut && isThere) {
                held.isTolerated = part.isDevice() && isIndispensable;
            }
            if (held.isLeftOut && held.isTolerated) {
                tolerated.add(part.nodeGuid());
            } else if (held.isLeftOut && !part.isMulticast()) {
                leftOut.add(held.isWide && !isIndispensable ? new Part(part.nodeGuid(), Part.WHOLE) : part);
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
     * Checks whether the last fabric is routed without a port. The port is drained or cannot be programmed,
     * and may be absent.
     */
    public boolean isLeftOut(NodePort port) {
        return drained.isOut(port)
                || leftOut.contains(new Part(port.nodeGuid(), Part.WHOLE))
                || leftOut.contains(new Part(port.nodeGuid(), port.portNum()));
    }

    /**
     * Returns the fabric without the MulticastFDB of switches that reject its entries: trees bypass them, and
     * no entry is written.
     */
    private Fabric withoutMulticast(Fabric found) {
        @Nullable SwitchInfo[] changed = new SwitchInfo[found.switchCount()];
        cases.forEach((part, held) -> {
            int node = found.nodeByGuid(part.nodeGuid());
            SwitchInfo info = part.isMulticast() && held.isLeftOut && node != Fabric.NONE
                    ? found.node(node).switchInfo()
                    : null;
            if (info != null) {
                changed[node] = info.with(SwitchInfo.MULTICAST_FDB_CAP, 0);
            }
        });
        return Arrays.stream(changed).allMatch(Objects::isNull) ? found : found.with(changed);
    }

    /** Returns the NodeGUIDs of switches that multicast alone bypasses. */
    public Set<Long> bypassed() {
        return cases.entrySet().stream()
                .filter(each -> each.getKey().isMulticast() && each.getValue().isLeftOut)
                .map(each -> each.getKey().nodeGuid())
                .collect(Collectors.toSet());
    }

    /** Returns the drain for which a port is not used; null if it is for none. */
    Drains.@Nullable Drain drainOf(Part port) {
        return drained.of(port);
    }

    /** Records that the routes of the admitted fabric are complete without the drained parts. */
    public void afford() {
        drained.afford();
    }

    /**
     * Cancels drains, since no routes are complete without their parts. Isolated cables come first, then drains that
     * are newer than the last complete routes, then all. A cancelled drain stays cancelled until it is undrained.
     *
     * @return false if nothing is drained any more
     */
    public boolean giveBack() {
        return drained.giveBack();
    }

    /**
     * Excludes the switches of excluded links as a whole, since no engine routes the fabric without these
     * links. Returns whether there are any.
     */
    public boolean widen(Fabric found) {
        boolean hasWidened = false;
        for (Map.Entry<Part, FailedPart> each : cases.entrySet()) {
            FailedPart held = each.getValue();
            int node = found.nodeByGuid(each.getKey().nodeGuid());
            boolean isDue = each.getKey().isPort() && held.isLeftOut && !held.isWide && node != Fabric.NONE;
            if (isDue && !Admission.isIndispensable(found, node)) {
                held.isWide = true;
                hasWidened = true;
                EVENTS.report(
                        SmEvent.DEVICE_LEFT_OUT,
                        EventField.NAME.of(found.device(node)),
                        EventField.REASON.of("there are no routes without its links; " + held.reason));
            }
        }
        return hasWidened;
    }

    /** Returns the switches that do not report their SwitchInfo or PortInfo, or have no forwarding table. */
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
                noteFailure(found, new Part(found.nodeGuid(sw), Part.WHOLE), request, PATIENCE);
            }
        }
        return unreadable;
    }

    /** Closes the cases of absent devices, and of links that are down or active now. */
    private void follow(Fabric found, boolean isWhole) {
        Set<Part> closed = new HashSet<>();
        cases.forEach((part, held) -> {
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
            FailedPart held = cases.remove(part);
            if (held != null && held.isLeftOut) {
                reportEnd(held, "it is not there any more as it was");
            }
        });
    }

    /**
     * Processes the errors of a sweep after all its writes.
     *
     * @param fabric fabric that it wrote
     * @return whether a failure calls for another sweep soon
     */
    public boolean ended(Fabric fabric, ProgrammingErrors errors) {
        Map<Part, SmpRequest<?>> failed = new HashMap<>();
        errors.hindrances()
                .forEach((node, request) -> failed.put(new Part(fabric.nodeGuid(node), Part.WHOLE), request));
        errors.withoutMulticast()
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
        failed.forEach((part, request) -> noteFailure(fabric, part, request, areMany ? PATIENCE_WITH_MANY : PATIENCE));
        forgive(fabric);
        publish();
        return !failed.isEmpty();
    }

    private void noteFailure(Fabric fabric, Part part, SmpRequest<?> request, int patience) {
        FailedPart previous = cases.get(part);
        if (previous != null && previous.isLeftOut) {
            return;
        }
        DeviceRecord record = cases.entrySet().stream()
                .filter(each -> each.getKey().nodeGuid() == part.nodeGuid())
                .map(each -> each.getValue().record)
                .findFirst()
                .orElseGet(DeviceRecord::new);
        FailedPart held = new FailedPart(fabric, part, request, record);
        cases.put(part, held);
        record.failed(sweep);
        if (record.failures() >= (record.releases() > 0 ? 1 : patience)) {
            record.leftOut();
            held.isLeftOut = true;
            held.isTolerated = part.isDevice() && Admission.isIndispensable(fabric, fabric.nodeByGuid(part.nodeGuid()));
            held.pause = Math.min(MAX_PAUSE, 1 << Math.min(record.releases(), 6));
            SmEvent event = part.isMulticast() ? SmEvent.MULTICAST_LEFT_OUT : SmEvent.DEVICE_LEFT_OUT;
            EVENTS.report(
                    held.isTolerated ? SmEvent.DEVICE_TOLERATED : event,
                    EventField.NAME.of(held.name),
                    EventField.REASON.of(held.reason));
        }
    }

    /**
     * Deletes the failures of a device that did not fail this time. A device that was released once keeps its
     * record for a time.
     */
    private void forgive(Fabric fabric) {
        cases.entrySet().removeIf(entry -> {
            FailedPart held = entry.getValue();
            DeviceRecord record = held.record;
            boolean isJudged = fabric.nodeByGuid(entry.getKey().nodeGuid()) != Fabric.NONE;
            if (held.isLeftOut || !isJudged || record.hasFailedIn(sweep)) {
                return false;
            }
            record.didWell();
            return record.releases() == 0 || loop.nowNs() - record.releasedNs() > PAROLE_NS;
        });
        sweep++;
    }

    /**
     * Retries excluded parts: each receives the request again on which it failed.
     *
     * @param whenReleased callback, called on the loop with the NodeGUID of a device that complies: it is no longer
     *     excluded, and may contain outdated values
     */
    public void askAgain(MadClient client, LongConsumer whenReleased) {
        if (asking != null) {
            return;
        }
        MadScope scope = null;
        for (Map.Entry<Part, FailedPart> each : List.copyOf(cases.entrySet())) {
            FailedPart held = each.getValue();
            if (held.isLeftOut && held.pause-- <= 0) {
                scope = scope == null ? client.scope() : scope;
                held.ask(scope, reason -> release(each.getKey(), held, reason, whenReleased));
            }
        }
        asking = scope;
        if (scope != null) {
            scope.whenIdle(() -> asking = null);
        }
    }

    private void release(Part part, FailedPart held, String reason, LongConsumer whenReleased) {
        if (cases.get(part) != held) {
            return;
        }
        held.isLeftOut = false;
        held.isTolerated = false;
        held.record.released(loop.nowNs());
        reportEnd(held, reason);
        publish();
        whenReleased.accept(part.nodeGuid());
    }

    private static void reportEnd(FailedPart held, String reason) {
        EVENTS.report(SmEvent.DEVICE_TAKEN_IN, EventField.NAME.of(held.name), EventField.REASON.of(reason));
    }

    /** Discards the state: another SM is master, which programs the devices. */
    public void forget() {
        MadScope scope = asking;
        asking = null;
        if (scope != null) {
            scope.close();
        }
        cases.values().stream()
                .filter(held -> held.isLeftOut)
                .forEach(held -> reportEnd(held, "another subnet manager is master"));
        cases.clear();
        leftOut.clear();
        drained.forget();
        publish();
    }

    private void publish() {
        entries = cases.entrySet().stream()
                .filter(each -> each.getValue().isLeftOut)
                .map(each -> new Entry(
                        each.getKey().nodeGuid(),
                        each.getKey().portNum(),
                        each.getValue().name.text(),
                        each.getValue().reason,
                        each.getValue().isTolerated))
                .toList();
    }
}
