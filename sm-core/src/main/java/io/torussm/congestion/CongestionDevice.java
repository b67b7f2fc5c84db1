package io.torussm.congestion;

import io.torussm.event.DeviceText;
import io.torussm.mad.congestion.CongestionLog;
import io.torussm.transport.MadAddress;
import java.util.concurrent.TimeUnit;

/** A switch or a port of a channel adapter, and the state of its settings. Owner thread: the loop of the manager. */
final class CongestionDevice {
    private static final long FIRST_PAUSE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int MAX_DOUBLINGS = 5;
    private static final int MAX_BAD_LOGS = 3;

    final MadAddress address;
    final DeviceText name;
    final boolean isSwitch;

    /** The next step of the present run. */
    int nextStep;

    /** True while a run is waiting or under way. */
    boolean isBusy;

    /** True if the device left, or everything is to be checked again: outstanding responses are discarded. */
    boolean isStale;

    /** True if its failure was reported. */
    boolean isReported;

    /** The key that its Sets carry; 0 for none. */
    long key;

    /** Runs that failed since the last good one. */
    int failures;

    /** The time before which it is not asked again. */
    long notBeforeNs;

    /** Responses to Get(CongestionLog) with a status other than Busy, since the last log. */
    int badLogs;

    /** The events of its log since it is known. */
    CongestedPort congested;

    /** @param none events before the first log */
    CongestionDevice(MadAddress address, DeviceText name, CongestedPort none) {
        this.address = address;
        this.name = name;
        isSwitch = none.isSwitch();
        congested = none;
    }

    /** Checks whether this device has refused its log several times. A device that starts may refuse once. */
    boolean hasNoLog() {
        return badLogs >= MAX_BAD_LOGS;
    }

    /** Adds the events of a log, unless it is of another type of device. */
    void addLog(CongestionLog log) {
        if (log.isOfSwitch() == isSwitch && log.get(CongestionLog.EVENT_COUNTER) > 0) {
            congested = congested.plus(log);
        }
    }

    /** Notes a failed run: the pause doubles each time, from a minute to 32 minutes. */
    void noteFailure(long nowNs) {
        notBeforeNs = nowNs + (FIRST_PAUSE_NS << Math.min(failures, MAX_DOUBLINGS));
        failures++;
    }

    /** Notes a good run. */
    void noteSuccess(long nowNs, long pauseNs) {
        failures = 0;
        notBeforeNs = nowNs + pauseNs;
    }
}
