package io.torussm.sim.serve;

import io.torussm.mad.Lids;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.transport.LocalPort;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.TransportException;
import io.torussm.transport.datagram.DatagramAddress;
import io.torussm.transport.datagram.DatagramEndpoint;
import io.torussm.transport.datagram.DatagramNetwork;
import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A port of a fabric in another process, {@code torus-sm fabric} or ibsim, at its UNIX socket and without
 * libumad2sim: all 256 bytes of a MAD, and no lock between sending and receiving. May be used from any thread; frames
 * arrive on the loop.
 */
public final class ServedPort implements MadTransport {
    /** Far more than the ten of the kernel's queues; the rest waits in this process and in the server. */
    private static final int MAX_OUTSTANDING = 256;

    private static final int MAX_WAITING = 1 << 16;
    private static final long PROBE_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int INFO_BYTES = ControlMessage.DATA_BYTES;

    private final Loop loop;
    private final ListenAddress.Unix server;
    private final int connection;
    private final ServedControl control;
    private final DatagramEndpoint socket;
    private MadOutbox outbox = new MadOutbox(MAX_WAITING, 1);
    private LocalPort localPort = new LocalPort("", 0, 0);
    private volatile int clientId;
    private boolean isListed;
    private boolean isFull;
    private @Nullable Receiver receiver;
    private Loop.@Nullable Timer probe;
    private volatile boolean isClosed;

    private ServedPort(Loop loop, DatagramNetwork network, ListenAddress.Unix server, int connection)
            throws IOException {
        this.loop = loop;
        this.server = server;
        this.connection = connection;
        control = new ServedControl(loop, network, server.ofClient("ctl", connection), server.control());
        socket = network.bind(server.ofClient("in", connection), this::ready);
    }

    /**
     * Attaches to a port; not to be called on the loop.
     *
     * @param server address of the fabric
     * @param connection a number that no other client of that server has, such as that of this process
     * @param hostName name as in {@code SIM_HOST} of clients; empty for the first host
     * @throws TransportException if there is no server at the address, or the fabric has no such host
     */
    public static ServedPort open(
            Loop loop, DatagramNetwork network, ListenAddress.Unix server, int connection, String hostName)
            throws TransportException {
        ServedPort port = call(loop, () -> new ServedPort(loop, network, server, connection));
        try {
            port.attach(hostName);
            return port;
        } catch (TransportException e) {
            port.close();
            throw e;
        }
    }

    private static <T> T call(Loop loop, Callable<T> task) throws TransportException {
        CompletableFuture<T> result = new CompletableFuture<>();
        loop.execute(() -> {
            try {
                result.complete(task.call());
            } catch (Exception e) {
                result.completeExceptionally(e);
            }
        });
        return ServedControl.await(result);
    }

    private void attach(String hostName) throws TransportException {
        byte[] connect = ControlMessage.of(0, ControlMessage.CONNECT);
        ControlMessage.setInt(connect, ControlMessage.CONNECTION, connection);
        ControlMessage.setNode(connect, hostName);
        ControlMessage.setInt(connect, ControlMessage.PER_DATAGRAM, MadDatagram.MOST);
        byte[] answer = control.askAndWait(connect);
        if (ControlMessage.type(answer) == ControlMessage.ERROR) {
            throw new TransportException("the fabric at " + server + " has no host \"" + hostName
                    + "\", or no room for another client; its own output says which");
        }
        clientId = ControlMessage.intAt(answer, ControlMessage.CONNECTION);
        int granted = ControlMessage.intAt(answer, ControlMessage.GRANTED_PER_DATAGRAM);
        DatagramAddress peer = call(loop, () -> {
            DatagramAddress data = server.data(clientId);
            socket.connect(data);
            outbox = new MadOutbox(MAX_WAITING, Math.max(1, Math.min(granted, MadDatagram.MOST)));
            probe = loop.schedule(PROBE_NS, this::probe);
            return data;
        });
        byte[] node = info(ControlMessage.GET_NODE_INFO);
        byte[] port = info(ControlMessage.GET_PORT_INFO);
        int portNum = (int) PortInfo.LOCAL_PORT_NUM.get(port, 0);
        localPort = new LocalPort(peer.toString(), portNum, NodeInfo.NODE_GUID.get(node, 0) + portNum);
    }

    private byte[] info(int type) throws TransportException {
        byte[] answer = control.askAndWait(ControlMessage.of(clientId, type));
        if (ControlMessage.type(answer) == ControlMessage.ERROR) {
            throw new TransportException("the fabric at " + server + " does not show its port");
        }
        byte[] info = new byte[INFO_BYTES];
        System.arraycopy(answer, ControlMessage.DATA, info, 0, info.length);
        return info;
    }

    private void probe() {
        if (!socket.isPeerThere()) {
            fail("the fabric at " + server + " is gone");
        } else if (!isClosed) {
            probe = loop.schedule(PROBE_NS, this::probe);
        }
    }

    @Override
    public LocalPort localPort() {
        return localPort;
    }

    @Override
    public int maxOutstanding() {
        return MAX_OUTSTANDING;
    }

    /** {@inheritDoc} On the loop, which also calls back. */
    @Override
    public void start(Receiver newReceiver) {
        onLoop(() -> receiver = newReceiver);
    }

    private void onLoop(Runnable task) {
        if (loop.inLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    private void ready() {
        if (isFull) {
            flush();
        }
        if (!isClosed && socket.receive((bytes, length, from) -> take(bytes, length)) == DatagramEndpoint.PEER_GONE) {
            fail("the fabric at " + server + " has thrown this client out");
        }
    }

    private void take(byte[] datagram, int length) {
        Receiver to = receiver;
        if (to == null || length % MadDatagram.LENGTH != 0) {
            return;
        }
        for (int at = 0; at < length; at += MadDatagram.LENGTH) {
            MadAddress from = new MadAddress(MadDatagram.slid(datagram, at), MadDatagram.sourceQp(datagram, at), 0, 0);
            to.received(new MadFrame(from, MadDatagram.mad(datagram, at), MadDatagram.status(datagram, at) != 0));
        }
    }

    /** {@inheritDoc} False also for a message of several segments. */
    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        if (isClosed || frame.mad().length != MadHeader.MAD_SIZE) {
            return false;
        }
        MadAddress to = frame.peer();
        int slid = to.lid() == Lids.PERMISSIVE ? Lids.PERMISSIVE : 0;
        byte[] datagram = MadDatagram.of(slid, to.qpn(), to.lid(), to.qpn(), 0, frame.mad(), MadHeader.MAD_SIZE);
        onLoop(() -> queue(datagram));
        return true;
    }

    private void queue(byte[] datagram) {
        if (outbox.add(datagram) && !isListed && !isFull) {
            isListed = true;
            loop.execute(this::flush);
        }
    }

    private void flush() {
        isListed = false;
        if (isClosed) {
            return;
        }
        DatagramEndpoint.Sent outcome = outbox.flush(socket);
        isFull = outcome == DatagramEndpoint.Sent.PEER_IS_FULL;
        socket.awaitRoom(isFull);
        if (outcome == DatagramEndpoint.Sent.PEER_GONE) {
            fail("the fabric at " + server + " is gone");
        }
    }

    private void fail(String reason) {
        Receiver to = receiver;
        close();
        if (to != null) {
            to.transportFailed(reason);
        }
    }

    /** {@inheritDoc} On the loop it is not waited for the answer. */
    @Override
    public void setIsSm(boolean isSm) throws TransportException {
        byte[] request = ControlMessage.of(clientId, ControlMessage.SET_IS_SM);
        ControlMessage.setInt(request, ControlMessage.DATA, isSm ? 1 : 0);
        if (loop.inLoop()) {
            control.tell(request);
        } else if (ControlMessage.type(control.askAndWait(request)) == ControlMessage.ERROR) {
            throw new TransportException(localPort + " has a subnet manager already; end it, or take another host");
        }
    }

    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        isClosed = true;
        onLoop(() -> {
            receiver = null;
            if (probe != null) {
                probe.cancel();
                control.tell(ControlMessage.of(clientId, ControlMessage.DISCONNECT));
            }
            control.close();
            socket.close();
        });
    }
}
