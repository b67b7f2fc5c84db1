package io.torussm.sim.serve;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.event.log.LogRateLimiter;
import io.torussm.sim.SimFabric;
import io.torussm.sim.topology.Topology;
import io.torussm.transport.Loop;
import io.torussm.transport.datagram.DatagramAddress;
import io.torussm.transport.datagram.DatagramEndpoint;
import io.torussm.transport.datagram.DatagramNetwork;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The server of an embedded fabric for clients of ibsim's protocol. Owner thread: the loop of the fabric. */
public final class FabricServer implements AutoCloseable {
    private static final EventLog EVENTS = EventLog.of(FabricServer.class);

    /** Period of the check for requests without a response in time. */
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** Period of the check for dead clients, in ticks. */
    private static final int TICKS_BETWEEN_PROBES = 50;

    private final Loop loop;
    private final DatagramNetwork network;
    private final ServeLimits limits;
    private final PortTable ports;
    private final LogRateLimiter rate;
    private final List<ControlSocket> controls = new ArrayList<>();

    /** The clients by ID; null for a free ID. */
    private final @Nullable ServedClient[] clients;

    /** The clients with waiting MADs. */
    private final ArrayDeque<ServedClient> clientsWithOutput = new ArrayDeque<>();

    private final Tally tally = new Tally();
    private Loop.@Nullable Timer timer;
    private int ticks;

    /** The counters of the server, and the sums of the counters of detached clients. */
    private static final class Tally {
        long attached;
        long refused;
        long died;
        long controls;
        long malformed;
        long received;
        long sent;
        long dropped;
        long returned;
    }

    /**
     * Creates a server without clients, which {@link #listen} admits.
     *
     * @param topology topology of the fabric
     * @param loop loop of the fabric, on which the network calls back
     */
    public FabricServer(SimFabric fabric, Topology topology, Loop loop, DatagramNetwork network, ServeLimits limits) {
        this.loop = loop;
        this.network = network;
        this.limits = limits;
        ports = new PortTable(fabric, topology);
        rate = new LogRateLimiter(loop::nowNs);
        clients = new ServedClient[limits.maxClients()];
    }

    /**
     * Listens at one more address.
     *
     * @throws IOException if the address is unusable, or in use by another server or by ibsim
     */
    public void listen(ListenAddress address) throws IOException {
        loop.requireInLoop();
        controls.add(new ControlSocket(this, network, address));
        if (timer == null) {
            timer = loop.schedule(TICK_NS, this::tick);
        }
    }

    /** Returns requests without a response in time to their clients, and detaches dead clients. */
    private void tick() {
        timer = loop.schedule(TICK_NS, this::tick);
        long nowNs = loop.nowNs();
        ticks++;
        for (ServedClient client : clients) {
            if (client != null) {
                client.expire(nowNs);
                if (ticks % TICKS_BETWEEN_PROBES == 0) {
                    probe(client);
                }
            }
        }
    }

    /** Checks whether a client is alive, and detaches it if not. */
    private boolean probe(ServedClient client) {
        if (!client.isAlive()) {
            detachDead(client);
            return false;
        }
        return true;
    }

    /**
     * Attaches a client to a port.
     *
     * @param address address of the server, which determines the names of the client's sockets
     * @param from control socket of the client
     * @param connection number of the connection, which determines the client's other socket
     * @param hostName name of the host; empty for the first host
     * @param perDatagram max MADs in one datagram
     * @throws RefusedException if the addresses or the name are wrong, or if too many clients are attached
     */
    ServedClient attach(ListenAddress address, DatagramAddress from, int connection, String hostName, int perDatagram)
            throws RefusedException {
        DatagramAddress peer = peer(address, from, connection);
        // A control socket has one client: an earlier client is detached.
        Stream.of(clients)
                .filter(Objects::nonNull)
                .filter(earlier -> earlier.control().equals(from))
                .toList()
                .forEach(this::detach);
        int id = freeId(address.maxClients());
        SharedPort port = ports.find(hostName);
        ServedClient client = new ServedClient(
                id, from, perDatagram, port, ports.registers(hostName), limits, loop::nowNs, this::queueOutput);
        try {
            DatagramEndpoint socket = network.bind(address.data(id), () -> handleReady(client));
            client.setSocket(socket);
            socket.connect(peer);
        } catch (IOException e) {
            client.close();
            ports.release(port);
            throw new RefusedException(e.getMessage());
        }
        clients[id] = client;
        port.add(client);
        tally.attached++;
        EVENTS.report(SmEvent.FABRIC_CLIENT_ATTACHED, EventField.ADDRESS.of(from), EventField.NAME.of(port));
        return client;
    }

    /** Returns the socket of the client for MADs. */
    private static DatagramAddress peer(ListenAddress address, DatagramAddress from, int connection)
            throws RefusedException {
        try {
            DatagramAddress peer = address.peer(from, connection);
            if (peer != null) {
                return peer;
            }
        } catch (IOException e) {
            throw new RefusedException(e.getMessage());
        }
        throw new RefusedException("it asks for the socket of another, " + connection);
    }

    /**
     * Returns the lowest free ID, so that addresses are used again.
     *
     * @param max number of IDs with an address
     */
    private int freeId(int max) throws RefusedException {
        for (int id = 0; id < Math.min(max, clients.length); id++) {
            if (clients[id] == null) {
                return id;
            }
        }
        throw new RefusedException("there are " + clients.length + " clients, as many as may be");
    }

    void countRefusal(DatagramAddress from, RefusedException refusal) {
        tally.refused++;
        LogRateLimiter.Line line = rate.recordEvent("refused");
        if (line.isDue()) {
            EVENTS.report(
                    SmEvent.FABRIC_CLIENT_REFUSED,
                    EventField.ADDRESS.of(from),
                    EventField.REASON.of(refusal.getMessage()),
                    EventField.COUNT.of(line.count()));
        }
    }

    /** Returns the client with an ID and a control socket; null if there is no such client. */
    @Nullable
    ServedClient client(int id, DatagramAddress from) {
        ServedClient client = id >= 0 && id < clients.length ? clients[id] : null;
        return client != null && client.control().equals(from) ? client : null;
    }

    void countControlRequest() {
        tally.controls++;
    }

    void countMalformed() {
        tally.malformed++;
    }

    /** Sets or clears IsSM of a client. Returns false if another living client of the port has IsSM. */
    boolean setIsSm(ServedClient client, boolean isSm) {
        if (client.port().setIsSm(client, isSm)) {
            return true;
        }
        ServedClient holder = client.port().subnetManager();
        return holder != null && !probe(holder) && client.port().setIsSm(client, isSm);
    }

    private void handleReady(ServedClient client) {
        if (!client.handleReady()) {
            detachDead(client);
        }
    }

    /**
     * Notes a client with waiting MADs. They are sent at the end of the current turn of the loop, so that several fit
     * in a datagram.
     */
    private void queueOutput(ServedClient client) {
        if (clientsWithOutput.isEmpty()) {
            loop.execute(this::flush);
        }
        clientsWithOutput.add(client);
    }

    private void flush() {
        for (ServedClient client = clientsWithOutput.poll(); client != null; client = clientsWithOutput.poll()) {
            if (clients[client.id()] == client && !client.flush()) {
                detachDead(client);
            }
        }
    }

    private void detachDead(ServedClient client) {
        tally.died++;
        EVENTS.report(
                SmEvent.FABRIC_CLIENT_DIED, EventField.ADDRESS.of(client.control()), EventField.NAME.of(client.port()));
        detach(client);
    }

    /** Detaches a client. */
    void detach(ServedClient client) {
        ServedClientInfo last = client.info();
        tally.received += last.received();
        tally.sent += last.sent();
        tally.dropped += last.dropped();
        tally.returned += last.returned();
        tally.malformed += client.malformed();
        clients[client.id()] = null;
        client.close();
        client.port().remove(client);
        ports.release(client.port());
    }

    /**
     * Detaches a client without its request.
     *
     * @return false if no client has this ID
     */
    public boolean disconnect(int id) {
        loop.requireInLoop();
        ServedClient client = id >= 0 && id < clients.length ? clients[id] : null;
        if (client == null) {
            return false;
        }
        detach(client);
        return true;
    }

    /** Returns the states of all clients, by ID. */
    public List<ServedClientInfo> clients() {
        loop.requireInLoop();
        return attachedClients().map(ServedClient::info).toList();
    }

    private Stream<ServedClient> attachedClients() {
        return Arrays.stream(clients).filter(Objects::nonNull);
    }

    /** Returns the counters, including those of detached clients. */
    public ServeCounters counters() {
        List<ServedClientInfo> infos = clients();
        return new ServeCounters(
                tally.attached,
                tally.refused,
                tally.died,
                tally.controls,
                tally.malformed
                        + attachedClients().mapToLong(ServedClient::malformed).sum(),
                tally.received
                        + infos.stream().mapToLong(ServedClientInfo::received).sum(),
                tally.sent + infos.stream().mapToLong(ServedClientInfo::sent).sum(),
                tally.dropped
                        + infos.stream().mapToLong(ServedClientInfo::dropped).sum(),
                tally.returned
                        + infos.stream().mapToLong(ServedClientInfo::returned).sum(),
                ports.unclaimed());
    }

    /** Detaches all clients and closes all sockets. The loop continues. */
    @Override
    public void close() {
        loop.requireInLoop();
        attachedClients().toList().forEach(this::detach);
        controls.forEach(ControlSocket::close);
        controls.clear();
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
