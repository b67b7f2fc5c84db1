package io.torussm.sweep.state;

import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import java.util.Collection;

/**
 * Numbers of known parts that are absent, without those that are excluded from the subnet.
 *
 * @param switches number of absent switches
 * @param endports number of absent ports of hosts
 * @param links number of absent cables
 */
public record MissingParts(int switches, int endports, int links) {
    /** No missing parts. */
    public static final MissingParts NONE = new MissingParts(0, 0, 0);

    /** Counts the absent parts of a state. */
    public static MissingParts of(FabricState state) {
        PlacedSubnet found = state.found();
        int cables = state.absences().cables().size();
        if (found == null || cables == 0) {
            return NONE;
        }
        Collection<Absences.Device> devices = state.absences().devices(found.fabric());
        int switches =
                (int) devices.stream().filter(device -> device.end().isSwitch()).count();
        return new MissingParts(switches, devices.size() - switches, cables);
    }
}
