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

/** A client at a port: its socket, its waiting MADs and its requests without a response. Confined to the loop. */
final class ServedClient {
    private final int id;
    private final DatagramAddress control;
    private final SharedPort port;
    private final HostRegisters registers;
    private final ServeLimits limits;
    private final LongSupplier clock;
    private final Consumer<ServedClient> outputListener;
    private @Nullable DatagramEndpoint socket;
    private final MadOutbox outbox;
    private final int perDatagram;

    /** SMPs without a response, the oldest first. */
    private final Map<Key, Pending> smps = new LinkedHashMap<>();

    /** Other requests without a response, the oldest first. */
    private final Map<Key, Pending> gmps = new LinkedHashMap<>();

    /** True between the callback {@link #outputListener} and {@link #flush}. */
    private boolean isListed;

    /** True if the client accepted no more MADs. */
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
     * Creates a client without traffic.
     *
     * @param id ID, from 0
     * @param control control socket of the client
     * @param perDatagram max MADs in one datagram
     * @param hasOutput callback when MADs wait; called once until {@link #flush}
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
        outbox = new MadOutbox(limits.maxWaiting(), perDatagram);
        this.port = port;
        this.registers = registers;
        this.limits = limits;
        this.clock = clock;
        this.outputListener = hasOutput;
    }

    /** Sets the socket for MADs. */
    void setSocket(DatagramEndpoint endpoint) {
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

    /** Handles a socket that is readable, or whose peer has room again. Returns false if the client is dead. */
    boolean handleReady() {
        if (isFull && !flush()) {
            return false;
        }
        return socket().receive((bytes, length, from) -> received(bytes, length)) != DatagramEndpoint.PEER_GONE;
    }

    /** Checks whether the client is alive. */
    boolean isAlive() {
        return socket().isPeerBound();
    }

    private void received(byte[] bytes, int length) {
        if (length == 0 || length % MadDatagram.LENGTH != 0 || length > perDatagram * MadDatagram.LENGTH) {
            malformed++;
            return;
        }
        for (int offset = 0; offset < length; offset += MadDatagram.LENGTH) {
            receiveMad(bytes, offset);
        }
    }

    private void receiveMad(byte[] bytes, int offset) {
        received++;
        int slid = MadDatagram.slid(bytes, offset);
        int pathBits = slid == 0 || slid == Lids.PERMISSIVE ? 0 : Math.max(0, slid - registers.lid());
        MadAddress destination = new MadAddress(
                MadDatagram.dlid(bytes, offset), MadDatagram.destinationQp(bytes, offset), 0, 0, pathBits, null);
        port.send(this, new MadFrame(destination, MadDatagram.mad(bytes, offset)), MadDatagram.length(bytes, offset));
    }

    /**
     * Registers a request of this client, and returns true if it may be sent. If too many requests have no response,
     * returns it to the client.
     */
    boolean registerRequest(MadFrame request) {
        boolean isSmp = MgmtClass.isSmp(MadHeader.mgmtClass(request.mad()));
        Map<Key, Pending> pending = isSmp ? smps : gmps;
        Key key = Key.of(request.mad());
        pending.remove(key);
        if (smps.size() + gmps.size() >= limits.maxOutstanding()) {
            returnTimedOut(request);
            return false;
        }
        pending.put(
                key, new Pending(request, clock.getAsLong() + (isSmp ? limits.smpTimeoutNs() : limits.gmpTimeoutNs())));
        return true;
    }

    /** Returns the requests without a response in time to the client. */
    void expire(long nowNs) {
        expire(smps, nowNs);
        expire(gmps, nowNs);
    }

    private void expire(Map<Key, Pending> pending, long nowNs) {
        // All requests of a map have one time-out, so the oldest is due first.
        Iterator<Pending> oldest = pending.values().iterator();
        while (oldest.hasNext()) {
            Pending next = oldest.next();
            if (next.dueNs - nowNs > 0) {
                return;
            }
            oldest.remove();
            returnTimedOut(next.request);
        }
    }

    /** Sends a request back to the client as timed out. */
    private void returnTimedOut(MadFrame request) {
        returned++;
        MadAddress peer = request.peer();
        queue(MadDatagram.of(
                peer.lid(),
                peer.qpn(),
                peer.lid(),
                peer.qpn(),
                MadDatagram.STATUS_TIMED_OUT,
                request.mad(),
                MadHeader.MAD_SIZE));
    }

    /**
     * Sends a MAD to this client.
     *
     * @param length number of bytes of the MAD that count
     */
    void deliver(MadFrame frame, int length) {
        byte[] mad = frame.mad();
        if (MadHeader.isResponse(mad)) {
            Key key = Key.of(mad);
            if (smps.remove(key) == null) {
                gmps.remove(key);
            }
        }
        MadAddress sender = frame.peer();
        int dlid = sender.lid() == Lids.PERMISSIVE ? Lids.PERMISSIVE : registers.lid();
        queue(MadDatagram.of(sender.lid(), sender.qpn(), dlid, sender.qpn(), 0, mad, length));
    }

    /**
     * Sends a TrapRepress to this client if it has sent the trap.
     *
     * @return false if no trap of this client awaits it
     */
    boolean repress(MadFrame frame, int length) {
        for (Key key : smps.keySet()) {
            Pending trap = Objects.requireNonNull(smps.get(key));
            // libumad2sim of the SM has overwritten the upper half of the transaction ID.
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
            outputListener.accept(this);
        }
    }

    /** Sends waiting MADs until the client accepts no more. Returns false if the client is dead. */
    boolean flush() {
        isListed = false;
        DatagramEndpoint.SendResult outcome = outbox.flush(socket());
        isFull = outcome == DatagramEndpoint.SendResult.PEER_IS_FULL;
        socket().setAwaitsRoom(isFull);
        return outcome != DatagramEndpoint.SendResult.PEER_GONE;
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
