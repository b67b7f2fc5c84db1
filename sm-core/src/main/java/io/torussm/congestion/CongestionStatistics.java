package io.torussm.congestion;

/**
 * The state of the settings of congestion control.
 *
 * @param isOn whether devices are set
 * @param devices switches and ports of channel adapters
 * @param set devices that have all settings
 * @param failed devices that refuse, do not respond, or do not change
 * @param sets Sets since the start
 */
public record CongestionStatistics(boolean isOn, int devices, int set, int failed, long sets) {
    /** Before the first subnet. */
    public static final CongestionStatistics NONE = new CongestionStatistics(false, 0, 0, 0, 0);
}
