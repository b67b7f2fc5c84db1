package io.torussm.view;

import java.util.Collection;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The absent devices at the ends of excluded cables. The SM itself keeps the link to such a device down, so the
 * device may work and is no loss. Immutable.
 */
final class HiddenDevices {
    private final Collection<LostCable> excluded;
    private final LongPredicate isPresent;
    /** The port GUIDs of these devices. */
    private final Set<Long> guids;

    /**
     * Collects the absent devices.
     *
     * @param excluded absent cables that are excluded from the subnet, such as drained ones
     * @param isPresent test whether the fabric has an end port with a port GUID
     */
    HiddenDevices(Collection<LostCable> excluded, LongPredicate isPresent) {
        this.excluded = excluded;
        this.isPresent = isPresent;
        guids = excluded.stream()
                .flatMap(cable -> Stream.of(cable.near(), cable.far()))
                .filter(this::isAbsent)
                .map(end -> end.port().portGuid())
                .collect(Collectors.toSet());
    }

    /**
     * Checks whether an absent cable ends at a hidden device. Such a cable does not count as lost, even if its own
     * exclusion has ended, while the device has another excluded cable.
     */
    boolean hides(LostCable cable) {
        return guids.contains(cable.near().port().portGuid())
                || guids.contains(cable.far().port().portGuid());
    }

    /**
     * Returns the port GUIDs of the switches that are hidden and not lost. A switch is lost if a cable between it
     * and a present device is lost, since the SM did not take this cable down.
     *
     * @param missed absent cables that are not excluded
     */
    Set<Long> switches(Collection<LostCable> missed) {
        Set<Long> hidden = besidePresent(excluded);
        hidden.removeAll(besidePresent(missed));
        return hidden;
    }

    /** Returns the port GUIDs of absent switches that have one of these cables to a present device. */
    private Set<Long> besidePresent(Collection<LostCable> cables) {
        return cables.stream()
                .flatMap(cable -> Stream.of(cable.near(), cable.far())
                        .filter(end -> end.isSwitch() && isAbsent(end) && !isAbsent(cable.across(end))))
                .map(end -> end.port().portGuid())
                .collect(Collectors.toSet());
    }

    private boolean isAbsent(LostCable.LostEnd end) {
        return !isPresent.test(end.port().portGuid());
    }
}
