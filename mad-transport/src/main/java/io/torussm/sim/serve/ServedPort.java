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
 * A port of a fabric in another process, {@code torus-sm fabric} or ibsim, over its UNIX socket. Without libumad2sim, a
 * MAD keeps all its 256 bytes, and sending and receiving share no lock. Any thread may call it; frames arrive on the
 * loop.
 */
public final class ServedPort implements MadTransport {
    /**
     * Max concurrent requests. The kernel's queue holds ten datagrams; further ones wait in this process and in the
     * server.
     */
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

    /** True while {@link #flush} is queued on the loop. */
    private boolean isListed;

    /** True if the server accepted no more MADs. */
    private boolean isFull;

    private @Nullable Receiver receiver;
    private Loop.@Nullable Timer probe;
    private volatile boolean isClosed;

    /** Binds both sockets. Called on the loop. */
    private ServedPort(Loop loop, DatagramNetwork network, ListenAddress.Unix server, int connection)
            throws IOException {
        this.loop = loop;
        this.server = server;
        this.connection = connection;
        control = new ServedControl(loop, network, server.ofClient("ctl", connection), server.control());
        socket = network.bind(server.ofClient("in", connection), this::handleReady);
    }

    /**
     * Attaches to a port. Not to be called on the loop.
     *
     * @param loop loop that waits for the sockets
     * @param server address of the fabric
     * @param connection number that no other client of the server has, such as the ID of this process
     * @param hostName name of the host, as in {@code SIM_HOST} of clients; empty for the first host
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

    /** Runs a task on the loop and waits for its result. */
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

    /** Attaches this client, and reads the number and GUID of the port. */
    private void attach(String hostName) throws TransportException {
        byte[] connect = ControlMessage.of(0, ControlMessage.CONNECT);
        ControlMessage.setInt(connect, ControlMessage.CONNECTION, connection);
        ControlMessage.setNode(connect, hostName);
        ControlMessage.setInt(connect, ControlMessage.PER_DATAGRAM, MadDatagram.MAX_MADS);
        byte[] answer = control.requestAndWait(connect);
        if (ControlMessage.type(answer) == ControlMessage.ERROR) {
            throw new TransportException("the fabric at " + server + " has no host \"" + hostName
                    + "\", or no room for another client; its own output says which");
        }
        clientId = ControlMessage.intAt(answer, ControlMessage.CONNECTION);
        int granted = ControlMessage.intAt(answer, ControlMessage.GRANTED_PER_DATAGRAM);
        DatagramAddress peer = call(loop, () -> {
            DatagramAddress data = server.data(clientId);
            socket.connect(data);
            outbox = new MadOutbox(MAX_WAITING, Math.max(1, Math.min(granted, MadDatagram.MAX_MADS)));
            probe = loop.schedule(PROBE_NS, this::probe);
            return data;
        });
        byte[] node = info(ControlMessage.GET_NODE_INFO);
        byte[] port = info(ControlMessage.GET_PORT_INFO);
        int portNum = (int) PortInfo.LOCAL_PORT_NUM.get(port, 0);
        localPort = new LocalPort(peer.toString(), portNum, NodeInfo.NODE_GUID.get(node, 0) + portNum);
    }

    /** Returns the data of a response to a control request. */
    private byte[] info(int type) throws TransportException {
        byte[] answer = control.requestAndWait(ControlMessage.of(clientId, type));
        if (ControlMessage.type(answer) == ControlMessage.ERROR) {
            throw new TransportException("the fabric at " + server + " does not show its port");
        }
        byte[] info = new byte[INFO_BYTES];
        System.arraycopy(answer, ControlMessage.DATA_OFFSET, info, 0, info.length);
        return info;
    }

    /** Checks each second whether the server is alive. */
    private void probe() {
        if (!socket.isPeerBound()) {
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

    /** {@inheritDoc} The receiver is called on the loop. */
    @Override
    public void start(Receiver newReceiver) {
        onLoop(() -> receiver = newReceiver);
    }

    private void onLoop(Runnable task) {
        if (loop.isInLoop()) {
            task.run();
        } else {
            loop.execute(task);
        }
    }

    private void handleReady() {
        if (isFull) {
            flush();
        }
        if (!isClosed
                && socket.receive((bytes, length, from) -> receive(bytes, length)) == DatagramEndpoint.PEER_GONE) {
            fail("the fabric at " + server + " has thrown this client out");
        }
    }

    private void receive(byte[] datagram, int length) {
        Receiver target = receiver;
        if (target == null || length % MadDatagram.LENGTH != 0) {
            return;
        }
        for (int offset = 0; offset < length; offset += MadDatagram.LENGTH) {
            MadAddress sender =
                    new MadAddress(MadDatagram.slid(datagram, offset), MadDatagram.sourceQp(datagram, offset), 0, 0);
            target.received(
                    new MadFrame(sender, MadDatagram.mad(datagram, offset), MadDatagram.status(datagram, offset) != 0));
        }
    }

    /** {@inheritDoc} Returns false also for a message of several segments. */
    @Override
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        if (isClosed || frame.mad().length != MadHeader.MAD_SIZE) {
            return false;
        }
        MadAddress peer = frame.peer();
        int slid = peer.lid() == Lids.PERMISSIVE ? Lids.PERMISSIVE : 0;
        byte[] datagram = MadDatagram.of(slid, peer.qpn(), peer.lid(), peer.qpn(), 0, frame.mad(), MadHeader.MAD_SIZE);
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
        DatagramEndpoint.SendResult outcome = outbox.flush(socket);
        isFull = outcome == DatagramEndpoint.SendResult.PEER_IS_FULL;
        socket.setAwaitsRoom(isFull);
        if (outcome == DatagramEndpoint.SendResult.PEER_GONE) {
            fail("the fabric at " + server + " is gone");
        }
    }

    private void fail(String reason) {
        Receiver frameReceiver = receiver;
        close();
        if (frameReceiver != null) {
            frameReceiver.transportFailed(reason);
        }
    }

    /** {@inheritDoc} On the loop, this method does not wait for the response, and so cannot fail. */
    @Override
    public void setIsSm(boolean isSm) throws TransportException {
        byte[] request = ControlMessage.of(clientId, ControlMessage.SET_IS_SM);
        ControlMessage.setInt(request, ControlMessage.DATA_OFFSET, isSm ? 1 : 0);
        if (loop.isInLoop()) {
            control.send(request);
        } else if (ControlMessage.type(control.requestAndWait(request)) == ControlMessage.ERROR) {
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
                control.send(ControlMessage.of(clientId, ControlMessage.DISCONNECT));
            }
            control.close();
            socket.close();
        });
    }
}
