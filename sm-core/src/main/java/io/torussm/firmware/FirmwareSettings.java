package io.torussm.firmware;

/**
 * The settings of the reading of firmware versions. They are not those of the counters, whose turn begins again with
 * other settings.
 *
 * @param firmwareVersions whether firmware versions are read, by the client of the counters
 */
public record FirmwareSettings(boolean firmwareVersions) {}
