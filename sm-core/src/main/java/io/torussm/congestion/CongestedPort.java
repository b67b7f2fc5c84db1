package io.torussm.congestion;

import io.torussm.event.DeviceText;
import io.torussm.mad.congestion.CongestionLog;
import java.util.BitSet;
import java.util.stream.IntStream;

/**
 * The congestion events of a switch that marked packets, or of a port of a channel adapter whose flows were slowed
 * down beyond Trigger_Threshold. The log of a device begins again with each reading.
 *
 * @param nodeGuid GUID of the node
 * @param portNum port of the channel adapter; 0 for a switch
 * @param events events since the SM sets the device
 * @param latest events in the last log that had any
 * @param ports ports of the switch that marked packets; empty for a channel adapter
 * @param sls SLs of the channel adapter that reached Trigger_Threshold; empty for a switch
 */
public record CongestedPort(
        DeviceText name, long nodeGuid, int portNum, long events, long latest, BitSet ports, BitSet sls) {
    /** Copies the sets. */
    public CongestedPort {
        ports = (BitSet) ports.clone();
        sls = (BitSet) sls.clone();
    }

    @Override
    public BitSet ports() {
        return (BitSet) ports.clone();
    }

    @Override
    public BitSet sls() {
        return (BitSet) sls.clone();
    }

    /** Checks whether this is a switch. */
    public boolean isSwitch() {
        return portNum == 0;
    }

    /** Returns a copy with the events of a log, in the form of the type of device. */
    CongestedPort plus(CongestionLog log) {
        long count = log.get(CongestionLog.EVENT_COUNTER);
        BitSet allPorts = ports();
        BitSet allSls = sls();
        if (isSwitch()) {
            IntStream.of(log.markingPorts()).forEach(allPorts::set);
        } else {
            allSls.or(BitSet.valueOf(new long[] {log.get(CongestionLog.EVENT_MAP)}));
        }
        return new CongestedPort(name, nodeGuid, portNum, events + count, count, allPorts, allSls);
    }
}
