package io.torussm.shadow;

import io.torussm.names.Names;
import io.torussm.sim.RecordedFabric;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimTransport;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.topology.TopologyException;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.MKeySource;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.port.ReadOnlyPort;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An embedded fabric in virtual time that is programmed like another fabric, for trials that must not be made on the
 * other fabric. Not thread-safe. It costs as much as an embedded fabric.
 */
public final class Twin {
    /** Max virtual time of a reading. */
    private static final long MAX_READING_NS = TimeUnit.HOURS.toNanos(10);

    private static final MadClient.Settings SETTINGS = new MadClient.Settings(256, 8, 200, 3);

    private final VirtualLoop loop;
    private final SimFabric fabric;
    private final long portGuid;

    private Twin(VirtualLoop loop, SimFabric fabric, long portGuid) {
        this.loop = loop;
        this.fabric = fabric;
        this.portGuid = portGuid;
    }

    /**
     * Makes an embedded fabric with the contents of a snapshot.
     *
     * @throws TopologyException if no embedded fabric can have these contents; the message has the reason
     */
    public static Twin of(FabricSnapshot snapshot) throws TopologyException {
        return of(RecordedFabric.of(snapshot));
    }

    /** Makes an embedded fabric with the contents of a capture or a snapshot. */
    public static Twin of(RecordedFabric record) {
        VirtualLoop loop = new VirtualLoop();
        return new Twin(loop, record.start(loop), record.portGuid());
    }

    /** Wraps another embedded fabric. */
    public static Twin of(VirtualLoop loop, SimFabric fabric, long portGuid) {
        return new Twin(loop, fabric, portGuid);
    }

    /** Returns the loop of the virtual time. */
    public VirtualLoop loop() {
        return loop;
    }

    /** Returns the fabric, for example to break cables. */
    public SimFabric fabric() {
        return fabric;
    }

    /**
     * Attaches an SM to the port from which the snapshot was taken.
     *
     * @throws IllegalArgumentException if another client uses the port
     */
    public SimTransport attach() {
        return fabric.attach(portGuid);
    }

    /**
     * Reads the present contents of the fabric.
     *
     * @throws IllegalStateException if the port cannot be read, for example because its link is down
     * @throws IllegalArgumentException if a client uses the port; then use {@link #read(MadClient)}
     */
    public FabricSnapshot read() {
        try (SimTransport port = attach()) {
            MadClient client = new MadClient(
                    new ReadOnlyPort(port), loop, MKeySource.fixed(0), () -> SETTINGS, 1, new IgnoringReceiver());
            return read(client);
        }
    }

    /** Reads the present contents of the fabric by a client on one of its ports. */
    public FabricSnapshot read(MadClient client) {
        FabricReader reader = new FabricReader(
                client, loop, SubnetMemory.of(StateDirectory.none(loop), portGuid, () -> 0, () -> true));
        FabricReader.@Nullable ReadingOutcome[] end = {null};
        reader.read(Names.NONE, result -> end[0] = result);
        FabricReader.ReadingOutcome result = loop.runUntil(() -> end[0] != null, MAX_READING_NS) ? end[0] : null;
        FabricSnapshot snapshot = result == null ? null : result.snapshot();
        if (snapshot == null) {
            throw new IllegalStateException(
                    "the twin cannot be read: " + (result == null ? "no end" : result.problem()));
        }
        return snapshot;
    }

    /** The receiver of unsolicited MADs, which ignores them: a reader needs answers only. */
    private static final class IgnoringReceiver implements MadClient.UnsolicitedReceiver {
        @Override
        public void subnetManagement(MadFrame frame) {}

        @Override
        public void subnetAdministration(MadFrame frame) {}

        @Override
        public void portLost(String reason) {}
    }
}
