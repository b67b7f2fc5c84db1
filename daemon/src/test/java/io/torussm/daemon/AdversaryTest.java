package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.daemon.control.FabricSize;
import io.torussm.event.SmEvent;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.sa.ServiceRecord;
import io.torussm.mastership.SmState;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.MembershipMad;
import io.torussm.testing.Seeds;
import io.torussm.view.PublishedView;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several hosts attack a whole SM of an embedded fabric simultaneously, while others use it. None of these
 * waits long or is rejected, and the SM stays unchanged. In virtual time, with an SA that processes its
 * queues every {@link #TURN_NS} only.
 */
@Tag("slow")
class AdversaryTest {
    static final Gid GROUP = new Gid(0xff12_1234_0000_0000L, 1);
    static final int Q_KEY = 7;

    private static final String TORUS = "torus:4x3x1,hosts=1";
    private static final String SM_HOST = "host-0-0-0-0";
    private static final List<String> ATTACKERS = List.of("host-1-0-0-0", "host-2-1-0-0", "host-3-2-0-0");
    private static final List<String> HONEST_HOSTS =
            List.of("host-1-1-0-0", "host-2-0-0-0", "host-3-0-0-0", "host-0-2-0-0");
    private static final long TURN_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long SERVICE = 0x600d;
    private static final long M_KEY = 0x5e5e_0000_0000_0001L;

    /** Of an attacker, in a millisecond. */
    private static final int MADS_PER_MS = 50;

    private static final int ATTACK_MS = 300;

    /** A client registers something at the beginning, and again after so many answers. */
    private static final int CYCLE = 20;

    /** A client asks again after this, as ib_sa may, and gives up after as many tries. */
    private static final int CLIENT_TIMEOUT_MS = 50;

    private static final int TRIES = 5;

    private final Topology topology = TorusSpec.parse(TORUS).topology();

    @TempDir
    Path dir;

    /** Every other seed with M_Keys. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2})
    void nobodyIsStarvedAndTheSmStaysMaster(long seed) throws Exception {
        long drawn = Long.getLong("seed", seed);
        besiege(drawn, drawn % 2 == 0 ? M_KEY : 0);
    }

    /** 45,000 MADs of adversaries each. */
    @ParameterizedTest(name = "M_Key {0}")
    @ValueSource(longs = {0, M_KEY})
    @Tag("campaign")
    void adversariesOfACampaignAchieveNothing(long mKey) throws Exception {
        String what = mKey == 0 ? "sieges without M_Keys" : "sieges with M_Keys";
        StormCampaign.run(what, new SiegeTally(), seed -> besiege(seed, mKey));
    }

    private SiegeTally besiege(long seed, long mKey) throws Exception {
        try (LoggedEvents log = new LoggedEvents().listen()) {
            return new Siege(seed, mKey, log).run();
        }
    }

    /** One attack. */
    private final class Siege {
        private final VirtualLoop loop = new VirtualLoop();
        private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
        private final LoggedEvents log;
        private final Random random;
        private final FabricSm sm;
        private final List<Client> clients = new ArrayList<>();
        private final List<Adversary> adversaries = new ArrayList<>();
        private final SiegeTally tally = new SiegeTally();

        Siege(long seed, long mKey, LoggedEvents log) throws Exception {
            this.log = log;
            random = Seeds.random(seed);
            String conf = ServiceHarness.torusConf(dir, TorusSpec.parse(TORUS));
            sm = new FabricSm(
                    loop,
                    fabric,
                    SM_HOST,
                    5,
                    ServiceHarness.options(
                            dir,
                            Map.of(
                                    Settings.TORUS_CONFIG,
                                    conf,
                                    Settings.BABBLING_PORT_POLICY,
                                    "true",
                                    Settings.M_KEY,
                                    Long.toString(mKey),
                                    Settings.M_KEY_PROTECTION_LEVEL,
                                    mKey == 0 ? "0" : "2")));
            sm.saWorkers = task -> loop.schedule(TURN_NS, task);
            sm.start();
            assertThat(loop.runUntil(sm::isUp, TimeUnit.SECONDS.toNanos(30))).isTrue();
            loop.runFor(TimeUnit.SECONDS.toNanos(5));
        }

        SiegeTally run() {
            PublishedView view = Objects.requireNonNull(sm.sweeper.view());
            List<Gid> victims = HONEST_HOSTS.stream().map(this::gid).toList();
            for (String host : HONEST_HOSTS) {
                clients.add(new Client(host, view.subnet().smLid()));
            }
            for (String host : ATTACKERS) {
                adversaries.add(new Adversary(
                        fabric.attach(host, 1),
                        random,
                        UntrustedHostTest.reversePath(
                                view.subnet().fabric(), node(host).nodeGuid()),
                        view.subnet().smLid(),
                        victims));
            }
            int sweeps = sm.ends.size();
            int links = FabricSize.of(view.subnet()).links();
            for (int ms = 0; ms < ATTACK_MS; ms++) {
                for (int i = 0; i < MADS_PER_MS; i++) {
                    adversaries.forEach(Adversary::sendRandom);
                }
                clients.forEach(Client::tick);
                loop.runFor(TimeUnit.MILLISECONDS.toNanos(1));
            }
            clients.forEach(Client::check);
            adversaries.forEach(each -> tally.addAttack(each.sent(), each.answered()));
            loop.runFor(TimeUnit.SECONDS.toNanos(30));
            assertThat(sm.state()).isEqualTo(SmState.MASTER);
            assertThat(sm.ends.stream().skip(sweeps).filter("up"::equals))
                    .as("sweeps")
                    .hasSizeLessThan(6);
            assertThat(FabricSize.of(Objects.requireNonNull(sm.sweeper.view()).subnet())
                            .links())
                    .isEqualTo(links);
            assertThat(sm.administrator.stats().defects()).isZero();
            assertThat(log.of(SmEvent.PORT_DISABLED)).isEmpty();
            assertThat(log.all()).as("log").hasSizeLessThan(400);
            assertThat(sm.memberships.view().groups())
                    .filteredOn(group -> group.mgid().equals(GROUP))
                    .singleElement()
                    .satisfies(group -> assertThat(group.members().stream()
                                    .map(member -> member.portGid())
                                    .filter(victims::contains))
                            .as("who joined itself is not removed by others")
                            .hasSize(HONEST_HOSTS.size()));
            return tally;
        }

        private Topology.Node node(String name) {
            return topology.node(name).orElseThrow();
        }

        private Gid gid(String host) {
            return new Gid(Gid.DEFAULT_PREFIX, node(host).portGuid(1));
        }

        /** Joins a group, makes one of its own, registers a service, asks for paths: one after the other, and again. */
        private final class Client {
            private final String host;
            private final int smLid;
            private final EventClient port;
            private final List<Integer> waits = new ArrayList<>();
            private int done;
            private int tries;
            private int waitedMs;

            Client(String host, int smLid) {
                this.host = host;
                this.smLid = smLid;
                this.port = new EventClient(fabric.attach(host, 1));
                sendRequest();
            }

            private void sendRequest() {
                port.answers.clear();
                tries++;
                assertThat(tries)
                        .as("tries of %s for its request %d", host, done)
                        .isLessThanOrEqualTo(TRIES);
                port.sendRequest(smLid, request());
            }

            private byte[] request() {
                return switch (done % CYCLE) {
                    case 0 -> MembershipMad.of(Method.SET, 0, GROUP, gid(host), MCMemberRecord.FULL_MEMBER, Q_KEY);
                    case 1 ->
                        MembershipMad.of(
                                Method.SET,
                                0,
                                new Gid(
                                        GROUP.prefix(),
                                        100L + (long) done * HONEST_HOSTS.size() + HONEST_HOSTS.indexOf(host)),
                                gid(host),
                                MCMemberRecord.FULL_MEMBER,
                                Q_KEY);
                    case 2 -> service();
                    default -> path();
                };
            }

            private byte[] service() {
                long mask = ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_ID)
                        | ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_GID);
                byte[] mad = SaMad.request(Method.SET, 0, ServiceRecord.TYPE.id(), 0, mask);
                ServiceRecord.TYPE
                        .zero()
                        .with(ServiceRecord.SERVICE_ID, SERVICE)
                        .with(ServiceRecord.SERVICE_GID, gid(host))
                        .write(mad, SaMad.DATA_OFFSET);
                return mad;
            }

            private byte[] path() {
                long mask = PathRecord.COMPONENTS.bit(PathRecord.SGID)
                        | PathRecord.COMPONENTS.bit(PathRecord.DGID)
                        | PathRecord.COMPONENTS.bit(PathRecord.NUMB_PATH);
                byte[] mad = SaMad.request(Method.GET, 0, PathRecord.TYPE.id(), 0, mask);
                PathRecord.TYPE
                        .zero()
                        .with(PathRecord.SGID, gid(host))
                        .with(PathRecord.DGID, gid(HONEST_HOSTS.get(random.nextInt(HONEST_HOSTS.size()))))
                        .with(PathRecord.NUMB_PATH, 1)
                        .write(mad, SaMad.DATA_OFFSET);
                return mad;
            }

            /** A millisecond has passed. */
            void tick() {
                waitedMs++;
                if (!port.answers.isEmpty()) {
                    int status = MadHeader.status(port.answers.get(0));
                    if (status == MadStatus.BUSY) {
                        port.answers.clear(); // The client tries again after its time-out.
                    } else {
                        assertThat(status).as("%s, request %d", host, done).isZero();
                        waits.add(waitedMs);
                        tally.addWait(waitedMs);
                        done++;
                        tries = 0;
                        waitedMs = 0;
                        sendRequest();
                    }
                } else if (waitedMs % CLIENT_TIMEOUT_MS == 0) {
                    sendRequest();
                }
            }

            void check() {
                assertThat(waits).as("answers to %s", host).hasSizeGreaterThan(ATTACK_MS / 20);
                assertThat(waits).as("ms of %s", host).allMatch(ms -> ms <= 2 * CLIENT_TIMEOUT_MS);
                assertThat(waitedMs)
                        .as("ms of %s since the last answer", host)
                        .isLessThanOrEqualTo(2 * CLIENT_TIMEOUT_MS);
            }
        }
    }
}
