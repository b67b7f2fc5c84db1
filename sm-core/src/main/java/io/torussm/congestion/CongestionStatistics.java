package io.torussm.congestion;

import java.util.List;

/**
 * The state of congestion control.
 *
 * @param isOn whether devices are set
 * @param devices switches and ports of channel adapters
 * @param set devices that have all settings
 * @param failed devices that refuse, do not respond, or do not change
 * @param sets Sets since the start
 * @param marks congestion events of present switches, from their logs
 * @param triggers events of present channel adapters whose flows reached Trigger_Threshold
 * @param congested devices with events, those with most first, {@value #MAX_CONGESTED} at most
 */
public record CongestionStatistics(
        boolean isOn,
        int devices,
        int set,
        int failed,
        long sets,
        long marks,
        long triggers,
        List<CongestedPort> congested) {
    /** Devices in the list. */
    public static final int MAX_CONGESTED = 50;

    /** Before the first subnet. */
    public static final CongestionStatistics NONE = new CongestionStatistics(false, 0, 0, 0, 0, 0, 0, List.of());

    /** Copies the list. */
    public CongestionStatistics {
        congested = List.copyOf(congested);
    }
}
