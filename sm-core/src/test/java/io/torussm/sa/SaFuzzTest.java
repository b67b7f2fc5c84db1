package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.alias.AliasGuids;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.MultiPathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastGroups;
import io.torussm.paths.PathService;
import io.torussm.registration.Registrations;
import io.torussm.registration.Services;
import io.torussm.report.Subscriptions;
import io.torussm.sa.query.IndexedViews;
import io.torussm.sim.VirtualLoop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.Rmpp;
import io.torussm.transport.RmppReceiver;
import io.torussm.transport.RmppSender;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Whatever arrives: no exception, no defect, no growth, silence where silence is due, and answers that are well formed.
 * Requests for each attribute that the SA serves, with its own records as their data, changed at random; RMPP of
 * receivers that do as they like; requests of several segments, some of which get lost or come twice; a small subnet with groups, services and partitions that changes now and then.
 *
 * <p>{@code -Dseed=N} replays one seed. The campaign has 10 million MADs, {@code -Dcampaign.seeds} times 100,000.
 */
class SaFuzzTest {
    private static final int MADS_PER_SEED = 10_000;
    private static final int MADS_PER_CAMPAIGN_SEED = 100_000;
    private static final int MAX_MEMBERSHIPS = 100;
    private static final int MAX_RECORDS_KEPT = 16;

    /** All that there are, and some that there are not. */
    private static final int[] METHODS = {
        Method.GET,
        Method.GET,
        Method.GET_TABLE,
        Method.GET_TABLE,
        Method.SET,
        Method.DELETE,
        Method.GET_MULTI,
        Method.GET_TRACE_TABLE,
        Method.SEND,
        Method.TRAP,
        Method.REPORT,
        Method.TRAP_REPRESS,
        0x00,
        0x04,
        0x16,
        0x7f,
    };

    private static final int GID_BYTES = 16;

    /** Where the GIDs of a MultiPathRecord begin. */
    private static final int FIRST_GID = 24;

    /** What PayloadLength counts of each segment besides its data (IBA 13.6.2.1). */
    private static final int SA_HEADER = 20;

    private static final int PATH_RECORD = 0x35;
    private static final int MULTI_PATH_RECORD = 0x3a;

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
        new Attack(seed).run(MADS_PER_SEED);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("campaignSeeds")
    @Tag("campaign")
    void mutatedMadsByTheMillion(long seed) {
        new Attack(seed).run(MADS_PER_CAMPAIGN_SEED);
    }

    /** Who asked for what: the answer repeats it. */
    private record Asked(int lid, int qpn, long tid) {
        static Asked of(MadFrame frame) {
            return new Asked(
                    frame.peer().lid(),
                    frame.peer().qpn(),
                    frame.mad().length < MadHeader.MAD_SIZE ? 0 : MadHeader.tid(frame.mad()));
        }
    }

    /** One seed. */
    private static final class Attack {
        private final Random random;
        private final SmallTorus torus;
        private final List<PublishedView> views;
        private final VirtualLoop loop = new VirtualLoop();
        private final MembershipService memberships;
        private final Services services = new Services(loop);
        private final SubnetAdministrator sa;
        private final List<Integer> attributes = new ArrayList<>();

        /** Records of each attribute, by its ID, which requests are made of. */
        private final Map<Integer, List<byte[]>> records = new HashMap<>();

        /** Requests that may be answered and were not. */
        private final Map<Asked, List<byte[]>> awaited = new HashMap<>();

        /** Tables on their way. */
        private final Set<Asked> transfers = new HashSet<>();

        /** The highest NewWindowLast of any ACK: no segment above may be sent. */
        private final Map<Asked, Long> windows = new HashMap<>();

        private @Nullable PublishedView view;
        private @Nullable MadFrame lastSegment;
        private @Nullable MadFrame current;
        private long answers;
        private long segmentedAnswers;

        Attack(long seed) {
            random = new Random(seed);
            torus = new SmallTorus(random.nextInt(3), (guid, portNum, usual) -> usual);
            views = List.of(
                    torus.view,
                    torus.partitioned("Default=0x7fff: ALL=full;"),
                    torus.partitioned("Default=0x7fff: ALL=limited, SELF=full; P2=0x2: ALL=full;"));
            view = torus.view;
            memberships =
                    new MembershipService(loop, new MulticastGroups(() -> SmallTorus.SUBNET_TIMEOUT, MAX_MEMBERSHIPS));
            memberships.adopt(new MulticastGroups.Conditions(true, 1024, 0x0101, SmallTorus.PREFIX), guid -> true);
            Registrations registrations =
                    new Registrations(memberships, services, new Subscriptions(loop), new AliasGuids(loop, () -> 0x77));
            sa = new SubnetAdministrator(
                    new IndexedViews(() -> view, registrations.aliases()),
                    AttributeHandlers.all(registrations, () -> List.of(), new PathService(memberships), loop::nowNs),
                    this::judge,
                    Runnable::run,
                    loop,
                    new SubnetAdministrator.Settings(SaHarness.SM_KEY, 1 << 16));
            for (AttributeType<?> type : sa.served()) {
                attributes.add(type.id());
            }
            attributes.addAll(List.of(0x31, 0x34, 0x77, 0xffff));
        }

        void run(int mads) {
            for (int i = 0; i < mads; i++) {
                attack(next());
                if (random.nextInt(16) == 0) {
                    segmented().forEach(this::attackOverABadLine);
                }
                if (random.nextInt(64) == 0) {
                    loop.runFor(TimeUnit.MILLISECONDS.toNanos(random.nextInt(3000)));
                    checkBounds();
                }
                if (random.nextInt(view == null ? 64 : 4096) == 0) {
                    settle();
                    view = random.nextInt(8) == 0 ? null : views.get(random.nextInt(views.size()));
                }
            }
            settle();
            assertThat(answers).isGreaterThan(mads / 10);
            assertThat(segmentedAnswers).isGreaterThan(mads / 200);
        }

        /** Sends a frame once, twice or not at all, and something else behind it. */
        private void attackOverABadLine(MadFrame frame) {
            int times = random.nextInt(16) == 0 ? random.nextInt(3) : 1;
            for (int i = 0; i < times; i++) {
                attack(new MadFrame(frame.peer(), frame.mad().clone()));
            }
            if (random.nextInt(4) == 0) {
                attack(next());
            }
        }

        private void attack(MadFrame frame) {
            current = frame;
            if (mayBeAnswered(frame)) {
                awaited.computeIfAbsent(Asked.of(frame), asked -> new ArrayList<>())
                        .add(frame.mad());
            }
            if (isAck(frame)) {
                windows.merge(Asked.of(frame), SaMad.DATA2.get(frame.mad(), 0), Math::max);
            }
            sa.received(frame);
        }

        private static boolean isAck(MadFrame frame) {
            byte[] mad = frame.mad();
            return mad.length >= MadHeader.MAD_SIZE && Rmpp.isActive(mad) && Rmpp.type(mad) == Rmpp.ACK;
        }

        private void checkBounds() {
            loop.runFor(0);
            SubnetAdministrator.Stats stats = sa.stats();
            assertThat(stats.defects()).isZero();
            assertThat(stats.waiting()).isZero();
            assertThat(sa.openTables()).isLessThanOrEqualTo(RmppSender.Limits.DEFAULT.maxOpen());
            assertThat(sa.openRequests()).isLessThanOrEqualTo(RmppReceiver.Limits.REQUESTS.maxOpen());
            assertThat(memberships.view().groups()).hasSizeLessThanOrEqualTo(MAX_MEMBERSHIPS);
            assertThat(services.view().size()).isLessThanOrEqualTo(10 * Services.MAX_PER_PORT);
        }

        /** Waits until nobody has patience for anything any more. */
        private void settle() {
            loop.runFor(TimeUnit.MINUTES.toNanos(3));
            checkBounds();
            assertThat(sa.openTables()).isZero();
            awaited.clear();
            windows.clear();
            transfers.clear();
        }

        // --- the oracle ---

        private boolean mayBeAnswered(MadFrame frame) {
            byte[] mad = frame.mad();
            PublishedView now = view;
            if (now == null || frame.undelivered() || mad.length < 256 || mad[1] != 3) {
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

        private void judge(MadFrame frame) {
            byte[] mad = frame.mad();
            check(mad.length == MadHeader.MAD_SIZE && !frame.undelivered(), "the length", frame);
            check(MadHeader.mgmtClass(mad) == MgmtClass.SUBN_ADM, "the class", frame);
            check(SaMad.SM_KEY.get(mad, 0) == 0, "the SM_Key", frame);
            if (MadHeader.method(mad) == Method.REPORT) {
                return;
            }
            check(MadHeader.isResponse(mad) || Rmpp.isControl(mad), "the method", frame);
            check(STATUSES.contains(MadHeader.status(mad)), "the status", frame);
            if (!Rmpp.isActive(mad)) {
                judgeAnswer(frame);
            } else if (Rmpp.type(mad) == Rmpp.DATA) {
                judgeSegment(frame);
            } else {
                int type = Rmpp.type(mad);
                check(type == Rmpp.ACK || type == Rmpp.STOP || type == Rmpp.ABORT, "the type", frame);
            }
        }

        private void judgeAnswer(MadFrame frame) {
            byte[] mad = frame.mad();
            for (int at = 24; at < 36; at++) {
                check(mad[at] == 0, "the RMPP header", frame);
            }
            byte[] request = takeRequest(frame);
            check(
                    MadHeader.status(mad) != MadStatus.OK || MadHeader.method(mad) != Method.GET_TABLE_RESP,
                    "a table",
                    frame);
            keepRecord(request, mad);
        }

        private void judgeSegment(MadFrame frame) {
            byte[] mad = frame.mad();
            Asked asked = Asked.of(frame);
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
                keepRecord(mad, mad);
            }
        }

        /** The request that a frame answers, which then has had its answer. */
        private byte[] takeRequest(MadFrame answer) {
            byte[] mad = answer.mad();
            List<byte[]> requests = awaited.getOrDefault(Asked.of(answer), List.of());
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
            throw new AssertionError("an answer that nobody may have: " + text(answer) + " after " + text(current));
        }

        /** Paths are told by PathRecords, whatever was asked. */
        private static int attributeAnswered(byte[] request) {
            int asked = MadHeader.attributeId(request);
            boolean isMultiPath = MadHeader.method(request) == Method.GET_MULTI && asked == MULTI_PATH_RECORD;
            return isMultiPath ? PATH_RECORD : asked;
        }

        private void check(boolean isRight, String what, MadFrame frame) {
            if (!isRight) {
                throw new AssertionError(what + " is wrong: " + text(frame) + " after " + text(current));
            }
        }

        private static String text(@Nullable MadFrame frame) {
            return frame == null
                    ? "nothing"
                    : frame.peer() + " " + HexFormat.of().formatHex(frame.mad());
        }

        private void keepRecord(byte[] request, byte[] answer) {
            if (MadHeader.status(answer) == MadStatus.OK && SaMad.ATTRIBUTE_OFFSET.get(answer, 0) != 0) {
                List<byte[]> known = records.computeIfAbsent(MadHeader.attributeId(request), id -> new ArrayList<>());
                byte[] record = Arrays.copyOfRange(answer, SaMad.DATA, MadHeader.MAD_SIZE);
                if (known.size() < MAX_RECORDS_KEPT) {
                    known.add(record);
                } else {
                    known.set(random.nextInt(MAX_RECORDS_KEPT), record);
                }
            }
        }

        // --- what is sent ---

        private MadFrame next() {
            int kind = random.nextInt(16);
            if (kind == 0) {
                return new MadFrame(peer(), noise(), random.nextInt(8) == 0);
            }
            MadFrame segment = lastSegment;
            if (kind < 6 && segment != null) {
                return steering(segment);
            }
            byte[] mad = request();
            if (random.nextInt(4) != 0) {
                mad = mutated(mad);
            }
            return new MadFrame(peer(), mad, random.nextInt(256) == 0);
        }

        private MadAddress peer() {
            int lid = random.nextInt(32) == 0
                    ? random.nextInt(0x10000)
                    : random.nextInt(8) == 0 ? torus.switchLid(random.nextInt(9)) : torus.hostLid(random.nextInt(9));
            return new MadAddress(lid, random.nextInt(8) == 0 ? random.nextInt(0x1000000) : 1, random.nextInt(16), 0);
        }

        private byte[] noise() {
            byte[] mad = new byte[random.nextInt(4) == 0 ? random.nextInt(600) : MadHeader.MAD_SIZE];
            random.nextBytes(mad);
            if (mad.length >= SaMad.DATA && random.nextBoolean()) {
                MadHeader.MGMT_CLASS.set(mad, 0, MgmtClass.SUBN_ADM);
                SaMad.SM_KEY.set(mad, 0, 0);
            }
            return mad;
        }

        /** A request for an attribute that is served, with a record as it was answered before, if there was one. */
        private byte[] request() {
            int attribute = attributes.get(random.nextInt(attributes.size()));
            int method = METHODS[random.nextInt(METHODS.length)];
            byte[] mad = SaMad.request(method, random.nextInt(64), attribute, 0, mask());
            List<byte[]> known = records.getOrDefault(attribute, List.of());
            if (known.isEmpty() || random.nextInt(8) == 0) {
                for (int at = SaMad.DATA; at < SaMad.DATA + 112; at++) {
                    mad[at] = (byte) (random.nextBoolean() ? 0 : random.nextInt());
                }
            } else {
                byte[] record = known.get(random.nextInt(known.size()));
                System.arraycopy(record, 0, mad, SaMad.DATA, record.length);
            }
            if (random.nextInt(4) == 0) {
                int at = SaMad.DATA + Long.BYTES * random.nextInt(6);
                new Gid(SmallTorus.PREFIX, SmallTorus.hostGuid(random.nextInt(9)) + 1).write(mad, at);
            }
            SaMad.SM_KEY.set(mad, 0, random.nextInt(4) == 0 ? SaHarness.SM_KEY : 0);
            return mad;
        }

        /** The segments of a request for paths between hosts, as they should be; the last GIDs may be more than are counted. */
        private List<MadFrame> segmented() {
            int gids = 12 + random.nextInt(40);
            byte[] all = new byte[FIRST_GID + GID_BYTES * gids];
            MultiPathRecord.SGID_COUNT.set(all, 0, 1 + random.nextInt(6));
            MultiPathRecord.DGID_COUNT.set(all, 0, 1 + random.nextInt(6));
            for (int i = 0; i < gids; i++) {
                new Gid(SmallTorus.PREFIX, SmallTorus.hostGuid(random.nextInt(9)) + 1)
                        .write(all, FIRST_GID + GID_BYTES * i);
            }
            long mask = MultiPathRecord.COMPONENTS.bit(MultiPathRecord.SGID_COUNT)
                    | MultiPathRecord.COMPONENTS.bit(MultiPathRecord.DGID_COUNT)
                    | (random.nextInt(4) == 0 ? mask() : 0);
            int tid = random.nextInt(64);
            MadAddress peer = peer();
            int last = (all.length + SaMad.DATA_SIZE - 1) / SaMad.DATA_SIZE;
            List<MadFrame> segments = new ArrayList<>();
            for (int number = 1; number <= last; number++) {
                int from = (number - 1) * SaMad.DATA_SIZE;
                int length = Math.min(SaMad.DATA_SIZE, all.length - from);
                byte[] mad = SaMad.request(Method.GET_MULTI, tid, MULTI_PATH_RECORD, 0, mask);
                System.arraycopy(all, from, mad, SaMad.DATA, length);
                SaMad.RMPP_VERSION.set(mad, 0, Rmpp.VERSION);
                SaMad.RMPP_TYPE.set(mad, 0, Rmpp.DATA);
                SaMad.RMPP_FLAGS.set(
                        mad,
                        0,
                        SaMad.FLAG_ACTIVE
                                | (number == 1 ? SaMad.FLAG_FIRST : 0)
                                | (number == last ? SaMad.FLAG_LAST : 0));
                SaMad.DATA1.set(mad, 0, number);
                SaMad.DATA2.set(
                        mad,
                        0,
                        number == 1 ? all.length + (long) last * SA_HEADER : number == last ? length + SA_HEADER : 0);
                segments.add(new MadFrame(peer, mad));
            }
            return segments;
        }

        private long mask() {
            return switch (random.nextInt(6)) {
                case 0 -> 0;
                case 1 -> 1L << random.nextInt(64);
                case 2 -> 7L << random.nextInt(22);
                case 3 -> random.nextLong();
                case 4 -> random.nextInt(1 << 24);
                default -> -1;
            };
        }

        private byte[] mutated(byte[] mad) {
            byte[] changed = mad;
            switch (random.nextInt(10)) {
                case 0 -> changed = Arrays.copyOf(mad, random.nextInt(MadHeader.MAD_SIZE));
                case 1 -> changed = Arrays.copyOf(mad, MadHeader.MAD_SIZE + random.nextInt(1000));
                case 2 -> MadHeader.BASE_VERSION.set(mad, 0, random.nextInt(4));
                case 3 -> MadHeader.CLASS_VERSION.set(mad, 0, random.nextInt(4));
                case 4 -> MadHeader.METHOD.set(mad, 0, random.nextInt(256));
                case 5 -> MadHeader.ATTRIBUTE_ID.set(mad, 0, random.nextInt(2) == 0 ? random.nextInt(0x10000) : 0x38);
                case 6 -> SaMad.SM_KEY.set(mad, 0, random.nextLong());
                case 7 -> MadHeader.ATTRIBUTE_MODIFIER.set(mad, 0, random.nextInt() & 0xffffffffL);
                case 8 -> rmpp(mad, random.nextInt(6), random.nextInt(8), random.nextInt(3), 1 + random.nextInt(3));
                default -> {
                    for (int n = 1 + random.nextInt(8); n > 0; n--) {
                        int at = random.nextInt(mad.length);
                        mad[at] = (byte) (mad[at] ^ 1 << random.nextInt(8));
                    }
                }
            }
            return changed;
        }

        private void rmpp(byte[] mad, int type, int flags, long data1, long data2) {
            SaMad.RMPP_VERSION.set(mad, 0, random.nextInt(32) == 0 ? random.nextInt(256) : Rmpp.VERSION);
            SaMad.RMPP_TYPE.set(mad, 0, type);
            SaMad.RMPP_FLAGS.set(mad, 0, flags);
            SaMad.RMPP_STATUS.set(mad, 0, random.nextInt(32) == 0 ? random.nextInt(256) : 0);
            SaMad.DATA1.set(mad, 0, data1);
            SaMad.DATA2.set(mad, 0, data2);
        }

        /** ACK, STOP, ABORT or worse for the transfer that sent last, or nearly for it. */
        private MadFrame steering(MadFrame segment) {
            byte[] mad = segment.mad().clone();
            if (random.nextInt(4) != 0) {
                MadHeader.METHOD.set(mad, 0, MadHeader.method(mad) & ~Method.RESPONSE);
            }
            if (random.nextInt(8) == 0) {
                mad[15] = (byte) random.nextInt(64);
            }
            long at = SaMad.DATA1.get(mad, 0);
            long acknowledged = random.nextInt(4) == 0 ? near(at) : at;
            long window = random.nextInt(4) == 0 ? near(acknowledged) : acknowledged + random.nextInt(8);
            int type = random.nextInt(8) == 0 ? random.nextInt(8) : Rmpp.ACK;
            rmpp(mad, type, SaMad.FLAG_ACTIVE, acknowledged & 0xffffffffL, window & 0xffffffffL);
            MadAddress peer = random.nextInt(16) == 0 ? peer() : segment.peer();
            return new MadFrame(peer, mad, random.nextInt(64) == 0);
        }

        private long near(long value) {
            return switch (random.nextInt(4)) {
                case 0 -> value - random.nextInt(3);
                case 1 -> value + random.nextInt(3);
                case 2 -> random.nextInt();
                default -> random.nextInt(100);
            };
        }
    }
}
