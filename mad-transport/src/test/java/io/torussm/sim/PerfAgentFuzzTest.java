package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.perf.CounterSet;
import io.torussm.mad.perf.PerfMad;
import io.torussm.mad.perf.PortCounters;
import io.torussm.mad.perf.PortCountersExtended;
import io.torussm.mad.perf.PortRcvErrorDetails;
import io.torussm.mad.perf.PortXmitDiscardDetails;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.CongestionProfile;
import io.torussm.sim.model.CounterProfile;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.PortCounter;
import io.torussm.testing.Seeds;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** MADs of any bytes at the agents behind QP1, and any bytes where counters are expected. */
class PerfAgentFuzzTest {
    private static final int MADS = 2_000;
    private static final int[] CLASSES = {MgmtClass.PERF_MGT, MgmtClass.CONGESTION_CONTROL, MgmtClass.MELLANOX};
    private static final int[] ATTRIBUTES = {0x01, 0x02, 0x11, 0x12, 0x13, 0x14, 0x17, 0x18, 0x15, 0x16, 0x1d, 0x36};
    private static final int[] METHODS = {Method.GET, Method.SET, Method.TRAP, Method.GET_RESP, Method.GET_TABLE};
    private static final Set<Integer> STATUS = Set.of(
            MadStatus.OK,
            MadStatus.BUSY,
            MadStatus.REDIRECT,
            MadStatus.UNSUPPORTED_VERSION,
            MadStatus.UNSUPPORTED_METHOD,
            MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE,
            MadStatus.INVALID_FIELD);

    private static int pick(Random random, int... values) {
        return values[random.nextInt(values.length)];
    }

    private static CounterProfile profile(Random random) {
        List<CounterProfile.Extended> kinds = List.of(CounterProfile.Extended.values());
        CounterProfile profile = CounterProfile.DEFAULT.extended(kinds.get(random.nextInt(kinds.size())));
        profile = random.nextInt(4) == 0 ? profile.minimal() : profile;
        profile = random.nextInt(4) == 0 ? profile.wrapping(true) : profile;
        profile = random.nextInt(4) == 0 ? profile.withAgent(AgentProfile.CONFORMING.busy(0.5)) : profile;
        profile = random.nextInt(4) == 0 ? profile.withCongestion(CongestionProfile.DEFAULT) : profile;
        return random.nextInt(4) == 0
                ? profile.redirectedTo(new CounterProfile.Redirection(RowFabric.hostGuid(1), 1, 2 + random.nextInt(9)))
                : profile;
    }

    /** Returns a MAD that is mostly random, but often has a valid header. */
    private static byte[] mad(Random random, long tid) {
        byte[] mad = new byte[MadHeader.MAD_SIZE];
        random.nextBytes(mad);
        mad[0] = (byte) (random.nextInt(20) == 0 ? random.nextInt() : 1);
        mad[1] = (byte) pick(random, CLASSES);
        mad[2] = (byte) (random.nextInt(10) == 0 ? random.nextInt() : mad[1] == MgmtClass.CONGESTION_CONTROL ? 2 : 1);
        mad[3] = (byte) (random.nextInt(10) == 0 ? random.nextInt() : pick(random, METHODS));
        MadHeader.STATUS.set(mad, 0, random.nextInt(4) == 0 ? random.nextInt(1 << 15) : 0);
        MadHeader.TRANSACTION_ID.set(mad, 0, tid);
        if (random.nextInt(10) != 0) {
            MadHeader.ATTRIBUTE_ID.set(mad, 0, pick(random, ATTRIBUTES));
        }
        if (random.nextInt(3) != 0) {
            mad[PerfMad.DATA_OFFSET + 1] = (byte) pick(random, 0, 1, 5, 6, 7, 8, 0xff);
        }
        return mad;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void whateverIsAskedIsAnsweredInOrderOrNotAtAll(long seed) {
        Random random = Seeds.random(seed);
        RowFabric row = new RowFabric(FaultPlan.NONE).configure();
        SimCounters counters = row.fabric.portCounters();
        for (int sw = 0; sw < RowFabric.SWITCHES; sw++) {
            counters.setProfile(RowFabric.switchGuid(sw), profile(random));
            for (PortCounter counter : PortCounter.values()) {
                counters.set(RowFabric.switchGuid(sw), 1, counter, random.nextLong() >>> random.nextInt(Long.SIZE));
            }
        }
        counters.setProfile(RowFabric.hostGuid(1), profile(random));
        long answers = 0;
        for (int i = 0; i < MADS; i++) {
            byte[] request = mad(random, 1_000_000 + i);
            MadAddress to =
                    new MadAddress(pick(random, 1, 2, 3, 12), random.nextInt(4) == 0 ? 2 + random.nextInt(9) : 1, 0, 0);
            int before = row.sm.received.size();
            row.sm.transport.send(new MadFrame(to, request), 0);
            row.loop.runFor(0);
            List<MadFrame> came = row.sm.received.subList(before, row.sm.received.size());
            assertThat(came).hasSizeLessThanOrEqualTo(1);
            for (MadFrame answer : came) {
                answers++;
                check(request, answer, to);
            }
        }
        assertThat(answers).isGreaterThan(MADS / 5);
        assertThat(row.fabric.portInfo(RowFabric.switchGuid(1), 0).get(PortInfo.LID))
                .isEqualTo(2);
    }

    private static void check(byte[] request, MadFrame answer, MadAddress to) {
        byte[] mad = answer.mad();
        assertThat(answer.peer().lid()).isEqualTo(to.lid());
        assertThat(MadHeader.method(mad)).isEqualTo(Method.GET_RESP);
        assertThat(MadHeader.tid(mad)).isEqualTo(MadHeader.tid(request));
        assertThat(MadHeader.mgmtClass(mad)).isEqualTo(MadHeader.mgmtClass(request));
        assertThat(STATUS).contains(MadHeader.status(mad));
        boolean isRedirection = MadHeader.status(mad) == MadStatus.REDIRECT;
        assertThat(MadHeader.attributeId(mad)).isEqualTo(isRedirection ? 0x01 : MadHeader.attributeId(request));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void aSetNeverRaisesACounter(long seed) {
        Random random = Seeds.random(seed);
        RowFabric row = new RowFabric(FaultPlan.NONE).configure();
        long last = RowFabric.switchGuid(2);
        row.fabric.portCounters().setProfile(last, CounterProfile.DEFAULT.extended(CounterProfile.Extended.ALL));
        for (PortCounter counter : PortCounter.values()) {
            row.fabric.portCounters().set(last, 7, counter, 1 + random.nextInt(1_000));
        }
        long[] shown = readCounters(row);
        for (int i = 0; i < 200; i++) {
            byte[] mad = mad(random, 5_000 + i);
            MadHeader.METHOD.set(mad, 0, Method.SET);
            mad[PerfMad.DATA_OFFSET + 1] = 7;
            row.sm.send(new MadAddress(3, 1, 0, 0), mad);
            long[] now = readCounters(row);
            for (int counter = 0; counter < now.length; counter++) {
                assertThat(now[counter]).isIn(0L, shown[counter]);
            }
            shown = now;
        }
        assertThat(Arrays.stream(shown).filter(value -> value == 0)).isNotEmpty();
    }

    private static long[] readCounters(RowFabric row) {
        byte[] mad = row.sm.send(
                new MadAddress(3, 1, 0, 0),
                PerfMad.request(
                        Method.GET, row.sm.received.size() + 100_000L, PortCountersExtended.COUNTERS.readRequest(7)));
        assertThat(mad).isNotNull();
        PortCountersExtended answer =
                PortCountersExtended.TYPE.read(mad == null ? new byte[0] : mad, PerfMad.DATA_OFFSET);
        return PortCountersExtended.COUNTERS.counters().stream()
                .mapToLong(answer::get)
                .toArray();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void anyBytesAreCountersAndAnyBytesLessAreNone(long seed) {
        Random random = Seeds.random(seed);
        for (CounterSet<?> set : List.of(
                PortCounters.COUNTERS,
                PortCountersExtended.COUNTERS,
                PortRcvErrorDetails.COUNTERS,
                PortXmitDiscardDetails.COUNTERS)) {
            checkBytes(set, random);
        }
    }

    private static <A extends Attribute<A>> void checkBytes(CounterSet<A> set, Random random) {
        AttributeType<A> type = set.type();
        byte[] bytes = new byte[type.layout().size()];
        random.nextBytes(bytes);
        A attribute = type.read(bytes, 0);
        assertThat(attribute.toBytes()).isEqualTo(bytes);
        assertThat(set.port(attribute)).isBetween(0, CounterSet.ALL_PORTS);
        List<Field> selected = set.selectedCounters(attribute);
        assertThat(set.counters()).containsAll(selected);
        A clearing = set.clearRequest(set.port(attribute), selected);
        assertThat(set.selectedCounters(clearing)).isEqualTo(selected);
        for (Field counter : set.counters()) {
            assertThat(Long.compareUnsigned(attribute.get(counter), CounterSet.maximum(counter)))
                    .isLessThanOrEqualTo(0);
        }
        assertThat(attribute.toString()).startsWith(type.layout().name() + "{PortSelect=0x");
    }
}
