package io.torussm.shadow;

import io.torussm.names.Names;
import io.torussm.sim.RecordedFabric;
import io.torussm.sim.SimFabric;
import io.torussm.sim.SimTransport;
import io.torussm.sim.TopologyException;
import io.torussm.sim.VirtualLoop;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.MKeySource;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.ReadOnlyPort;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * An embedded fabric in virtual time that holds what another fabric held, to try on it what shall not be tried there. Single-threaded;
 * costs what an embedded fabric costs.
 */
public final class Twin {
    /** Virtual time within which a fabric is read, or cannot be. */
    private static final long READING_NS = TimeUnit.HOURS.toNanos(10);

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
     * A fabric of its own that holds what a snapshot says.
     *
     * @throws TopologyException if no fabric can be like that; the message says why
     */
    public static Twin of(FabricSnapshot snapshot) throws TopologyException {
        return of(RecordedFabric.of(snapshot));
    }

    /** The fabric that a capture or a snapshot shows. */
    public static Twin of(RecordedFabric record) {
        VirtualLoop loop = new VirtualLoop();
        return new Twin(loop, record.start(loop), record.portGuid());
    }

    /** Another embedded fabric, as if it were one. */
    public static Twin of(VirtualLoop loop, SimFabric fabric, long portGuid) {
        return new Twin(loop, fabric, portGuid);
    }

    /** Its time. */
    public VirtualLoop loop() {
        return loop;
    }

    /** The fabric, to break. */
    public SimFabric fabric() {
        return fabric;
    }

    /**
     * The port that the snapshot was taken from, to put an SM on.
     *
     * @throws IllegalArgumentException if it is taken
     */
    public SimTransport attach() {
        return fabric.attach(portGuid);
    }

    /**
     * What it holds now.
     *
     * @throws IllegalStateException if its own port cannot be read, as when its link is down
     * @throws IllegalArgumentException if somebody sits on the port; use the client that does
     */
    public FabricSnapshot read() {
        try (SimTransport port = attach()) {
            MadClient client =
                    new MadClient(new ReadOnlyPort(port), loop, MKeySource.fixed(0), () -> SETTINGS, 1, new Nobody());
            return read(client);
        }
    }

    /** What it holds now, read by a client that sits on one of its ports. */
    public FabricSnapshot read(MadClient client) {
        FabricReader reader = new FabricReader(
                client, loop, SubnetMemory.of(StateDirectory.none(loop), portGuid, () -> 0, () -> true));
        FabricReader.@Nullable Result[] end = {null};
        reader.read(Names.NONE, result -> end[0] = result);
        loop.runUntil(() -> end[0] != null, READING_NS);
        FabricReader.Result result = end[0];
        FabricSnapshot snapshot = result == null ? null : result.snapshot();
        if (snapshot == null) {
            throw new IllegalStateException(
                    "the twin cannot be read: " + (result == null ? "no end" : result.problem()));
        }
        return snapshot;
    }

    /** Nobody but answers is expected here. */
    private static final class Nobody implements MadClient.Unsolicited {
        @Override
        public void subnetManagement(MadFrame frame) {}

        @Override
        public void subnetAdministration(MadFrame frame) {}

        @Override
        public void portLost(String why) {}
    }
}
