package io.torussm.sweep.stages;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.quarantine.DeadEnds;
import io.torussm.quarantine.DeviceTroubles;
import io.torussm.quarantine.Quarantine;
import io.torussm.quarantine.RetryPace;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.Drains;
import io.torussm.transport.Loop;
import java.util.List;

/**
 * The faults of devices that are remembered across sweeps. Owner thread: the loop.
 *
 * @param quarantine excluded devices
 * @param deadEnds links of excluded devices that are taken down
 * @param troubles attributes that devices reject
 * @param retries pace of the repetition of failed writes
 * @param found findings of discovery
 * @param routed findings of engines
 * @param lids ports that report other LIDs than they have, and LIDs that switches claim not to forward
 * @param pKeys ports without room for their P_Keys
 */
public record DeviceFaults(
        Quarantine quarantine,
        DeadEnds deadEnds,
        DeviceTroubles troubles,
        RetryPace retries,
        StandingFindings found,
        StandingFindings routed,
        StandingFindings lids,
        StandingFindings pKeys) {
    /** Returns the state in which no device has a fault. */
    public static DeviceFaults none(Loop loop, Drains drains) {
        Quarantine quarantine = new Quarantine(loop, drains);
        return new DeviceFaults(
                quarantine,
                new DeadEnds(quarantine),
                new DeviceTroubles(),
                new RetryPace(),
                new StandingFindings(),
                new StandingFindings(),
                new StandingFindings(),
                new StandingFindings());
    }

    /**
     * Processes the anomalies of a discovered fabric.
     *
     * @param isWhole whether all of the fabric was read
     */
    public void found(Fabric fabric, boolean isWhole) {
        List<Finding> anomalies =
                fabric.anomalies().stream().map(SmEvent.FABRIC_ANOMALY::finding).toList();
        if (isWhole) {
            found.update(anomalies);
        } else {
            found.updatePart(anomalies);
        }
    }

    /** Processes the end of a sweep; returns whether another sweep must follow immediately because of a failure. */
    public boolean onSweepEnd(Fabric fabric, ProgrammingErrors errors) {
        deadEnds.updateHostPorts(fabric);
        return quarantine.onSweepEnd(fabric, errors);
    }

    /** Forgets all faults, because another SM is master. */
    public void forget() {
        quarantine.forget();
        deadEnds.forget();
        troubles.forget();
        retries.forget();
        found.forget();
        routed.forget();
        lids.forget();
        pKeys.forget();
    }
}
