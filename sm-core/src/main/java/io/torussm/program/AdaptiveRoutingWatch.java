package io.torussm.program;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.AdaptiveRoutingInfo;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.transport.MadClient;
import io.torussm.transport.Outcome;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
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
    /** NodeGUIDs of switches that answered, or will not. */
    private final Set<Long> asked = new HashSet<>();

    /** By NodeGUID, in this order: what is to be asked; the one being asked stays in until its request has ended. */
    private final Map<Long, Runnable> waiting = new LinkedHashMap<>();

    private boolean isAsking;

    /** By NodeGUID: switches that route by themselves. */
    private volatile Map<Long, On> on = Map.of();

    private record On(DeviceText name, String what) {}

    public AdaptiveRoutingWatch(MadClient client) {
        this.client = client;
    }

    /** What the certificate of the routes does not say, a sentence each; empty if there is nothing. Any thread. */
    public List<String> remarks() {
        return on.values().stream()
                .map(each -> "does not hold for packets through " + each.name + ": " + each.what)
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
                if (!asked.contains(guid) || on.containsKey(guid)) {
                    int index = sw;
                    waiting.put(guid, () -> ask(fabric, index)); // also anew, since the path may be another one
                }
            }
        }
        asked.retainAll(there);
        waiting.keySet().retainAll(there);
        askNext();
        on.keySet().stream().filter(guid -> !there.contains(guid)).forEach(this::isOff);
    }

    /** One at a time: switches that leave it unanswered must not keep the wire from sweeps. */
    private void askNext() {
        if (!isAsking && !waiting.isEmpty()) {
            isAsking = true;
            waiting.values().iterator().next().run();
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
            boolean isWanted = waiting.remove(guid) != null; // or the switch has gone, or another SM is master
            askNext();
            if (!isWanted) {
                return;
            }
            asked.add(guid);
            if (outcome instanceof Outcome.Reply<AdaptiveRoutingInfo> reply) {
                List<String> what = enabled(reply.value());
                if (what.isEmpty()) {
                    isOff(guid);
                } else {
                    isOn(guid, new On(name, String.join(", ", what)));
                }
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

    private void isOn(long guid, On now) {
        Map<Long, On> more = new TreeMap<>(on);
        if (more.put(guid, now) == null) {
            EVENTS.report(SmEvent.ADAPTIVE_ROUTING_ON, EventField.NAME.of(now.name), EventField.TEXT.of(now.what));
        }
        on = more;
    }

    private void isOff(long guid) {
        Map<Long, On> fewer = new TreeMap<>(on);
        On before = fewer.remove(guid);
        if (before != null) {
            EVENTS.report(SmEvent.ADAPTIVE_ROUTING_OFF, EventField.NAME.of(before.name));
        }
        on = fewer;
    }
}
