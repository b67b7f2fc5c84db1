package io.torussm.daemon.config;

import io.torussm.mastership.MastershipDriver;
import io.torussm.mastership.Trust;
import io.torussm.program.SweepSettings;
import io.torussm.report.EventReporter;
import io.torussm.subnet.LinkSettings;

/** The options as the stages of the SM know them, which do not know the configuration. */
public final class StageSettings {
    private StageSettings() {}

    /** What sweeps need to know of the options. */
    public static SweepSettings sweep(SmOptions options) {
        return new SweepSettings(
                options.addresses().subnetPrefix(),
                options.addresses().lmc(),
                options.addresses().lmcEsp0(),
                options.addresses().reassignLids(),
                options.keys().mKey(),
                options.keys().mKeyLeasePeriodS(),
                options.keys().mKeyProtectBits(),
                options.links().subnetTimeout(),
                options.links().packetLifeTime(),
                links(options.links()),
                options.routing().qos(),
                options.routing().smSl(),
                options.sweeps().disablesBabblers());
    }

    /** What sending Reports needs to know of the options. */
    public static EventReporter.Settings reports(SmOptions options) {
        return new EventReporter.Settings(
                options.mads().timeoutMs(),
                options.mads().retries(),
                options.routing().smSl(),
                options.events().dropsSubscriptions());
    }

    /** What mastership needs to know of the options as they are, and of the keys as they were at the start. */
    public static MastershipDriver.Settings mastership(SmOptions.Mastership standing, SmOptions.Keys keys) {
        return new MastershipDriver.Settings(
                standing.priority(),
                standing.pollMs(),
                standing.pollRetries(),
                keys.mKeyProtectBits(),
                new Trust(keys.smKey(), standing.trustedKeys(), standing.trustedGuids()),
                standing.isInactive());
    }

    /** What ports are set to, as the stages of a sweep know it. */
    public static LinkSettings links(SmOptions.Links links) {
        return new LinkSettings(
                links.maxOpVls(),
                links.hoqLife(),
                links.leafHoqLife(),
                links.vlStallCount(),
                links.leafVlStallCount(),
                links.localPhyErrors(),
                links.overrunErrors());
    }
}
