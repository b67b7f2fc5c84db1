package io.torussm.firmware;

/** The outcome of the last reading of a device. */
public enum FirmwareOutcome {
    /** The first request has no outcome yet. */
    WAITING,
    READ,
    /** The device rejected a request, or is always busy. */
    REJECTED,
    SILENT,
    /** The device responded, and its version is implausible. */
    IMPLAUSIBLE
}
