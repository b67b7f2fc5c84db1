package io.torussm.quarantine;

import io.torussm.event.DeviceText;
import io.torussm.event.EventEnds;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.stage.ProgrammingErrors;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The attributes that devices reject, stored from sweep to sweep. The begin and the end of each rejection are reported.
 * Owner thread: the loop.
 */
public final class DeviceTroubles {
    private static final EventLog EVENTS = EventLog.of(DeviceTroubles.class);

    /** The attributes of a switch on which neither routes nor links depend. */
    private static final Set<Integer> HARMLESS_ATTRIBUTES = Set.of(VlArbitrationTable.TYPE.id(), PKeyTable.TYPE.id());

    /** The rejected attributes, as of the last sweep. */
    private Set<Key> rejections = Set.of();

    /** The devices and ports of {@link #rejections} with a report that has not ended, each as in that report. */
    private final Map<Key, Map<List<EventField.Value>, DeviceText>> openReports = new LinkedHashMap<>();

    /** NodeGUIDs of hosts that did not respond in the last sweep. */
    private Set<Long> silentHosts = Set.of();

    private record Key(long nodeGuid, int attributeId) {
        static Key of(Fabric fabric, ProgrammingErrors.Trouble trouble) {
            return new Key(fabric.nodeGuid(trouble.node()), trouble.attributeId());
        }

        String attribute() {
            return String.format("0x%04x", attributeId);
        }
    }

    /**
     * Records the errors of a sweep after all its writes.
     *
     * @param fabric the fabric of the sweep
     * @return keys of the rejected attributes, which are equal in other sweeps
     */
    public Set<?> onSweepEnd(Fabric fabric, ProgrammingErrors errors) {
        Set<Key> current = new LinkedHashSet<>();
        for (ProgrammingErrors.Trouble trouble : errors.troubles()) {
            current.add(Key.of(fabric, trouble));
        }
        boolean isNews = (errors.count() > 0 && !rejections.containsAll(current)) || current.isEmpty();
        errors.firstErrors().stream()
                .filter(error -> isNews || error.trouble() == null) // the condition of others ends without a report
                .forEach(error -> report(fabric, error));
        List.copyOf(openReports.keySet()).stream()
                .filter(key -> !current.contains(key))
                .forEach(this::reportEnd);
        rejections = current;
        silentHosts = errors.givenUpNodes().stream()
                .filter(node -> !fabric.isSwitch(node))
                .map(fabric::nodeGuid)
                .collect(Collectors.toCollection(TreeSet::new));
        return Collections.unmodifiableSet(new LinkedHashSet<>(current));
    }

    private void report(Fabric fabric, ProgrammingErrors.DescribedError error) {
        ProgrammingErrors.Trouble trouble = error.trouble();
        if (trouble == null) {
            EVENTS.report(SmEvent.WRITES_POSTPONED.finding(error.text()));
            return;
        }
        Key key = Key.of(fabric, trouble);
        DeviceText device = error.text().withText(name(error.text(), fabric.device(trouble.node())));
        openReports.computeIfAbsent(key, any -> new LinkedHashMap<>()).put(identity(device), device);
        EVENTS.report(
                SmEvent.DEVICE_TROUBLE, EventField.TEXT.of(error.text()), EventField.ATTRIBUTE.of(key.attribute()));
    }

    /** Returns the name of the device or port of an error, which is a part of its sentence. */
    private static String name(DeviceText error, DeviceText device) {
        return error.fields().stream()
                .filter(value -> value.field() == EventField.NAME)
                .map(EventField.Value::text)
                .findFirst()
                .orElse(device.text());
    }

    /** Returns the fields that the end of the report must have, too. */
    private static List<EventField.Value> identity(DeviceText device) {
        return device.fields().stream()
                .filter(value -> EventEnds.IDENTITY.contains(value.field()))
                .toList();
    }

    /** Ends the reports of an attribute. An attribute that was not among the first errors has none. */
    private void reportEnd(Key key) {
        openReports
                .getOrDefault(key, Map.of())
                .values()
                .forEach(device -> EVENTS.report(
                        SmEvent.DEVICE_TROUBLE_OVER,
                        EventField.NAME.of(device),
                        EventField.ATTRIBUTE.of(key.attribute())));
        openReports.remove(key);
    }

    /**
     * Marks attributes that a local sweep does not try, because they would delay a change. Such an attribute is known
     * to be rejected, nothing else depends on it, and its device cannot have restarted meanwhile. Light sweeps retry
     * it at its own pace.
     *
     * @param fabric the fabric of the sweep
     * @param hasChanged predicate of NodeGUIDs of switches that report a change of a port
     */
    public void skipRejected(Fabric fabric, ProgrammingErrors errors, LongPredicate hasChanged) {
        for (Key key : rejections) {
            int node = fabric.nodeByGuid(key.nodeGuid);
            if (isHarmless(fabric, node, key) && !mayHaveRestarted(fabric, node, hasChanged)) {
                errors.skipAttribute(node, key.attributeId);
                if (silentHosts.contains(key.nodeGuid)) {
                    errors.noteDead(node);
                }
            }
        }
    }

    /**
     * Marks attributes that a whole sweep tries again with few retries: they are known to be rejected, and nothing else
     * depends on them. A recovered device responds immediately.
     */
    public void limitRetries(Fabric fabric, ProgrammingErrors errors) {
        for (Key key : rejections) {
            int node = fabric.nodeByGuid(key.nodeGuid);
            if (isHarmless(fabric, node, key)) {
                errors.expectRejection(node, key.attributeId);
            }
        }
    }

    /** Checks whether neither routes nor links depend on an attribute. */
    private static boolean isHarmless(Fabric fabric, int node, Key key) {
        return node != Fabric.NONE && (!fabric.isSwitch(node) || HARMLESS_ATTRIBUTES.contains(key.attributeId));
    }

    private static boolean mayHaveRestarted(Fabric fabric, int node, LongPredicate hasChanged) {
        return hasChanged.test(fabric.nodeGuid(node))
                || (!fabric.isSwitch(node)
                        && IntStream.rangeClosed(1, fabric.numPorts(node))
                                .map(portNum -> fabric.peer(fabric.port(node, portNum)))
                                .anyMatch(far ->
                                        far != Fabric.NONE && hasChanged.test(fabric.nodeGuid(fabric.nodeOf(far)))));
    }

    /** Removes the whole state, because another SM is master and programs the devices. */
    public void forget() {
        rejections = Set.of();
        openReports.clear();
        silentHosts = Set.of();
    }
}
