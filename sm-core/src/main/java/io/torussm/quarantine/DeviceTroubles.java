package io.torussm.quarantine;

import io.torussm.event.DeviceText;
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
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The attributes that devices reject, kept from sweep to sweep. Each is reported when it begins and when it
 * ends. Owner thread: the loop.
 */
public final class DeviceTroubles {
    private static final EventLog EVENTS = EventLog.of(DeviceTroubles.class);

    /** The attributes of a switch on which neither routes nor links depend. */
    private static final Set<Integer> HARMLESS = Set.of(VlArbitrationTable.TYPE.id(), PKeyTable.TYPE.id());

    private Map<Key, DeviceText> known = new LinkedHashMap<>();

    /** NodeGUIDs of hosts that no longer answer. */
    private Set<Long> dead = Set.of();

    private record Key(long nodeGuid, int attributeId) {}

    /**
     * Notes the errors of a sweep after all its writes.
     *
     * @param fabric the fabric that it wrote
     * @return the rejected attributes, to be compared with those of other sweeps
     */
    public Set<?> ended(Fabric fabric, ProgrammingErrors errors) {
        Map<Key, DeviceText> current = new LinkedHashMap<>();
        for (ProgrammingErrors.Trouble trouble : errors.troubles()) {
            current.put(new Key(fabric.nodeGuid(trouble.node()), trouble.attributeId()), fabric.device(trouble.node()));
        }
        boolean isNews = (errors.count() > 0 && !known.keySet().containsAll(current.keySet())) || current.isEmpty();
        if (isNews) {
            errors.described().forEach(error -> EVENTS.report(SmEvent.DEVICE_TROUBLE.says(error)));
        }
        known.forEach((key, name) -> {
            if (!current.containsKey(key)) {
                EVENTS.report(
                        SmEvent.DEVICE_TROUBLE_OVER,
                        EventField.NAME.of(name),
                        EventField.ATTRIBUTE.of(String.format("0x%04x", key.attributeId)));
            }
        });
        known = current;
        dead = errors.givenUp().stream()
                .filter(node -> !fabric.isSwitch(node))
                .map(fabric::nodeGuid)
                .collect(Collectors.toCollection(TreeSet::new));
        return Collections.unmodifiableSet(new LinkedHashSet<>(current.keySet()));
    }

    /**
     * Marks attributes that a local sweep does not try, since a change waits for it. Such an attribute is
     * known to be rejected, nothing else depends on it, and its device cannot have restarted since. Light
     * sweeps retry it at its own pace.
     *
     * @param fabric fabric that is written
     * @param hasChanged tests the NodeGUID of a switch: accepted if it reports a change of a port
     */
    public void passOver(Fabric fabric, ProgrammingErrors errors, LongPredicate hasChanged) {
        for (Key key : known.keySet()) {
            int node = fabric.nodeByGuid(key.nodeGuid);
            if (isAlone(fabric, node, key) && !mayHaveRestarted(fabric, node, hasChanged)) {
                errors.passOver(node, key.attributeId);
                if (dead.contains(key.nodeGuid)) {
                    errors.noteDead(node);
                }
            }
        }
    }

    /**
     * Marks attributes that a whole sweep tries again with a short wait: they are known to be rejected, and
     * nothing else depends on them. A device that recovered answers immediately.
     */
    public void expectNothing(Fabric fabric, ProgrammingErrors errors) {
        for (Key key : known.keySet()) {
            int node = fabric.nodeByGuid(key.nodeGuid);
            if (isAlone(fabric, node, key)) {
                errors.expectNothing(node, key.attributeId);
            }
        }
    }

    private static boolean isAlone(Fabric fabric, int node, Key key) {
        return node != Fabric.NONE && (!fabric.isSwitch(node) || HARMLESS.contains(key.attributeId));
    }

    private static boolean mayHaveRestarted(Fabric fabric, int node, LongPredicate hasChanged) {
        return hasChanged.test(fabric.nodeGuid(node))
                || (!fabric.isSwitch(node)
                        && IntStream.rangeClosed(1, fabric.numPorts(node))
                                .map(portNum -> fabric.peer(fabric.port(node, portNum)))
                                .anyMatch(far ->
                                        far != Fabric.NONE && hasChanged.test(fabric.nodeGuid(fabric.nodeOf(far)))));
    }

    /** Discards the state: another SM is master, which programs the devices. */
    public void forget() {
        known = new LinkedHashMap<>();
        dead = Set.of();
    }
}
