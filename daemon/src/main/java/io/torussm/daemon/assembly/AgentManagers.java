package io.torussm.daemon.assembly;

import io.torussm.congestion.CongestionManager;
import io.torussm.daemon.config.SmOptions;
import io.torussm.firmware.FirmwareReader;
import io.torussm.perf.PerformanceManager;
import io.torussm.transport.MadClient;
import io.torussm.view.PublishedView;

/**
 * The managers that send requests to the agents behind QP1: the performance manager, the manager of congestion control
 * and the reader of firmware versions. They run on the {@code perf} loop of the platform and share one GSI client, so
 * also its window and its rate.
 */
public final class AgentManagers {
    private final SmSettings settings;
    private final PerformanceManager counters;
    private final CongestionManager congestion;
    private final FirmwareReader firmware;

    /**
     * Creates the managers; they send nothing before {@link #subnetUp}.
     *
     * @param client MAD client of the port of the SM
     */
    AgentManagers(SmPlatform platform, MadClient client, SmSettings settings) {
        this.settings = settings;
        counters = CounterPolling.createManager(platform, client, settings);
        congestion = new CongestionManager(
                platform.perf(), counters.client(), () -> settings.options().congestion());
        firmware = new FirmwareReader(platform.perf(), counters.client(), () -> settings.options()
                .firmware()
                .firmwareVersions());
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

    /** Starts or continues the work of all managers with a newly published subnet. */
    void subnetUp(PublishedView view) {
        counters.subnetUp(view);
        congestion.subnetUp(view);
        firmware.subnetUp(view);
    }

    /**
     * Applies the settings of each manager that differ from the previous ones.
     *
     * @param former previous options
     */
    void settingsChanged(SmOptions former) {
        if (!former.perf().equals(settings.perf())) {
            counters.settingsChanged();
        }
        if (!former.firmware().equals(settings.options().firmware())) {
            firmware.settingsChanged();
        }
        if (!former.congestion().equals(settings.options().congestion())) {
            congestion.settingsChanged();
        }
    }

    /** Ends the work of all managers, until the next subnet. */
    void end() {
        counters.end();
        congestion.end();
        firmware.end();
    }
}
