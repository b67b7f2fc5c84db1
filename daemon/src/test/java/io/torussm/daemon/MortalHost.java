package io.torussm.daemon;

import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.port.ForwardingTransport;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The environment of an SM at a host of an embedded fabric: its port and its connections to peers. Both can die without
 * notice. Frames of the SA do not cross the fabric: a test hands requests to the SA by {@link #request}, and responses
 * and Reports are kept here.
 */
public final class MortalHost implements SubnetManager.Environment {
    private static final long TIMEOUT_S = 60;

    final LoopedFabric fabric;
    final String name;
    private final BlockingQueue<byte[]> responses = new LinkedBlockingQueue<>();

    /** The Reports that the SM has sent and {@link #report} has not returned. */
    final BlockingQueue<byte[]> reports = new LinkedBlockingQueue<>();

    /** Receives the messages of peers before the SM does. */
    volatile Consumer<byte[]> peerMessageListener = message -> {};

    private volatile boolean isDead;
    private MadTransport.@Nullable Receiver receiver;
    private @Nullable MadTransport port;

    /** Creates a host at which no SM runs yet. */
    public MortalHost(LoopedFabric fabric, String name) {
        this.fabric = fabric;
        this.name = name;
    }

    /** Closes the port without notice to the fabric, and cuts the connections to peers. */
    public void kill() {
        isDead = true;
        Objects.requireNonNull(port).close();
    }

    /** Hands a request of a host to the SA, and returns the response. */
    byte[] request(String requester, byte[] request) throws InterruptedException {
        MadAddress from = new MadAddress(fabric.lid(requester), 1, 0, 0);
        Objects.requireNonNull(receiver).received(new MadFrame(from, request));
        return Objects.requireNonNull(responses.poll(TIMEOUT_S, TimeUnit.SECONDS));
    }

    /** Returns the number of the trap and the GUID in the next Report, as {@code 64 1000000001}. */
    String report() throws InterruptedException {
        return EventLines.reportText(Objects.requireNonNull(reports.poll(TIMEOUT_S, TimeUnit.SECONDS)));
    }

    @Override
    public MadTransport port(SmOptions options, NettyLoop simulation) {
        MadTransport inner = fabric.attach(name);
        port = inner;
        return new ForwardingTransport(inner) {
            @Override
            public void start(Receiver newReceiver) {
                receiver = newReceiver;
                super.start(newReceiver);
            }

            @Override
            public boolean send(MadFrame frame, int responseTimeoutMs) {
                if (MadHeader.mgmtClass(frame.mad()) != MgmtClass.SUBN_ADM) {
                    return super.send(frame, responseTimeoutMs);
                }
                boolean isReport = MadHeader.method(frame.mad()) == Method.REPORT;
                return (isReport ? reports : responses).add(frame.mad());
            }
        };
    }

    @Override
    public PeerChannel peers(JGroupsChannel.Settings settings, KeyFile key, NettyLoop loop) {
        PeerChannel inner = new JGroupsChannel(settings, key, loop);
        return new PeerChannel() {
            @Override
            public void start(Listener listener) {
                inner.start(new Listener() {
                    @Override
                    public void joined(String peer) {
                        listener.joined(peer);
                    }

                    @Override
                    public void left(String peer) {
                        listener.left(peer);
                    }

                    @Override
                    public void received(String peer, byte[] message) {
                        if (!isDead) {
                            peerMessageListener.accept(message);
                            listener.received(peer, message);
                        }
                    }
                });
            }

            @Override
            public void send(String slot, Supplier<byte[]> message, Runnable sent) {
                if (!isDead) {
                    inner.send(slot, message, sent);
                }
            }

            @Override
            public List<String> peers() {
                return inner.peers();
            }

            @Override
            public int configuredPeerCount() {
                return inner.configuredPeerCount();
            }

            @Override
            public void close() {
                inner.close();
            }
        };
    }
}
