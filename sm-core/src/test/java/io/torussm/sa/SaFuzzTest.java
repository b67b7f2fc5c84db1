package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.AliasGuids;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.SaMad;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastGroups;
import io.torussm.paths.PathService;
import io.torussm.registration.Registrations;
import io.torussm.registration.Services;
import io.torussm.report.Subscriptions;
import io.torussm.sa.query.IndexedViews;
import io.torussm.sim.VirtualLoop;
import io.torussm.testing.KeptInputs;
import io.torussm.testing.Seeds;
import io.torussm.testing.SteeredRandom;
import io.torussm.testing.ViewDraft;
import io.torussm.transport.MadFrame;
import io.torussm.transport.rmpp.Rmpp;
import io.torussm.transport.rmpp.RmppReceiver;
import io.torussm.transport.rmpp.RmppSender;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Hostile input of all sorts: no exception, no defect, no growth, no answer where none is allowed, and valid
 * answers. There are requests for each served attribute, with records of the SA as their data, changed at
 * random; RMPP of receivers that violate the protocol; and requests of several segments, some of which are
 * lost or duplicated. A small subnet with groups, services and partitions changes from time to time.
 *
 * <p>{@code -Dseed=N} replays one seed. The campaign has 10 million MADs, {@code -Dcampaign.seeds} times
 * 100,000.
 */
class SaFuzzTest {
    private static final int MADS_PER_SEED = 10_000;
    private static final int MADS_PER_CAMPAIGN_SEED = 100_000;
    private static final int MAX_MEMBERSHIPS = 100;

    private static final int PATH_RECORD = 0x35;

    private static final Set<Integer> STATUSES = Set.of(
            MadStatus.OK,
            MadStatus.BUSY,
            MadStatus.UNSUPPORTED_VERSION,
            MadStatus.UNSUPPORTED_METHOD,
            MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE,
            MadStatus.INVALID_FIELD,
            MadStatus.SA_NO_RESOURCES,
            MadStatus.SA_REQ_INVALID,
            MadStatus.SA_NO_RECORDS,
            MadStatus.SA_TOO_MANY_RECORDS,
            MadStatus.SA_REQ_INVALID_GID,
            MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS,
            MadStatus.SA_REQ_DENIED);

    static LongStream campaignSeeds() {
        Long replay = Long.getLong("seed");
        return replay != null
                ? LongStream.of(replay)
                : LongStream.range(1000, 1000 + Long.getLong("campaign.seeds", 100));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void mutatedMads(long seed) {
        new Attack(Seeds.random(seed)).run(MADS_PER_SEED);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("campaignSeeds")
    @Tag("campaign")
    void mutatedMadsByTheMillion(long seed) {
        new Attack(Seeds.random(seed)).run(MADS_PER_CAMPAIGN_SEED);
    }

    /** Runs an input of the fuzzer, which steers the attack. */
    public static void fuzzerTestOneInput(byte[] data) {
        SteeredRandom random = new SteeredRandom(data);
        new Attack(random).runWhile(random::isSteered);
    }

    static List<byte[]> keptInputs() {
        return KeptInputs.of(SaFuzzTest.class);
    }

    @ParameterizedTest
    @MethodSource("keptInputs")
    void steeredMads(byte[] data) {
        fuzzerTestOneInput(data);
    }

    /** The identity of a request, which its answer repeats. */
    private record RequestId(int lid, int qpn, long tid) {
        static RequestId of(MadFrame frame) {
            return new RequestId(
                    frame.peer().lid(),
                    frame.peer().qpn(),
                    frame.mad().length < MadHeader.MAD_SIZE ? 0 : MadHeader.tid(frame.mad()));
        }
    }

    /** The requests of one seed. */
    private static final class Attack {
        private final Random random;
        private final SmallTorus torus;
        private final List<PublishedView> views;
        private final VirtualLoop loop = new VirtualLoop();
        private final MembershipService memberships;
        private final Services services = new Services(loop);
        private final SubnetAdministrator sa;
        private final HostileRequests hostile;

        /** Valid requests without an answer yet. */
        private final Map<RequestId, List<byte[]>> awaited = new HashMap<>();

        /** Tables that are being sent. */
        private final Set<RequestId> transfers = new HashSet<>();

        /** The highest NewWindowLast of any ACK: no segment above may be sent. */
        private final Map<RequestId, Long> windows = new HashMap<>();

        private @Nullable PublishedView view;
        private @Nullable MadFrame lastSegment;
        private @Nullable MadFrame current;
        private long answers;
        private long segmentedAnswers;

        Attack(Random random) {
            this.random = random;
            torus = new SmallTorus(random.nextInt(3), (guid, portNum, usual) -> usual);
            views = List.of(
                    torus.view,
                    torus.partitioned("Default=0x7fff: ALL=full;"),
                    torus.partitioned("Default=0x7fff: ALL=limited, SELF=full; P2=0x2: ALL=full;"));
            view = torus.view;
            memberships =
                    new MembershipService(loop, new MulticastGroups(() -> ViewDraft.SUBNET_TIMEOUT, MAX_MEMBERSHIPS));
            memberships.adopt(new MulticastGroups.Conditions(true, 1024, 0x0101, SmallTorus.PREFIX), guid -> true);
            Registrations registrations =
                    new Registrations(memberships, services, new Subscriptions(loop), new AliasGuids(loop, () -> 0x77));
            sa = new SubnetAdministrator(
                    new IndexedViews(() -> view, registrations.aliases()),
                    AttributeHandlers.all(registrations, () -> List.of(), new PathService(memberships), loop::nowNs),
                    this::checkFrame,
                    Runnable::run,
                    loop,
                    new SubnetAdministrator.Settings(SaHarness.SM_KEY, 1 << 16));
            hostile = new HostileRequests(random, torus, sa.servedAttributes());
        }

        void run(int mads) {
            for (int i = 0; i < mads; i++) {
                step();
            }
            awaitTimeouts();
            assertThat(answers).isGreaterThan(mads / 10);
            assertThat(segmentedAnswers).isGreaterThan(mads / 200);
        }

        void runWhile(BooleanSupplier isSteered) {
            while (isSteered.getAsBoolean()) {
                step();
            }
            awaitTimeouts();
        }

        private void step() {
            attack(hostile.next(lastSegment));
            if (random.nextInt(16) == 0) {
                hostile.segmented().forEach(this::attackUnreliably);
            }
            if (random.nextInt(64) == 0) {
                loop.runFor(TimeUnit.MILLISECONDS.toNanos(random.nextInt(3000)));
                checkBounds();
            }
            if (random.nextInt(view == null ? 64 : 4096) == 0) {
                awaitTimeouts();
                view = random.nextInt(8) == 0 ? null : views.get(random.nextInt(views.size()));
            }
        }

        /** Sends a frame once, twice or not at all, and another one after it. */
        private void attackUnreliably(MadFrame frame) {
            int times = random.nextInt(16) == 0 ? random.nextInt(3) : 1;
            for (int i = 0; i < times; i++) {
                attack(new MadFrame(frame.peer(), frame.mad().clone()));
            }
            if (random.nextInt(4) == 0) {
                attack(hostile.next(lastSegment));
            }
        }

        private void attack(MadFrame frame) {
            current = frame;
            if (mayBeAnswered(frame)) {
                awaited.computeIfAbsent(RequestId.of(frame), asked -> new ArrayList<>())
                        .add(frame.mad());
            }
            if (isAck(frame)) {
                windows.merge(RequestId.of(frame), SaMad.DATA2.get(frame.mad(), 0), Math::max);
            }
            sa.onMad(frame);
        }

        private static boolean isAck(MadFrame frame) {
            byte[] mad = frame.mad();
            return mad.length >= MadHeader.MAD_SIZE && Rmpp.isActive(mad) && Rmpp.type(mad) == Rmpp.ACK;
        }

        private void checkBounds() {
            loop.runFor(0);
            SubnetAdministrator.Stats stats = sa.stats();
            assertThat(stats.defects()).isZero();
            assertThat(stats.waiting()).isLessThanOrEqualTo(RequestQueue.Limits.DEFAULT.small());
            assertThat(sa.openTables()).isLessThanOrEqualTo(RmppSender.Limits.DEFAULT.maxOpen());
            assertThat(sa.openRequests()).isLessThanOrEqualTo(RmppReceiver.Limits.REQUESTS.maxOpen());
            assertThat(memberships.view().groups()).hasSizeLessThanOrEqualTo(MAX_MEMBERSHIPS);
            assertThat(services.view().size()).isLessThanOrEqualTo(10 * Services.MAX_PER_PORT);
        }

        /** Runs until all time-outs have expired. */
        private void awaitTimeouts() {
            loop.runFor(TimeUnit.MINUTES.toNanos(3));
            checkBounds();
            assertThat(sa.stats().waiting()).isZero();
            assertThat(sa.openTables()).isZero();
            awaited.clear();
            windows.clear();
            transfers.clear();
        }

        // --- the oracle ---

        private boolean mayBeAnswered(MadFrame frame) {
            byte[] mad = frame.mad();
            PublishedView now = view;
            if (now == null || frame.isUndelivered() || mad.length < 256 || mad[1] != 3) {
                return false;
            }
            int method = mad[3] & 0xff;
            boolean isRequest = method < 0x80 && method != 3 && method != 5 && method != 6 && method != 7;
            boolean isControl = (mad[26] & 1) != 0 && (mad[25] & 0xff) > 1;
            long smKey = SaMad.SM_KEY.get(mad, 0);
            int lid = frame.peer().lid();
            return isRequest
                    && !isControl
                    && (smKey == 0 || smKey == SaHarness.SM_KEY)
                    && lid <= now.subnet().topLid()
                    && now.subnet().portOfLid(lid) >= 0;
        }

        private void checkFrame(MadFrame frame) {
            byte[] mad = frame.mad();
            check(mad.length == MadHeader.MAD_SIZE && !frame.isUndelivered(), "the length", frame);
            check(MadHeader.mgmtClass(mad) == MgmtClass.SUBN_ADM, "the class", frame);
            check(SaMad.SM_KEY.get(mad, 0) == 0, "the SM_Key", frame);
            if (MadHeader.method(mad) == Method.REPORT) {
                return;
            }
            check(MadHeader.isResponse(mad) || Rmpp.isControl(mad), "the method", frame);
            check(STATUSES.contains(MadHeader.status(mad)), "the status", frame);
            if (!Rmpp.isActive(mad)) {
                checkAnswer(frame);
            } else if (Rmpp.type(mad) == Rmpp.DATA) {
                checkSegment(frame);
            } else {
                int type = Rmpp.type(mad);
                check(type == Rmpp.ACK || type == Rmpp.STOP || type == Rmpp.ABORT, "the type", frame);
            }
        }

        private void checkAnswer(MadFrame frame) {
            byte[] mad = frame.mad();
            for (int at = 24; at < 36; at++) {
                check(mad[at] == 0, "the RMPP header", frame);
            }
            byte[] request = takeRequest(frame);
            check(
                    MadHeader.status(mad) != MadStatus.OK || MadHeader.method(mad) != Method.GET_TABLE_RESP,
                    "a table",
                    frame);
            hostile.learn(request, mad);
        }

        private void checkSegment(MadFrame frame) {
            byte[] mad = frame.mad();
            RequestId asked = RequestId.of(frame);
            long segment = SaMad.DATA1.get(mad, 0);
            if (transfers.add(asked)) {
                takeRequest(frame);
            }
            long window = Math.max(1, windows.getOrDefault(asked, 1L));
            check(segment >= 1 && segment <= window, "a segment beyond the window of " + window, frame);
            check(SaMad.RMPP_VERSION.get(mad, 0) == 1 && SaMad.RMPP_STATUS.get(mad, 0) == 0, "the RMPP header", frame);
            boolean isFirst = (SaMad.RMPP_FLAGS.get(mad, 0) & SaMad.FLAG_FIRST) != 0;
            check(isFirst == (segment == 1), "the first segment", frame);
            lastSegment = frame;
            if (isFirst) {
                hostile.learn(mad, mad);
            }
        }

        /** Removes and returns the request that a frame answers. */
        private byte[] takeRequest(MadFrame answer) {
            byte[] mad = answer.mad();
            List<byte[]> requests = awaited.getOrDefault(RequestId.of(answer), List.of());
            for (byte[] request : requests) {
                int method = MadHeader.method(request) == Method.SET ? Method.GET : MadHeader.method(request);
                boolean isItsAnswer = MadHeader.method(mad) == (method | Method.RESPONSE)
                        && MadHeader.attributeId(mad) == attributeAnswered(request)
                        && MadHeader.attributeModifier(mad) == MadHeader.attributeModifier(request)
                        && SaMad.COMPONENT_MASK.get(mad, 0) == SaMad.COMPONENT_MASK.get(request, 0);
                if (isItsAnswer) {
                    requests.remove(request);
                    answers++;
                    boolean isWhole = SaMad.RMPP_FLAGS.get(request, 0)
                            == (SaMad.FLAG_ACTIVE | SaMad.FLAG_FIRST | SaMad.FLAG_LAST);
                    segmentedAnswers += Rmpp.isActive(request) && !isWhole ? 1 : 0;
                    return request;
                }
            }
            throw new AssertionError("an answer beyond permission: " + text(answer) + " after " + text(current));
        }

        /** Returns the attribute of the answer; paths are always PathRecords. */
        private static int attributeAnswered(byte[] request) {
            int asked = MadHeader.attributeId(request);
            boolean isMultiPath =
                    MadHeader.method(request) == Method.GET_MULTI && asked == HostileRequests.MULTI_PATH_RECORD;
            return isMultiPath ? PATH_RECORD : asked;
        }

        private void check(boolean isRight, String noun, MadFrame frame) {
            if (!isRight) {
                throw new AssertionError(noun + " is wrong: " + text(frame) + " after " + text(current));
            }
        }

        private static String text(@Nullable MadFrame frame) {
            return frame == null
                    ? "nothing"
                    : frame.peer() + " " + HexFormat.of().formatHex(frame.mad());
        }
    }
}
