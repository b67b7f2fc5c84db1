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

/** Serves an embedded fabric to clients of ibsim's protocol. Owner thread: the loop of the fabric. */
public final class FabricServer implements AutoCloseable {
    private static final EventLog EVENTS = EventLog.of(FabricServer.class);

    /** How often answers that are overdue are looked for. */
    private static final long TICK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** How often clients are looked for that died, in ticks. */
    private static final int TICKS_BETWEEN_PROBES = 50;

    private final Loop loop;
    private final DatagramNetwork network;
    private final ServeLimits limits;
    private final PortTable ports;
    private final LogRateLimiter rate;
    private final List<ControlSocket> controls = new ArrayList<>();
    private final @Nullable ServedClient[] clients;
    private final ArrayDeque<ServedClient> withOutput = new ArrayDeque<>();
    private final Tally tally = new Tally();
    private Loop.@Nullable Timer timer;
    private int ticks;

    /** The counters of the server, and the sums of clients that have left. */
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
     * Creates a server without clients; {@link #listen} lets them in.
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
        clients = new ServedClient[limits.clients()];
    }

    /**
     * Listens at one more address.
     *
     * @throws IOException if it is in use, by another server or by ibsim, or cannot be used
     */
    public void listen(ListenAddress address) throws IOException {
        loop.check();
        controls.add(new ControlSocket(this, network, address));
        if (timer == null) {
            timer = loop.schedule(TICK_NS, this::tick);
        }
    }

    /** Returns overdue requests, and looks for clients that died. */
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

    /** Finds out whether a client is still there; returns so. */
    private boolean probe(ServedClient client) {
        if (!client.isThere()) {
            died(client);
            return false;
        }
        return true;
    }

    /**
     * Attaches a program.
     *
     * @param address determines the names of its sockets
     * @param from control socket
     * @param connection the number that its other socket is found by
     * @param hostName host of its port; empty for the first host
     * @param perDatagram MADs in one datagram that it accepts
     */
    ServedClient attach(ListenAddress address, DatagramAddress from, int connection, String hostName, int perDatagram)
            throws RefusedException {
        DatagramAddress peer = peer(address, from, connection);
        // A process has one client: an earlier one is detached.
        Stream.of(clients)
                .filter(Objects::nonNull)
                .filter(each -> each.control().equals(from))
                .toList()
                .forEach(this::detach);
        int id = freeId(address.mostClients());
        SharedPort port = ports.find(hostName);
        ServedClient client = new ServedClient(
                id, from, perDatagram, port, ports.registers(hostName), limits, loop::nowNs, this::listOutput);
        try {
            DatagramEndpoint socket = network.bind(address.data(id), () -> ready(client));
            client.use(socket);
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

    /** Returns the lowest free ID, so that addresses are used again. */
    private int freeId(int max) throws RefusedException {
        for (int id = 0; id < Math.min(max, clients.length); id++) {
            if (clients[id] == null) {
                return id;
            }
        }
        throw new RefusedException("there are " + clients.length + " clients, as many as may be");
    }

    void refused(DatagramAddress from, RefusedException refusal) {
        tally.refused++;
        LogRateLimiter.Line line = rate.happened("refused");
        if (line.isDue()) {
            EVENTS.report(
                    SmEvent.FABRIC_CLIENT_REFUSED,
                    EventField.ADDRESS.of(from),
                    EventField.REASON.of(refusal.getMessage()),
                    EventField.COUNT.of(line.count()));
        }
    }

    /** Returns the client with an ID, if its requests come from this address; null otherwise. */
    @Nullable
    ServedClient client(int id, DatagramAddress from) {
        ServedClient client = id >= 0 && id < clients.length ? clients[id] : null;
        return client != null && client.control().equals(from) ? client : null;
    }

    void answered() {
        tally.controls++;
    }

    void malformed() {
        tally.malformed++;
    }

    /** Sets or clears IsSM; one that another client has at that port is taken from it only if it died. */
    boolean setIsSm(ServedClient client, boolean isSm) {
        if (client.port().setIsSm(client, isSm)) {
            return true;
        }
        ServedClient holder = client.port().subnetManager();
        return holder != null && !probe(holder) && client.port().setIsSm(client, isSm);
    }

    private void ready(ServedClient client) {
        if (!client.isReady()) {
            died(client);
        }
    }

    private void listOutput(ServedClient client) {
        if (withOutput.isEmpty()) {
            loop.execute(this::flush);
        }
        withOutput.add(client);
    }

    private void flush() {
        for (ServedClient client = withOutput.poll(); client != null; client = withOutput.poll()) {
            if (clients[client.id()] == client && !client.flush()) {
                died(client);
            }
        }
    }

    private void died(ServedClient client) {
        tally.died++;
        EVENTS.report(
                SmEvent.FABRIC_CLIENT_DIED, EventField.ADDRESS.of(client.control()), EventField.NAME.of(client.port()));
        detach(client);
    }

    /** Detaches a client, at its request or not. */
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
     * Ends a client's attachment, without asking it.
     *
     * @return false if there is no such client
     */
    public boolean disconnect(int id) {
        loop.check();
        ServedClient client = id >= 0 && id < clients.length ? clients[id] : null;
        if (client == null) {
            return false;
        }
        detach(client);
        return true;
    }

    /** Returns all clients, by ID. */
    public List<ServedClientInfo> clients() {
        loop.check();
        return attached().map(ServedClient::info).toList();
    }

    private Stream<ServedClient> attached() {
        return Arrays.stream(clients).filter(Objects::nonNull);
    }

    /** Returns the counters, of clients that are gone too. */
    public ServeCounters counters() {
        List<ServedClientInfo> now = clients();
        return new ServeCounters(
                tally.attached,
                tally.refused,
                tally.died,
                tally.controls,
                tally.malformed + attached().mapToLong(ServedClient::malformed).sum(),
                tally.received
                        + now.stream().mapToLong(ServedClientInfo::received).sum(),
                tally.sent + now.stream().mapToLong(ServedClientInfo::sent).sum(),
                tally.dropped
                        + now.stream().mapToLong(ServedClientInfo::dropped).sum(),
                tally.returned
                        + now.stream().mapToLong(ServedClientInfo::returned).sum(),
                ports.unclaimed());
    }

    /** Lets all clients go and closes all sockets; the loop stays. */
    @Override
    public void close() {
        loop.check();
        attached().toList().forEach(this::detach);
        controls.forEach(ControlSocket::close);
        controls.clear();
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
