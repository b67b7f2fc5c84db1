package io.torussm.program;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.AdaptiveRoutingInfo;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.transport.MadClient;
import io.torussm.transport.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Asks Mellanox switches whether they route by themselves, which another manager may have left on: adaptive routing, fallback
 * routing and routing notifications (SHIELD). A certificate says nothing of packets that do not keep to the tables. Each switch
 * is asked once; those that said yes after every sweep of which this hears, until they say no. A switch that does not know the
 * attribute refuses it, and is not asked again. Owner thread: the loop, except for {@link #remarks}.
 */
public final class AdaptiveRoutingWatch {
    private static final EventLog EVENTS = EventLog.of(AdaptiveRoutingWatch.class);

    private static final Set<Long> VENDORS = Set.of(0x0002c9L, 0x00119fL);

    private final MadClient client;
    private final Set<Long> asked = new HashSet<>();
    private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
    private boolean isAsking;
    private volatile Map<Long, String> on = Map.of();

    public AdaptiveRoutingWatch(MadClient client) {
        this.client = client;
    }

    /** What the certificate of the routes does not say, a sentence each; empty if there is nothing. Any thread. */
    public List<String> remarks() {
        return on.values().stream()
                .map(what -> "does not hold for packets through " + what)
                .toList();
    }

    /** Asks the switches of a subnet that is up, as far as they have to be. */
    public void look(Fabric fabric) {
        Set<Long> there = new HashSet<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            NodeInfo info = fabric.node(sw).info();
            long guid = info.nodeGuid();
            if (VENDORS.contains(info.get(NodeInfo.VENDOR_ID))) {
                there.add(guid);
                if (asked.add(guid) || on.containsKey(guid)) {
                    int index = sw;
                    waiting.add(() -> ask(fabric, index));
                }
            }
        }
        asked.retainAll(there);
        askNext();
        List.copyOf(on.keySet()).stream()
                .filter(guid -> !there.contains(guid))
                .forEach(guid -> isOff(guid, DeviceText.named(Guid.format(guid), EventField.GUID.of(guid))));
    }

    /** One at a time: switches that leave it unanswered must not keep the wire from sweeps. */
    private void askNext() {
        Runnable next = isAsking ? null : waiting.poll();
        if (next != null) {
            isAsking = true;
            next.run();
        }
    }

    /** Another SM sees to the fabric: nothing is known of it any more. */
    public void forget() {
        asked.clear();
        waiting.clear();
        on = Map.of();
    }

    private void ask(Fabric fabric, int sw) {
        long guid = fabric.nodeGuid(sw);
        DeviceText name = fabric.device(sw);
        client.scope().get(AdaptiveRoutingInfo.TYPE, fabric.node(sw).path(), 0, outcome -> {
            isAsking = false;
            askNext();
            if (!asked.contains(guid)) {
                return;
            }
            if (outcome instanceof Outcome.Reply<AdaptiveRoutingInfo> reply) {
                List<String> what = enabled(reply.value());
                if (what.isEmpty()) {
                    isOff(guid, name);
                } else {
                    isOn(guid, name, String.join(", ", what));
                }
            } else if (outcome instanceof Outcome.Failure<AdaptiveRoutingInfo> failure
                    && failure.kind() == Outcome.Kind.CANCELLED) {
                asked.remove(guid);
            }
        });
    }

    private static List<String> enabled(AdaptiveRoutingInfo info) {
        List<String> what = new ArrayList<>();
        if (info.get(AdaptiveRoutingInfo.ENABLED) != 0) {
            what.add("adaptive routing");
        }
        if (info.get(AdaptiveRoutingInfo.FR_ENABLED) != 0) {
            what.add("fallback routing");
        }
        if (info.get(AdaptiveRoutingInfo.RN_XMIT_ENABLED) != 0) {
            what.add("routing notifications (SHIELD)");
        }
        return what;
    }

    private void isOn(long guid, DeviceText name, String what) {
        Map<Long, String> more = new TreeMap<>(on);
        if (more.put(guid, name + ": " + what) == null) {
            EVENTS.report(SmEvent.ADAPTIVE_ROUTING_ON, EventField.NAME.of(name), EventField.TEXT.of(what));
        }
        on = more;
    }

    private void isOff(long guid, DeviceText name) {
        Map<Long, String> fewer = new TreeMap<>(on);
        if (fewer.remove(guid) != null) {
            EVENTS.report(SmEvent.ADAPTIVE_ROUTING_OFF, EventField.NAME.of(name));
        }
        on = fewer;
    }
}
