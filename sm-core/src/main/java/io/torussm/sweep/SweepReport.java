package io.torussm.sweep;

import java.util.List;
import java.util.Locale;

/**
 * What a heavy sweep did, for the log.
 *
 * @param sweep number of the sweep, from 1
 * @param switches switches found
 * @param endports CA and router ports found
 * @param links cables found
 * @param smpsSent SMPs sent, retries included
 * @param written table entries written: LFT, multicast and P_Key blocks, SL2VL rows, VL arbitration parts, SwitchInfo
 * @param activated ports that became ACTIVE
 * @param stageNs nanoseconds of discovery, routing with proof, programming, activation
 * @param trouble writes that failed, the first few in words
 */
public record SweepReport(
        long sweep,
        int switches,
        int endports,
        int links,
        long smpsSent,
        long written,
        int activated,
        List<Long> stageNs,
        List<String> trouble) {

    /** One line: counts and stage times. */
    public String line() {
        return String.format(
                Locale.ROOT,
                "%d switches, %d host ports, %d links; %d tables written, %d ports activated, %d SMPs; "
                        + "discover %.3f s, route %.3f s, program %.3f s, activate %.3f s",
                switches,
                endports,
                links,
                written,
                activated,
                smpsSent,
                stageNs.get(0) / 1e9,
                stageNs.get(1) / 1e9,
                stageNs.get(2) / 1e9,
                stageNs.get(3) / 1e9);
    }
}
