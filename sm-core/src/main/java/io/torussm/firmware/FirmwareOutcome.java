package io.torussm.firmware;

/** The outcome of the last reading of a device. A cancelled request changes none. */
public enum FirmwareOutcome {
    /** No request has an outcome yet. */
    WAITING,
    READ,
    /** The device rejected a request, or is always busy. */
    REJECTED,
    SILENT,
    /** The device responded, and its response or version is implausible. */
    IMPLAUSIBLE
}
