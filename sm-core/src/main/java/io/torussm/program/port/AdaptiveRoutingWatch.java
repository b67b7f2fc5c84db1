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
 * The search for Mellanox switches that select routes on their own: adaptive routing, fallback routing and routing
 * notifications (SHIELD), which another manager may have enabled. A certificate does not cover packets that deviate
 * from the tables. Each switch is read once, and again after every sweep while such a mode is on. A switch that does
 * not support the attribute rejects the Get, and is not read again. Owner thread: the loop, except for {@link
 * #remarks}.
 */
public final class AdaptiveRoutingWatch {
    private static final EventLog EVENTS = EventLog.of(AdaptiveRoutingWatch.class);

    /** Vendor IDs of switches that may have the attribute. */
    private static final Set<Long> VENDORS = Set.of(0x0002c9L, 0x00119fL);

    private final MadClient client;

    /** NodeGUIDs of switches whose last request ended, with or without a response. */
    private final Set<Long> triedSwitches = new HashSet<>();

    /** Requests to send by NodeGUID, in this order. The entry of the current request is removed when it ends. */
    private final Map<Long, Runnable> pendingRequests = new LinkedHashMap<>();

    private boolean isRequestOutstanding;

    /** Switches that choose routes themselves, by NodeGUID. */
    private volatile Map<Long, AdaptiveSwitch> adaptiveSwitches = Map.of();

    /** A switch with such a mode, and the names of its modes. */
    private record AdaptiveSwitch(DeviceText name, String modes) {}

    /** Creates a watch that has read no device yet. */
    public AdaptiveRoutingWatch(MadClient client) {
        this.client = client;
    }

    /** Returns the limits of the certificate of the routes, one sentence for each switch; may be empty. Any thread. */
    public List<String> remarks() {
        return adaptiveSwitches.values().stream()
                .map(each -> "does not hold for packets through " + each.name + ": " + each.modes)
                .toList();
    }

    /** Reads the switches of a published subnet that were not yet read, or that have such a mode. */
    public void update(Fabric fabric) {
        Set<Long> presentGuids = new HashSet<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            NodeInfo info = fabric.node(sw).info();
            long guid = info.nodeGuid();
            if (VENDORS.contains(info.get(NodeInfo.VENDOR_ID))) {
                presentGuids.add(guid);
                if (!triedSwitches.contains(guid) || adaptiveSwitches.containsKey(guid)) {
                    int swIndex = sw;
                    pendingRequests.put(
                            guid, () -> read(fabric, swIndex)); // also again, since the path may have changed
                }
            }
        }
        triedSwitches.retainAll(presentGuids);
        pendingRequests.keySet().retainAll(presentGuids);
        readNext();
        adaptiveSwitches.keySet().stream()
                .filter(guid -> !presentGuids.contains(guid))
                .forEach(this::reportEnd);
    }

    /** Sends one request at a time, because switches without a response must not delay the SMPs of sweeps. */
    private void readNext() {
        if (!isRequestOutstanding && !pendingRequests.isEmpty()) {
            isRequestOutstanding = true;
            pendingRequests.values().iterator().next().run();
        }
    }

    /** Discards the state: another SM is master, which controls the fabric. */
    public void forget() {
        triedSwitches.clear();
        pendingRequests.clear();
        adaptiveSwitches = Map.of();
    }

    private void read(Fabric fabric, int sw) {
        long guid = fabric.nodeGuid(sw);
        DeviceText name = fabric.device(sw);
        client.scope().get(AdaptiveRoutingInfo.TYPE, fabric.node(sw).path(), 0, outcome -> {
            isRequestOutstanding = false;
            boolean isWanted = pendingRequests.remove(guid) != null; // or the switch has gone, or another SM is master
            readNext();
            if (!isWanted) {
                return;
            }
            triedSwitches.add(guid);
            if (outcome instanceof Outcome.Reply<AdaptiveRoutingInfo> reply) {
                List<String> modes = enabledModes(reply.value());
                if (modes.isEmpty()) {
                    reportEnd(guid);
                } else {
                    reportBegin(guid, new AdaptiveSwitch(name, String.join(", ", modes)));
                }
            }
        });
    }

    private static List<String> enabledModes(AdaptiveRoutingInfo info) {
        List<String> modes = new ArrayList<>();
        if (info.get(AdaptiveRoutingInfo.ENABLED) != 0) {
            modes.add("adaptive routing");
        }
        if (info.get(AdaptiveRoutingInfo.FR_ENABLED) != 0) {
            modes.add("fallback routing");
        }
        if (info.get(AdaptiveRoutingInfo.RN_XMIT_ENABLED) != 0) {
            modes.add("routing notifications (SHIELD)");
        }
        return modes;
    }

    private void reportBegin(long guid, AdaptiveSwitch current) {
        Map<Long, AdaptiveSwitch> more = new TreeMap<>(adaptiveSwitches);
        if (more.put(guid, current) == null) {
            EVENTS.report(
                    SmEvent.ADAPTIVE_ROUTING_ON, EventField.NAME.of(current.name), EventField.TEXT.of(current.modes));
        }
        adaptiveSwitches = more;
    }

    private void reportEnd(long guid) {
        Map<Long, AdaptiveSwitch> fewer = new TreeMap<>(adaptiveSwitches);
        AdaptiveSwitch previous = fewer.remove(guid);
        if (previous != null) {
            EVENTS.report(SmEvent.ADAPTIVE_ROUTING_OFF, EventField.NAME.of(previous.name));
        }
        adaptiveSwitches = fewer;
    }
}
