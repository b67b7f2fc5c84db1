package io.torussm.daemon.assembly;

import io.torussm.congestion.CongestionManager;
import io.torussm.daemon.config.SmOptions;
import io.torussm.firmware.FirmwareReader;
import io.torussm.perf.PerformanceManager;
import io.torussm.transport.MadClient;
import io.torussm.view.PublishedView;

/**
 * The users of the agents behind QP1, on a loop of their own: the performance manager, the manager of congestion
 * control, and the reader of firmware. They share a client, with its window and rate.
 */
public final class AgentManagers {
    private final SmSettings settings;
    private final PerformanceManager counters;
    private final CongestionManager congestion;
    private final FirmwareReader firmware;

    AgentManagers(SmPlatform platform, MadClient client, SmSettings settings) {
        this.settings = settings;
        counters = CounterPolling.on(platform, client, settings);
        congestion = new CongestionManager(
                platform.perf(), counters.client(), () -> settings.options().congestion());
        firmware = new FirmwareReader(
                platform.perf(), counters.client(), () -> settings.perf().firmwareVersions());
    }

    /** Returns the reader of counters. */
    public PerformanceManager counters() {
        return counters;
    }

    /** Returns the manager of congestion control. */
    public CongestionManager congestion() {
        return congestion;
    }

    /** Returns the reader of firmware versions. */
    public FirmwareReader firmware() {
        return firmware;
    }

    void subnetUp(PublishedView view) {
        counters.subnetUp(view);
        congestion.subnetUp(view);
        firmware.subnetUp(view);
    }

    void settingsChanged(SmOptions former) {
        if (!former.perf().equals(settings.perf())) {
            counters.settingsChanged();
            firmware.settingsChanged();
        }
        if (!former.congestion().equals(settings.options().congestion())) {
            congestion.settingsChanged();
        }
    }

    void end() {
        counters.end();
        congestion.end();
        firmware.end();
    }
}
