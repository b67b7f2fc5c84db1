package io.torussm.sweep.state;

import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.LostCable;
import io.torussm.view.PlacedSubnet;
import java.util.Collection;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Numbers of known parts that are absent, without those that are excluded from the subnet.
 *
 * @param switches number of absent switches
 * @param endports number of absent ports of hosts
 * @param links number of absent cables
 * @param switchLinks number of absent cables between switches
 */
public record MissingParts(int switches, int endports, int links, int switchLinks) {
    /** No missing parts. */
    public static final MissingParts NONE = new MissingParts(0, 0, 0, 0);

    /** Counts the absent parts of a state. */
    public static MissingParts of(FabricState state) {
        PlacedSubnet found = state.found();
        Collection<LostCable> cables = state.absences().cables();
        if (found == null || cables.isEmpty()) {
            return NONE;
        }
        Collection<Absences.Device> devices = state.absences().devices(found.fabric());
        int switches =
                (int) devices.stream().filter(device -> device.end().isSwitch()).count();
        return new MissingParts(switches, devices.size() - switches, cables.size(), (int)
                cables.stream().filter(LostCable::isBetweenSwitches).count());
    }

    /** Returns the absent ports of hosts, in words; empty if there are none. */
    String hosts() {
        return endports == 0 ? "" : endports + (endports == 1 ? " host port absent" : " host ports absent");
    }

    /**
     * Returns the parts whose loss leaves the subnet with less redundancy, in words; empty if there are none. Hosts are
     * no such parts: they restart every day.
     */
    String degradation() {
        return Stream.of(
                        switches == 0 ? "" : switches + (switches == 1 ? " switch absent" : " switches absent"),
                        switchLinks == 0
                                ? ""
                                : switchLinks + (switchLinks == 1 ? " link" : " links") + " between switches down")
                .filter(part -> !part.isEmpty())
                .collect(Collectors.joining(", "));
    }
}
