package io.torussm.program.port;

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
 * The search for Mellanox switches that choose routes themselves, which another manager may have enabled: adaptive
 * routing, fallback routing and routing notifications (SHIELD). A certificate does not cover packets that deviate from
 * the tables. Each switch is asked once, and again after every sweep while such a mode is on. A switch that does not
 * support the attribute rejects it, and is not asked again. Owner thread: the loop, except for {@link #remarks}.
 */
public final class AdaptiveRoutingWatch {
    private static final EventLog EVENTS = EventLog.of(AdaptiveRoutingWatch.class);

    private static final Set<Long> VENDORS = Set.of(0x0002c9L, 0x00119fL);

    private final MadClient client;

    /** NodeGUIDs of switches that answered or rejected the question. */
    private final Set<Long> asked = new HashSet<>();

    /** Questions by NodeGUID, in this order. The current one is removed when its request has ended. */
    private final Map<Long, Runnable> waiting = new LinkedHashMap<>();

    private boolean isAsking;

    /** Switches that choose routes themselves, by NodeGUID. */
    private volatile Map<Long, On> on = Map.of();

    private record On(DeviceText name, String what) {}

    /** Creates a watch that has read no device yet. */
    public AdaptiveRoutingWatch(MadClient client) {
        this.client = client;
    }

    /** Returns the limits of the certificate of the routes, one sentence each; empty if there are none. Any thread. */
    public List<String> remarks() {
        return on.values().stream()
                .map(each -> "does not hold for packets through " + each.name + ": " + each.what)
                .toList();
    }

    /** Asks the switches of a published subnet that are due. */
    public void look(Fabric fabric) {
        Set<Long> presentGuids = new HashSet<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            NodeInfo info = fabric.node(sw).info();
            long guid = info.nodeGuid();
            if (VENDORS.contains(info.get(NodeInfo.VENDOR_ID))) {
                presentGuids.add(guid);
                if (!asked.contains(guid) || on.containsKey(guid)) {
                    int index = sw;
                    waiting.put(guid, () -> ask(fabric, index)); // also again, since the path may have changed
                }
            }
        }
        asked.retainAll(presentGuids);
        waiting.keySet().retainAll(presentGuids);
        askNext();
        on.keySet().stream().filter(guid -> !presentGuids.contains(guid)).forEach(this::noteOff);
    }

    /** Asks one switch at a time: switches without an answer must not delay the SMPs of sweeps. */
    private void askNext() {
        if (!isAsking && !waiting.isEmpty()) {
            isAsking = true;
            waiting.values().iterator().next().run();
        }
    }

    /** Discards the state: another SM is master, which controls the fabric. */
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
                    noteOff(guid);
                } else {
                    noteOn(guid, new On(name, String.join(", ", what)));
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

    private void noteOn(long guid, On current) {
        Map<Long, On> more = new TreeMap<>(on);
        if (more.put(guid, current) == null) {
            EVENTS.report(
                    SmEvent.ADAPTIVE_ROUTING_ON, EventField.NAME.of(current.name), EventField.TEXT.of(current.what));
        }
        on = more;
    }

    private void noteOff(long guid) {
        Map<Long, On> fewer = new TreeMap<>(on);
        On previous = fewer.remove(guid);
        if (previous != null) {
            EVENTS.report(SmEvent.ADAPTIVE_ROUTING_OFF, EventField.NAME.of(previous.name));
        }
        on = fewer;
    }
}
