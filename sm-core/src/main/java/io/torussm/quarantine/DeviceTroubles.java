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
 * What devices do not take, from one sweep to the next; told when it begins and when it ends. Owner thread: the loop.
 */
public final class DeviceTroubles {
    private static final EventLog EVENTS = EventLog.of(DeviceTroubles.class);

    /** What neither routes nor links depend on at a switch. */
    private static final Set<Integer> HARMLESS = Set.of(VlArbitrationTable.TYPE.id(), PKeyTable.TYPE.id());

    private Map<Key, DeviceText> known = new LinkedHashMap<>();

    /** NodeGUIDs of hosts that answered nothing any more. */
    private Set<Long> dead = Set.of();

    private record Key(long nodeGuid, int attributeId) {}

    /**
     * A sweep is over that wrote all that it could.
     *
     * @param fabric that it wrote
     * @return what the devices do not take, to be compared with other sweeps
     */
    public Set<?> ended(Fabric fabric, ProgrammingErrors errors) {
        Map<Key, DeviceText> now = new LinkedHashMap<>();
        for (ProgrammingErrors.Trouble trouble : errors.troubles()) {
            now.put(new Key(fabric.nodeGuid(trouble.node()), trouble.attributeId()), fabric.device(trouble.node()));
        }
        boolean isNews = errors.count() > 0 && !known.keySet().containsAll(now.keySet()) || now.isEmpty();
        if (isNews) {
            errors.described().forEach(what -> EVENTS.report(SmEvent.DEVICE_TROUBLE.says(what)));
        }
        known.forEach((key, name) -> {
            if (!now.containsKey(key)) {
                EVENTS.report(
                        SmEvent.DEVICE_TROUBLE_OVER,
                        EventField.NAME.of(name),
                        EventField.ATTRIBUTE.of(String.format("0x%04x", key.attributeId)));
            }
        });
        known = now;
        dead = errors.givenUp().stream()
                .filter(node -> !fabric.isSwitch(node))
                .map(fabric::nodeGuid)
                .collect(Collectors.toCollection(TreeSet::new));
        return Collections.unmodifiableSet(new LinkedHashSet<>(now.keySet()));
    }

    /**
     * A sweep of a part begins to write: a change is waiting to be answered, so what a device is known not to take is not tried in it, if
     * nobody else needs that, and it cannot have restarted since. That is for light sweeps, at the pace of each.
     *
     * @param fabric that is written
     * @param hasChanged whether a switch says that a port of it changed, by NodeGUID
     */
    public void passOver(Fabric fabric, ProgrammingErrors errors, LongPredicate hasChanged) {
        for (Key key : known.keySet()) {
            int node = fabric.nodeByGuid(key.nodeGuid);
            if (isAlone(fabric, node, key) && !mayHaveRestarted(fabric, node, hasChanged)) {
                errors.passOver(node, key.attributeId);
                if (dead.contains(key.nodeGuid)) {
                    errors.isDead(node);
                }
            }
        }
    }

    /**
     * A sweep of everything begins to write: what a device is known not to take, and nobody else needs, is tried again, and not waited for
     * as long as anything else. Who is well answers at once.
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
                || !fabric.isSwitch(node)
                        && IntStream.rangeClosed(1, fabric.numPorts(node))
                                .map(portNum -> fabric.peer(fabric.port(node, portNum)))
                                .anyMatch(far ->
                                        far != Fabric.NONE && hasChanged.test(fabric.nodeGuid(fabric.nodeOf(far))));
    }

    /** Another SM is master: what devices take is its business. */
    public void forget() {
        known = new LinkedHashMap<>();
        dead = Set.of();
    }
}
