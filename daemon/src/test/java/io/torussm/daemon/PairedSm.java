package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.daemon.replica.ReplicaMessages;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.GuidInfoRecord;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.mad.smp.Notice;
import io.torussm.multicast.MulticastGroup;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.testing.MembershipMad;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import io.torussm.transport.port.ForwardingTransport;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One subnet manager, that can die, and its port, at which SA requests of others can be handed in. */
public final class PairedSm implements SubnetManager.Surroundings {
    public static final String TORUS = "torus:4x3x1,hosts=1";
    static final Gid GROUP = new Gid(0xff12_1234_0000_0000L, 2);
    static final long ALIAS = 0x1234_5678_9abc_def0L;
    private static final int ALIAS_INDEX = 3;
    private static final long PATIENCE_S = 60;

    private final LoopedFabric fabric;
    private final String host;
    final BlockingQueue<byte[]> answers = new LinkedBlockingQueue<>();
    final BlockingQueue<byte[]> reports = new LinkedBlockingQueue<>();
    final Set<String> withGroup = ConcurrentHashMap.newKeySet();
    public final ServiceHarness harness;
    private volatile boolean isDead;
    private MadTransport.@Nullable Receiver receiver;
    private @Nullable MadTransport port;

    /**
     * Starts one.
     *
     * @param dir where its state and the configuration of the torus are
     * @param replication its settings of replication
     */
    public PairedSm(LoopedFabric fabric, Path dir, String host, int priority, Map<Setting<?>, String> replication)
            throws Exception {
        this.fabric = fabric;
        this.host = host;
        Map<Setting<?>, String> settings = new TreeMap<>(replication);
        String conf = ServiceHarness.torusConf(dir, TorusSpec.parse(TORUS));
        settings.put(Settings.TORUS_CONFIG, conf);
        settings.put(Settings.SM_PRIORITY, Integer.toString(priority));
        settings.put(Settings.SMINFO_POLLING_TIMEOUT, "200");
        harness = new ServiceHarness(dir.resolve("state-" + host), settings, this);
    }

    /** Neither a port that goes down in order nor a word to the peers. */
    public void die() {
        isDead = true;
        Objects.requireNonNull(port).close();
    }

    @Override
    public MadTransport port(SmOptions options, NettyLoop simulation) {
        MadTransport inner = fabric.attach(host);
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
                return (isReport ? reports : answers).add(frame.mad());
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
                            withGroup.add(ReplicaMessages.containing(GROUP.toString(), message));
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
            public int expected() {
                return inner.expected();
            }

            @Override
            public void close() {
                inner.close();
            }
        };
    }

    public void awaitUp() throws InterruptedException {
        for (String end = harness.end(); !end.equals("up"); end = harness.end()) {
            assertThat(end).doesNotContain("refused", "failed");
        }
    }

    /** Sweeps until the fabric is as wanted. */
    public void sweepUntil(Supplier<Boolean> isDone) throws InterruptedException {
        do {
            harness.control().requestSweep(true);
            awaitUp();
        } while (!isDone.get());
    }

    /** A request of a host about a group; the answer. */
    MCMemberRecord ask(int method, String name, Gid mgid) throws Exception {
        byte[] answer = answer(name, request(method, name, mgid));
        assertThat(MadHeader.STATUS.get(answer, 0)).isEqualTo(MadStatus.OK);
        return MCMemberRecord.TYPE.read(answer, SaMad.DATA);
    }

    /** The status of a request of a host about its service. */
    int askForService(int method, String name) throws Exception {
        return MadHeader.status(answer(name, serviceRequest(method, name)));
    }

    /** A request of a host about its alias GUID; that which it has then, 0 for none. */
    long askForAlias(int method, String name) throws Exception {
        byte[] answer = answer(name, aliasRequest(method, name));
        assertThat(MadHeader.status(answer)).isZero();
        return GuidInfoRecord.guid(ALIAS_INDEX).get(answer, SaMad.DATA);
    }

    /** The status of a request of a host to subscribe to ports that appear. */
    int subscribe(int subscribe, String name) throws Exception {
        byte[] request = EventLines.informInfo(subscribe, Notice.TRAP_GID_IN_SERVICE);
        return MadHeader.status(answer(name, request));
    }

    /** Returns the contents of the next Report. */
    String report() throws InterruptedException {
        return EventLines.told(Objects.requireNonNull(reports.poll(PATIENCE_S, TimeUnit.SECONDS)));
    }

    private byte[] answer(String name, byte[] request) throws InterruptedException {
        MadAddress from = new MadAddress(fabric.lid(name), 1, 0, 0);
        Objects.requireNonNull(receiver).received(new MadFrame(from, request));
        return Objects.requireNonNull(answers.poll(PATIENCE_S, TimeUnit.SECONDS));
    }

    Optional<MulticastGroup> group(Gid mgid) {
        return harness.control().multicast().groups().stream()
                .filter(group -> group.mgid().equals(mgid))
                .findFirst();
    }

    private byte[] request(int method, String name, Gid mgid) {
        return MembershipMad.of(method, 1, mgid, fabric.gid(name), MCMemberRecord.FULL_MEMBER, 0xb1b);
    }

    private byte[] serviceRequest(int method, String name) {
        long mask = ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_ID)
                | ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_GID);
        byte[] mad = SaMad.request(method, 2, ServiceRecord.TYPE.id(), 0, mask);
        ServiceRecord.TYPE
                .zero()
                .with(ServiceRecord.SERVICE_ID, 7)
                .with(ServiceRecord.SERVICE_GID, fabric.gid(name))
                .write(mad, SaMad.DATA);
        return mad;
    }

    private byte[] aliasRequest(int method, String name) {
        long mask = GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.LID)
                | GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.BLOCK_NUM)
                | (method == Method.SET ? GuidInfoRecord.COMPONENTS.bit(GuidInfoRecord.guid(ALIAS_INDEX)) : 0);
        byte[] mad = SaMad.request(method, 3, GuidInfoRecord.TYPE.id(), 0, mask);
        GuidInfoRecord.TYPE
                .zero()
                .with(GuidInfoRecord.LID, fabric.lid(name))
                .with(GuidInfoRecord.guid(ALIAS_INDEX), ALIAS)
                .write(mad, SaMad.DATA);
        return mad;
    }
}
