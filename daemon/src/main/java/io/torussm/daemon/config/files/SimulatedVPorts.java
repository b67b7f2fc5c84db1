package io.torussm.daemon.config.files;

import io.torussm.mad.vport.VPortModifier;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.model.VPortModel.VPortActivation;
import io.torussm.sim.model.VPortModel.VPortLids;
import io.torussm.sim.model.VendorModel;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The virtual ports of one entry of a file of {@link SimulatedDevices}. */
final class SimulatedVPorts {
    static final Set<String> KEYS = Set.of(
            "vports", "vport_lids", "vport_order", "vport_activation", "vport_trap", "no_vport", "virtualization");

    private static final int MAX_INDEX = 0xffff;
    private static final Map<String, VPortLids> LIDS =
            new TreeMap<>(Map.of("shared", VPortLids.SHARED, "own", VPortLids.OWN, "chained", VPortLids.CHAINED));
    private static final Map<String, VPortModifier> ORDERS = new TreeMap<>(
            Map.of("upper", VPortModifier.VPORT_IN_UPPER_HALF, "lower", VPortModifier.VPORT_IN_LOWER_HALF));
    private static final Map<String, VPortActivation> ACTIVATIONS =
            new TreeMap<>(Map.of("armed", VPortActivation.BY_ARMED, "direct", VPortActivation.DIRECT));

    private SimulatedVPorts() {}

    /** Returns the vendor attributes of a device with the changes of an entry to its virtual ports. */
    static VendorModel change(VendorModel previous, HoconObject entry) {
        VPortModel old = previous.vports();
        int count = entry.integer("vports", 0, MAX_INDEX, old.count());
        if (count == 0) {
            return previous.with(VPortModel.NONE);
        }
        VPortModel model = old.count() == 0 ? VPortModel.of(count) : old.withCount(count);
        VPortModel changed = model.with(word(entry, "vport_lids", LIDS, model.lids()))
                .with(word(entry, "vport_order", ORDERS, model.modifier()))
                .with(word(entry, "vport_activation", ACTIVATIONS, model.activation()))
                .withTrap(entry.integer("vport_trap", 0, MAX_INDEX, model.trap()))
                .withNoVPort(entry.integer("no_vport", 0, MAX_INDEX, model.noVPort()));
        return previous.with(entry.flag("virtualization", model.isEnabled()) ? changed.enabled() : changed.disabled());
    }

    private static <T> T word(HoconObject entry, String key, Map<String, T> words, T standard) {
        return entry.has(key) ? entry.choice(key, entry.text(key), words, standard) : standard;
    }
}
