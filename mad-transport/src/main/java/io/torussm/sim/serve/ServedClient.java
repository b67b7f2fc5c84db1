package io.torussm.sim.serve;

import io.torussm.mad.Lids;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.datagram.DatagramAddress;
import io.torussm.transport.datagram.DatagramEndpoint;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A program at a port: its socket, its queue and its open requests. Confined to the loop. */
final class ServedClient {
    private final int id;
    private final DatagramAddress control;
    private final SharedPort port;
    private final HostRegisters registers;
    private final ServeLimits limits;
    private final LongSupplier clock;
    private final Consumer<ServedClient> hasOutput;
    private @Nullable DatagramEndpoint socket;
    private final MadOutbox outbox;
    private final int perDatagram;
    private final Map<Key, Pending> smps = new LinkedHashMap<>();
    private final Map<Key, Pending> gmps = new LinkedHashMap<>();
    private boolean isListed;
    private boolean isFull;
    private long received;
    private long dropped;
    private long returned;
    private long malformed;

    private record Key(long tid, int mgmtClass) {
        static Key of(byte[] mad) {
            return new Key(MadHeader.tid(mad), MadHeader.mgmtClass(mad));
        }
    }

    private record Pending(MadFrame request, long dueNs) {}

    /**
     * Creates a client without any traffic yet.
     *
     * @param control address of its control requests
     * @param perDatagram MADs in one datagram that it accepts
     * @param hasOutput callback, called once when there is output, until {@link #flush}
     */
    ServedClient(
            int id,
            DatagramAddress control,
            int perDatagram,
            SharedPort port,
            HostRegisters registers,
            ServeLimits limits,
            LongSupplier clock,
            Consumer<ServedClient> hasOutput) {
        this.id = id;
        this.control = control;
        this.perDatagram = perDatagram;
        outbox = new MadOutbox(limits.waiting(), perDatagram);
        this.port = port;
        this.registers = registers;
        this.limits = limits;
        this.clock = clock;
        this.hasOutput = hasOutput;
    }

    /** Sets the socket, which is ready. */
    void use(DatagramEndpoint endpoint) {
        socket = endpoint;
    }

    private DatagramEndpoint socket() {
        return Objects.requireNonNull(socket);
    }

    int id() {
        return id;
    }

    DatagramAddress control() {
        return control;
    }

    SharedPort port() {
        return port;
    }

    HostRegisters registers() {
        return registers;
    }

    boolean isSm() {
        return port.subnetManager() == this;
    }

    /** Handles a socket that is readable, or has room again; returns whether the client is still there. */
    boolean isReady() {
        if (isFull && !flush()) {
            return false;
        }
        return socket().receive((bytes, length, from) -> received(bytes, length)) != DatagramEndpoint.PEER_GONE;
    }

    boolean isThere() {
        return socket().isPeerThere();
    }

    private void received(byte[] bytes, int length) {
        if (length == 0 || length % MadDatagram.LENGTH != 0 || length > perDatagram * MadDatagram.LENGTH) {
            malformed++;
            return;
        }
        for (int at = 0; at < length; at += MadDatagram.LENGTH) {
            takeMad(bytes, at);
        }
    }

    private void takeMad(byte[] bytes, int at) {
        received++;
        int slid = MadDatagram.slid(bytes, at);
        int pathBits = slid == 0 || slid == Lids.PERMISSIVE ? 0 : Math.max(0, slid - registers.lid());
        MadAddress to =
                new MadAddress(MadDatagram.dlid(bytes, at), MadDatagram.destinationQp(bytes, at), 0, 0, pathBits, null);
        port.send(this, new MadFrame(to, MadDatagram.mad(bytes, at)), MadDatagram.length(bytes, at));
    }

    /**
     * Registers a request of this client that departs; returns whether it may, and sends it back if too many are under
     * way.
     */
    boolean awaitAnswer(MadFrame request) {
        boolean isSmp = MgmtClass.isSmp(MadHeader.mgmtClass(request.mad()));
        Map<Key, Pending> pending = isSmp ? smps : gmps;
        Key key = Key.of(request.mad());
        pending.remove(key);
        if (smps.size() + gmps.size() >= limits.outstanding()) {
            giveBack(request);
            return false;
        }
        pending.put(
                key, new Pending(request, clock.getAsLong() + (isSmp ? limits.smpTimeoutNs() : limits.gmpTimeoutNs())));
        return true;
    }

    /** Returns the requests without a response in time. */
    void expire(long nowNs) {
        expire(smps, nowNs);
        expire(gmps, nowNs);
    }

    private void expire(Map<Key, Pending> pending, long nowNs) {
        Iterator<Pending> oldest = pending.values().iterator();
        while (oldest.hasNext()) {
            Pending next = oldest.next();
            if (next.dueNs - nowNs > 0) {
                return;
            }
            oldest.remove();
            giveBack(next.request);
        }
    }

    private void giveBack(MadFrame request) {
        returned++;
        MadAddress to = request.peer();
        queue(MadDatagram.of(
                to.lid(), to.qpn(), to.lid(), to.qpn(), MadDatagram.TIMED_OUT, request.mad(), MadHeader.MAD_SIZE));
    }

    /** Delivers a MAD to this client, of which so many bytes count. */
    void deliver(MadFrame frame, int length) {
        byte[] mad = frame.mad();
        if (MadHeader.isResponse(mad)) {
            Key key = Key.of(mad);
            if (smps.remove(key) == null) {
                gmps.remove(key);
            }
        }
        MadAddress from = frame.peer();
        int dlid = from.lid() == Lids.PERMISSIVE ? Lids.PERMISSIVE : registers.lid();
        queue(MadDatagram.of(from.lid(), from.qpn(), dlid, from.qpn(), 0, mad, length));
    }

    /**
     * Takes a TrapRepress.
     *
     * @return false if no trap of this client awaits it
     */
    boolean repress(MadFrame frame, int length) {
        for (Key key : smps.keySet()) {
            Pending trap = Objects.requireNonNull(smps.get(key));
            // The SM's program has written its own number into the upper half of the transaction ID.
            if (MadHeader.method(trap.request.mad()) == Method.TRAP
                    && (int) key.tid == (int) MadHeader.tid(frame.mad())) {
                smps.remove(key);
                MadHeader.TRANSACTION_ID.set(frame.mad(), 0, key.tid);
                deliver(frame, length);
                return true;
            }
        }
        return false;
    }

    private void queue(byte[] datagram) {
        if (!outbox.add(datagram)) {
            dropped++;
            return;
        }
        if (!isListed && !isFull) {
            isListed = true;
            hasOutput.accept(this);
        }
    }

    /** Sends waiting datagrams until the client accepts no more. Returns whether the client is still alive. */
    boolean flush() {
        isListed = false;
        DatagramEndpoint.Sent outcome = outbox.flush(socket());
        isFull = outcome == DatagramEndpoint.Sent.PEER_IS_FULL;
        socket().awaitRoom(isFull);
        return outcome != DatagramEndpoint.Sent.PEER_GONE;
    }

    void close() {
        if (socket != null) {
            socket.close();
        }
        outbox.clear();
    }

    long malformed() {
        return malformed;
    }

    ServedClientInfo info() {
        return new ServedClientInfo(
                id,
                control.toString(),
                port.toString(),
                port.guid(),
                isSm(),
                received,
                outbox.sent(),
                dropped,
                returned);
    }

    @Override
    public String toString() {
        return "client " + id + " (" + control + ")";
    }
}
