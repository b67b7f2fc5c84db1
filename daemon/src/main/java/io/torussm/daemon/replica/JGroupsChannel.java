package io.torussm.daemon.replica;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.transport.Loop;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import org.jgroups.Address;
import org.jgroups.BytesMessage;
import org.jgroups.JChannel;
import org.jgroups.Message;
import org.jgroups.PhysicalAddress;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.FRAG4;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.MFC;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.UFC;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.IpAddress;
import org.jgroups.stack.Protocol;
import org.jgroups.stack.ProtocolStack;
import org.jgroups.util.DefaultSocketFactory;
import org.jgroups.util.DefaultThreadFactory;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/**
 * The channel to the peers by JGroups over TCP and TLS 1.3. Before any byte of JGroups is read, both ends of a
 * connection must prove that they have the same key. IP multicast and the diagnostics of JGroups are disabled, and
 * only one socket listens.
 *
 * <p>The connection to the group and sending may wait for the network, so they run on a separate loop.
 */
public final class JGroupsChannel implements PeerChannel {
    private static final EventLog EVENTS = EventLog.of(JGroupsChannel.class);

    /** Time after a failed connection to the group until the next attempt. */
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(10);

    private static final long CLOSE_MS = 3000;

    /** Max interval between the messages of a connected peer. */
    private static final long HEARTBEAT_MS = 1000;

    /** Time without a message of a peer after which its connection is regarded as lost. */
    private static final long SILENCE_MS = 4000;

    private static final long MERGE_MIN_MS = 500;
    private static final long MERGE_MAX_MS = 1500;
    private static final int CONNECT_MS = 2000;

    /** Time without received data after which a connection is closed, also during the handshake. */
    private static final int READ_MS = 30_000;

    private static final int MAX_NAME = 80;

    /** Max number of logged addresses with another key. */
    private static final int MAX_LOGGED_ADDRESSES = 256;

    private final Settings settings;
    private final KeyFile key;
    private final Loop loop;

    /** Messages that wait to be sent, by slot. The map is its own lock. */
    private final Map<String, Parcel> outbox = new LinkedHashMap<>();

    /** Addresses with another key that were logged. */
    private final Set<String> loggedAddresses = ConcurrentHashMap.newKeySet();

    private volatile List<String> peers = List.of();
    private volatile boolean isClosed;

    /** True if a failed connection to the group was logged, and no attempt succeeded since. */
    private boolean isFailureLogged;

    /** Open channel; null if none is open. */
    private @Nullable JChannel channel;

    /**
     * The addresses of the group.
     *
     * @param group name of the group; SMs with equal names are peers
     * @param listen address of this SM, which the peers must be able to reach
     * @param peers addresses of the other SMs; may be unresolved
     */
    public record Settings(String group, InetSocketAddress listen, List<InetSocketAddress> peers) {
        public Settings {
            peers = List.copyOf(peers);
        }
    }

    /**
     * A message that waits to be sent.
     *
     * @param message supplier of the encoded message
     * @param sent callback; called after sending
     */
    private record Parcel(Supplier<byte[]> message, Runnable sent) {}

    /**
     * Creates a channel that is not started.
     *
     * @param loop loop on which the channel connects and sends; the network may block it
     */
    public JGroupsChannel(Settings settings, KeyFile key, Loop loop) {
        this.settings = settings;
        this.key = key;
        this.loop = loop;
    }

    @Override
    public void start(Listener listener) {
        loop.execute(() -> connect(listener));
    }

    private void connect(Listener listener) {
        if (isClosed) {
            return;
        }
        try {
            JChannel opened = open();
            opened.setReceiver(new InboundDispatcher(opened, listener));
            channel = opened;
            opened.connect(settings.group());
            isFailureLogged = false;
        } catch (Exception e) { // whatever JGroups throws
            reportFailure(e);
        } finally {
            if (channel == null || !channel.isConnected()) {
                loop.schedule(RETRY_NS, () -> connect(listener));
                closeNow();
            }
        }
    }

    private void reportFailure(Exception e) {
        if (!isFailureLogged) {
            isFailureLogged = true;
            EVENTS.report(
                    SmEvent.REPLICATION_NOT_LISTENING,
                    EventField.ADDRESS.of(text(settings.listen())),
                    EventField.REASON.of(e),
                    EventField.SECONDS.of(TimeUnit.NANOSECONDS.toSeconds(RETRY_NS)));
        }
    }

    private void closeNow() {
        JChannel open = channel;
        channel = null;
        if (open != null) {
            open.close();
        }
    }

    private JChannel open() throws Exception {
        TCP tcp = new BoundedTcp();
        tcp.setBindAddress(resolved(settings.listen()).getAddress())
                .setBindPort(settings.listen().getPort())
                .setPortRange(0)
                .setSocketFactory(sockets());
        tcp.setSockConnTimeout(CONNECT_MS);
        tcp.logAcceptError(false); // because any host could fill the log; a peer with another key is logged once
        tcp.setThreadFactory(new DefaultThreadFactory("replica", true, true));
        List<PhysicalAddress> peerAddresses = new ArrayList<>();
        for (InetSocketAddress peer : settings.peers()) {
            peerAddresses.add(new IpAddress(resolved(peer).getAddress(), peer.getPort()));
        }
        Protocol[] stack = {
            tcp,
            new TCPPING().setInitialHosts2(peerAddresses).setPortRange(0),
            new MERGE3().setMinInterval(MERGE_MIN_MS).setMaxInterval(MERGE_MAX_MS),
            new FD_ALL3().setInterval(HEARTBEAT_MS).setTimeout(SILENCE_MS),
            new VERIFY_SUSPECT2().setTimeout(HEARTBEAT_MS),
            new NAKACK2().useMcastXmit(false),
            new UNICAST3(),
            new STABLE(),
            new GMS().printLocalAddress(false).setJoinTimeout(CONNECT_MS),
            new UFC(),
            new MFC(),
            new FRAG4()
        };
        JChannel channel = new JChannel(stack).name(text(settings.listen()));
        tcp.getDiagnosticsHandler().setEnabled(false);
        return channel;
    }

    /** Returns the protocols of the channel, for tests that disturb them; null if none is open. Called on the loop. */
    @Nullable
    ProtocolStack stack() {
        JChannel open = channel;
        return open == null ? null : open.getProtocolStack();
    }

    private DefaultSocketFactory sockets() throws Exception {
        SSLContext context = key.context(this::reportUnknownKey);
        DefaultSocketFactory sockets = new DefaultSocketFactory(context);
        SSLParameters demanded = context.getDefaultSSLParameters();
        demanded.setProtocols(new String[] {"TLSv1.3"});
        demanded.setNeedClientAuth(true);
        sockets.setServerSocketConfigurator(socket -> ((SSLServerSocket) socket).setSSLParameters(demanded));
        sockets.setSocketConfigurator(JGroupsChannel::limitSilence);
        return sockets;
    }

    private static void limitSilence(Socket socket) {
        try {
            socket.setSoTimeout(READ_MS);
        } catch (SocketException e) {
            throw new IllegalStateException("a new socket takes no timeout", e);
        }
    }

    private void reportUnknownKey(String address) {
        if (loggedAddresses.size() < MAX_LOGGED_ADDRESSES && loggedAddresses.add(address)) {
            EVENTS.report(SmEvent.REPLICATION_OTHER_KEY, EventField.PEER.of(address));
        }
    }

    private static InetSocketAddress resolved(InetSocketAddress address) throws UnknownHostException {
        return new InetSocketAddress(InetAddress.getByName(address.getHostString()), address.getPort());
    }

    private static String text(InetSocketAddress address) {
        return address.getHostString() + ":" + address.getPort();
    }

    @Override
    public void send(String slot, Supplier<byte[]> message, Runnable sent) {
        synchronized (outbox) {
            outbox.put(slot, new Parcel(message, sent));
        }
        loop.execute(this::sendNext);
    }

    private void sendNext() {
        Parcel next;
        synchronized (outbox) {
            if (outbox.isEmpty()) {
                return;
            }
            next = outbox.remove(outbox.keySet().iterator().next());
        }
        JChannel open = channel;
        if (open == null || peers.isEmpty()) {
            return; // without a loss, because all content is sent again to a peer that joins
        }
        try {
            open.send(new BytesMessage(null, next.message().get()).setFlag(Message.TransientFlag.DONT_LOOPBACK));
            next.sent().run();
        } catch (Exception e) { // whatever JGroups throws
            EVENTS.report(SmEvent.REPLICATION_NOT_SENT, EventField.REASON.of(e));
        }
    }

    @Override
    public List<String> peers() {
        return peers;
    }

    @Override
    public int configuredPeerCount() {
        return settings.peers().size();
    }

    @Override
    public void close() {
        isClosed = true;
        CountDownLatch done = new CountDownLatch(1);
        loop.execute(() -> {
            closeNow();
            done.countDown();
        });
        try {
            if (!done.await(CLOSE_MS, TimeUnit.MILLISECONDS)) {
                EVENTS.report(SmEvent.REPLICATION_NO_GOODBYE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The receiver of the callbacks of JGroups, on threads of JGroups. */
    private final class InboundDispatcher implements Receiver {
        private final JChannel own;
        private final Listener listener;

        /** Names of the connected peers by address. */
        private volatile Map<Address, String> peerNames = Map.of();

        InboundDispatcher(JChannel own, Listener listener) {
            this.own = own;
            this.listener = listener;
        }

        /** Runs a callback. An exception is thrown on the loop, because JGroups would ignore it. */
        private void runGuarded(Runnable callback) {
            try {
                callback.run();
            } catch (RuntimeException | Error e) {
                loop.execute(() -> {
                    throw e;
                });
            }
        }

        @Override
        public void viewAccepted(View view) {
            runGuarded(() -> updatePeers(view));
        }

        private void updatePeers(View view) {
            Map<Address, String> current = new LinkedHashMap<>();
            for (Address member : view.getMembers()) {
                if (!member.equals(own.getAddress())) {
                    current.put(member, name(member));
                }
            }
            Map<Address, String> previous = peerNames;
            peerNames = current;
            peers = List.copyOf(current.values());
            previous.forEach((member, name) -> {
                if (!current.containsKey(member)) {
                    listener.left(name);
                }
            });
            current.forEach((member, name) -> {
                if (!previous.containsKey(member)) {
                    listener.joined(name);
                }
            });
        }

        @Override
        public void receive(Message message) {
            byte[] array = message.hasArray() ? message.getArray() : null;
            if (array == null) {
                return;
            }
            int start = message.getOffset();
            byte[] copy = Arrays.copyOfRange(array, start, start + message.getLength());
            runGuarded(() -> listener.received(peerNames.getOrDefault(message.getSrc(), name(message.getSrc())), copy));
        }

        @Override
        public void receive(MessageBatch batch) {
            batch.forEach(this::receive);
        }
    }

    /** Formats the name of a peer for logs and the console. */
    private static String name(Address member) {
        String name = String.valueOf(member).replaceAll("[^ -~]", "?");
        return name.length() > MAX_NAME ? name.substring(0, MAX_NAME) : name;
    }
}
