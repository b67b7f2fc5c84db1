package io.torussm.daemon.assembly;

import io.torussm.program.port.AdaptiveRoutingWatch;
import io.torussm.registration.SaDatabase;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.trap.Traps;
import io.torussm.view.PublishedView;
import io.torussm.vport.VPortManager;

/** The parts that look at devices after a sweep, beside the sweeps. Owner thread: {@code sm}. */
public final class DeviceWatches {
    private final AdaptiveRoutingWatch adaptiveRouting;
    private final VPortManager vports;

    DeviceWatches(MadClient client, Loop loop, SmSettings settings, Traps traps, SaDatabase database) {
        adaptiveRouting = new AdaptiveRoutingWatch(client);
        vports =
                new VPortManager(client, loop, () -> settings.options().sweeps().virtEnabled());
        traps.whenVPortsChange(vports::changed);
        database.registrations().aliases().besides(vports.table());
    }

    /** Returns the watch for adaptive routing in switches. */
    public AdaptiveRoutingWatch adaptiveRouting() {
        return adaptiveRouting;
    }

    /** Returns the manager of virtual ports. */
    public VPortManager vports() {
        return vports;
    }

    void look(PublishedView published) {
        adaptiveRouting.look(published.subnet().fabric());
        vports.look(published.subnet(), published.partitions().settings());
    }

    void repartitioned(PublishedView published) {
        vports.repartitioned(published.partitions().settings());
    }

    /** Discards the state: another SM is master, or this one is none any more. */
    void forget() {
        adaptiveRouting.forget();
        vports.forget();
    }
}
