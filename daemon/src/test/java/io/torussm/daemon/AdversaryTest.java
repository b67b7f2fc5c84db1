package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
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
 * Several hosts attack a whole SM of an embedded fabric simultaneously, while others use it. No honest host
 * waits long or is rejected, and the SM stays unchanged. Time is virtual, so a seed repeats an attack exactly; the
 * limits below are those of 20 seeds with a margin.
 */
@Tag("slow")
class AdversaryTest {
    /** The group that all honest hosts join, and that adversaries try to change. */
    static final Gid GROUP = new Gid(0xff12_1234_0000_0000L, 1);

    static final int Q_KEY = 7;
    private static final int SM_PRIORITY = 5;

    private static final String TORUS = "torus:4x3x1,hosts=1";
    private static final String SM_HOST = "host-0-0-0-0";
    private static final List<String> ATTACKERS = List.of("host-1-0-0-0", "host-2-1-0-0", "host-3-2-0-0");
    private static final List<String> HONEST_HOSTS =
            List.of("host-1-1-0-0", "host-2-0-0-0", "host-3-0-0-0", "host-0-2-0-0");

    /** Time between two passes of the SA over its queues: long enough for the attackers to fill them. */
    private static final long TURN_NS = TimeUnit.MILLISECONDS.toNanos(2);

    /** ServiceID that each honest host registers at its own GID. */
    private static final long SERVICE_ID = 0x600d;

    private static final long M_KEY = 0x5e5e_0000_0000_0001L;

    /** Number of MADs that one attacker sends in a millisecond. */
    private static final int MADS_PER_MS = 50;

    private static final int ATTACK_MS = 300;

    /** Number of requests of a client from one registration to the next; the others are for paths. */
    private static final int CYCLE = 20;

    /** Time after which a client sends a request again, as ib_sa may. */
    private static final int CLIENT_TIMEOUT_MS = 50;

    /** Number of times that a client sends a request before it fails. */
    private static final int TRIES = 5;

    /** Min number of answers to a client during the attack; 149 in each of 20 sieges. */
    private static final int MIN_ANSWERS = 120;

    /** Max time from a request to its answer; 3 in each of 20 sieges. */
    private static final int MAX_WAIT_MS = 20;

    /** Max number of sweeps during and after an attack; none in 20 sieges. */
    private static final int MAX_SWEEPS = 2;

    /** Max number of lines of the log; 47 to 64 in 20 sieges. */
    private static final int MAX_LOG_LINES = 128;

    private final Topology topology = TorusSpec.parse(TORUS).topology();

    @TempDir
    Path dir;

    @ParameterizedTest(name = "M_Key {0}")
    @ValueSource(longs = {0, M_KEY})
    void hostsAreServedAndTheSmStaysMasterDuringAnAttack(long mKey) throws Exception {
        besiege(Long.getLong("seed", mKey == 0 ? 1 : 2), mKey);
    }

    /** 45,000 MADs of adversaries each. */
    @ParameterizedTest(name = "M_Key {0}")
    @ValueSource(longs = {0, M_KEY})
    @Tag("campaign")
    void adversariesOfACampaignAchieveNothing(long mKey) throws Exception {
        String title = mKey == 0 ? "sieges without M_Keys" : "sieges with M_Keys";
        StormCampaign.run(title, new SiegeTally(), seed -> besiege(seed, mKey));
    }

    private SiegeTally besiege(long seed, long mKey) throws Exception {
        try (LoggedEvents log = new LoggedEvents().listen()) {
            return new Siege(seed, mKey, log).run();
        }
    }

    /** An attack on one SM, and the requests of its clients meanwhile. */
    private final class Siege {
        private final VirtualLoop loop = new VirtualLoop();
        private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
        private final LoggedEvents log;
        private final Random random;
        private final FabricSm sm;
        private final List<Client> clients = new ArrayList<>();
        private final List<Adversary> adversaries = new ArrayList<>();
        private final SiegeTally tally = new SiegeTally();
        private final List<Gid> victims = HONEST_HOSTS.stream().map(this::gid).toList();

        Siege(long seed, long mKey, LoggedEvents log) throws Exception {
            this.log = log;
            random = Seeds.random(seed);
            sm = new FabricSm(loop, fabric, SM_HOST, SM_PRIORITY, options(mKey));
            sm.saWorkers = task -> loop.schedule(TURN_NS, task);
            sm.start();
            assertThat(loop.runUntil(sm::isUp, TimeUnit.SECONDS.toNanos(30))).isTrue();
            loop.runFor(TimeUnit.SECONDS.toNanos(5));
        }

        private SmOptions options(long mKey) throws Exception {
            return ServiceHarness.options(
                    dir,
                    Map.of(
                            Settings.TORUS_CONFIG,
                            ServiceHarness.torusConf(dir, TorusSpec.parse(TORUS)),
                            Settings.BABBLING_PORT_POLICY,
                            "true",
                            Settings.M_KEY,
                            Long.toString(mKey),
                            Settings.M_KEY_PROTECTION_LEVEL,
                            mKey == 0 ? "0" : "2"));
        }

        SiegeTally run() {
            PublishedView view = Objects.requireNonNull(sm.sweeper.view());
            addHosts(view);
            long sweepsBefore = sweepCount();
            attack();
            clients.forEach(Client::verify);
            loop.runFor(TimeUnit.SECONDS.toNanos(30));
            assertThat(sweepCount() - sweepsBefore).as("sweeps").isLessThanOrEqualTo(MAX_SWEEPS);
            verifySm(FabricSize.of(view.subnet()).links());
            verifyMemberships();
            return tally;
        }

        private void addHosts(PublishedView view) {
            HONEST_HOSTS.forEach(
                    host -> clients.add(new Client(host, view.subnet().smLid())));
            for (String host : ATTACKERS) {
                adversaries.add(new Adversary(
                        fabric.attach(host, 1),
                        random,
                        UntrustedHostTest.reversePath(
                                view.subnet().fabric(), node(host).nodeGuid()),
                        view.subnet().smLid(),
                        victims));
            }
        }

        private void attack() {
            for (int ms = 0; ms < ATTACK_MS; ms++) {
                for (int i = 0; i < MADS_PER_MS; i++) {
                    adversaries.forEach(Adversary::sendRandom);
                }
                clients.forEach(Client::tick);
                loop.runFor(TimeUnit.MILLISECONDS.toNanos(1));
            }
            adversaries.forEach(each -> tally.addAttack(each.sent(), each.answered()));
        }

        private long sweepCount() {
            return sm.ends.stream().filter("up"::equals).count();
        }

        private void verifySm(int links) {
            assertThat(sm.state()).isEqualTo(SmState.MASTER);
            assertThat(FabricSize.of(Objects.requireNonNull(sm.sweeper.view()).subnet())
                            .links())
                    .as("links")
                    .isEqualTo(links);
            assertThat(sm.administrator.stats().defects()).as("defects").isZero();
            assertThat(log.of(SmEvent.PORT_DISABLED)).isEmpty();
            assertThat(log.all()).as("log").hasSizeLessThanOrEqualTo(MAX_LOG_LINES);
        }

        private void verifyMemberships() {
            assertThat(sm.memberships.view().groups())
                    .filteredOn(group -> group.mgid().equals(GROUP))
                    .singleElement()
                    .satisfies(group -> assertThat(group.members())
                            .extracting(member -> member.portGid())
                            .as("members that joined themselves stay")
                            .containsAll(victims));
        }

        private Topology.Node node(String name) {
            return topology.node(name).orElseThrow();
        }

        private Gid gid(String host) {
            return new Gid(Gid.DEFAULT_PREFIX, node(host).portGuid(1));
        }

        /**
         * A host that joins a group, creates a group of its own, registers a service, and asks for paths, in turns. It
         * sends the next request when the previous one is answered.
         */
        private final class Client {
            private final String host;
            private final int smLid;
            private final EventClient eventClient;
            private final List<Integer> waits = new ArrayList<>();
            private int done;
            private int tries;
            private int waitedMs;

            Client(String host, int smLid) {
                this.host = host;
                this.smLid = smLid;
                eventClient = new EventClient(fabric.attach(host, 1));
                sendRequest();
            }

            private void sendRequest() {
                eventClient.answers.clear();
                tries++;
                assertThat(tries)
                        .as("tries of %s for its request %d", host, done)
                        .isLessThanOrEqualTo(TRIES);
                eventClient.sendRequest(smLid, request());
            }

            private byte[] request() {
                return switch (done % CYCLE) {
                    case 0 -> join(GROUP);
                    case 1 -> join(ownGroup());
                    case 2 -> service();
                    default -> path();
                };
            }

            private byte[] join(Gid group) {
                return MembershipMad.of(Method.SET, 0, group, gid(host), MCMemberRecord.FULL_MEMBER, Q_KEY);
            }

            /** Returns a group that no host has joined before. */
            private Gid ownGroup() {
                long firstNumber = 100;
                return new Gid(
                        GROUP.prefix(), firstNumber + (long) done * HONEST_HOSTS.size() + HONEST_HOSTS.indexOf(host));
            }

            private byte[] service() {
                long mask = ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_ID)
                        | ServiceRecord.COMPONENTS.bit(ServiceRecord.SERVICE_GID);
                byte[] mad = SaMad.request(Method.SET, 0, ServiceRecord.TYPE.id(), 0, mask);
                ServiceRecord.TYPE
                        .zero()
                        .with(ServiceRecord.SERVICE_ID, SERVICE_ID)
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

            /** Handles the answer of the last millisecond, or sends the request again after the time-out. */
            void tick() {
                waitedMs++;
                eventClient.answers.removeIf(answer -> MadHeader.status(answer) == MadStatus.BUSY);
                if (!eventClient.answers.isEmpty()) {
                    assertThat(MadHeader.status(eventClient.answers.get(0)))
                            .as("status of %s, request %d", host, done)
                            .isZero();
                    waits.add(waitedMs);
                    tally.addWait(waitedMs);
                    done++;
                    tries = 0;
                    waitedMs = 0;
                    sendRequest();
                } else if (waitedMs % CLIENT_TIMEOUT_MS == 0) {
                    sendRequest();
                }
            }

            void verify() {
                assertThat(waits).as("answers to %s", host).hasSizeGreaterThanOrEqualTo(MIN_ANSWERS);
                assertThat(waits).as("ms of %s", host).allMatch(ms -> ms <= MAX_WAIT_MS);
                assertThat(waitedMs).as("ms of %s since the last answer", host).isLessThanOrEqualTo(MAX_WAIT_MS);
            }
        }
    }
}
