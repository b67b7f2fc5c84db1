package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.torussm.mad.Attribute;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.perf.CounterSet;
import io.torussm.mad.perf.PerfCapability;
import io.torussm.mad.perf.PerfMad;
import io.torussm.mad.perf.PortCounters;
import io.torussm.mad.perf.PortCountersExtended;
import io.torussm.mad.perf.PortRcvErrorDetails;
import io.torussm.mad.perf.PortXmitDiscardDetails;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.CounterProfile;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.PortCounter;
import io.torussm.transport.MadAddress;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The responses of performance management agents to hand-written requests. */
class PerfAgentTest {
    /** The last switch of the row, and those of its ports that no MAD passes. */
    private static final long LAST = RowFabric.switchGuid(2);

    private static final int[] IDLE = {1, RowFabric.EAST, RowFabric.HOST_PORT};
    private static final MadAddress TO_LAST = new MadAddress(3, 1, 0, 0);
    private static final MadAddress TO_HOST = new MadAddress(RowFabric.SM_LID + 1, 1, 0, 0);
    private static final int NO_ANSWER = -1;

    private RowFabric row = fabric(profile -> profile);
    private long tid = 1L << 20;

    private static RowFabric fabric(UnaryOperator<CounterProfile> change) {
        DeviceModels models = DeviceModels.PERFECT.with(node -> true, model -> model.counters(change));
        return new RowFabric(models, FaultPlan.NONE).configure();
    }

    private SimCounters counters() {
        return row.fabric.portCounters();
    }

    private byte[] send(MadAddress to, int method, Attribute<?> value) {
        byte[] answer = row.sm.send(to, PerfMad.request(method, tid++, value));
        return answer == null ? new byte[0] : answer;
    }

    private <A extends Attribute<A>> A get(MadAddress to, A value) {
        return expectOk(value, send(to, Method.GET, value));
    }

    private <A extends Attribute<A>> A set(MadAddress to, A value) {
        return expectOk(value, send(to, Method.SET, value));
    }

    private static <A extends Attribute<A>> A expectOk(A asked, byte[] answer) {
        assertThat(status(answer)).isZero();
        assertThat(MadHeader.method(answer)).isEqualTo(Method.GET_RESP);
        return asked.type().read(answer, PerfMad.DATA_OFFSET);
    }

    private static int status(byte @Nullable [] answer) {
        return answer == null || answer.length == 0 ? NO_ANSWER : MadHeader.status(answer);
    }

    /** Returns a number that differs for each counter of a port, and fits each of them. */
    private static long value(int port, Field counter, int index) {
        return counter.width() == 4 ? 1 + index % 15 : 10 + 30 * port + index;
    }

    private <A extends Attribute<A>> void assertShowsWhatIsInjected(CounterSet<A> set) {
        for (int port : IDLE) {
            for (int i = 0; i < set.counters().size(); i++) {
                Field counter = set.counters().get(i);
                counters().set(LAST, port, PortCounter.of(counter), value(port, counter, i));
            }
        }
        for (int port : IDLE) {
            A answer = get(TO_LAST, set.readRequest(port));
            assertThat(set.port(answer)).isEqualTo(port);
            for (int i = 0; i < set.counters().size(); i++) {
                Field counter = set.counters().get(i);
                assertThat(answer.get(counter))
                        .as("%s of port %d", counter.name(), port)
                        .isEqualTo(value(port, counter, i));
            }
        }
    }

    @Test
    void everyAttributeShowsTheInjectedFault() {
        row = fabric(profile -> profile.extended(CounterProfile.Extended.ALL));
        assertShowsWhatIsInjected(PortCounters.COUNTERS);
        assertShowsWhatIsInjected(PortCountersExtended.COUNTERS);
        assertShowsWhatIsInjected(PortRcvErrorDetails.COUNTERS);
        assertShowsWhatIsInjected(PortXmitDiscardDetails.COUNTERS);
    }

    @Test
    void anAddedFaultIsAdded() {
        counters().add(LAST, 7, PortCounter.SYMBOL_ERROR, 3);
        counters().add(LAST, 7, PortCounter.SYMBOL_ERROR, 4);
        assertThat(errors(7)).isEqualTo(7);
        assertThat(counters().get(LAST, 7, PortCounter.SYMBOL_ERROR)).isEqualTo(7);
        assertThat(errors(5)).isZero();
        assertThatIllegalArgumentException().isThrownBy(() -> counters().add(LAST, 99, PortCounter.SYMBOL_ERROR, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> counters().add(99, 1, PortCounter.SYMBOL_ERROR, 1));
    }

    private long errors(int port) {
        return get(TO_LAST, PortCounters.COUNTERS.readRequest(port)).get(PortCounters.SYMBOL_ERROR_COUNTER);
    }

    private <A extends Attribute<A>> void assertClearsOne(CounterSet<A> set) {
        for (Field cleared : set.counters()) {
            set.counters().forEach(each -> counters().set(LAST, 7, PortCounter.of(each), 9));
            A answer = set(TO_LAST, set.clearRequest(7, List.of(cleared)));
            A later = get(TO_LAST, set.readRequest(7));
            for (Field each : set.counters()) {
                long expected = each.equals(cleared) ? 0 : 9;
                assertThat(answer.get(each))
                        .as("answer: %s after clearing %s", each, cleared)
                        .isEqualTo(expected);
                assertThat(later.get(each))
                        .as("later: %s after clearing %s", each, cleared)
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void aSetClearsTheCountersThatItSelectsAndNoOthers() {
        row = fabric(profile -> profile.extended(CounterProfile.Extended.ALL));
        assertClearsOne(PortCounters.COUNTERS);
        assertClearsOne(PortCountersExtended.COUNTERS);
        assertClearsOne(PortRcvErrorDetails.COUNTERS);
        assertClearsOne(PortXmitDiscardDetails.COUNTERS);
    }

    @Test
    void countersOf64BitsAreClearedByThemselves() {
        counters().set(LAST, 7, PortCounter.XMIT_DATA, 100);
        set(TO_LAST, PortCounters.COUNTERS.clearRequest(7, List.of(PortCounters.PORT_XMIT_DATA)));
        counters().add(LAST, 7, PortCounter.XMIT_DATA, 5);
        assertThat(get(TO_LAST, PortCounters.COUNTERS.readRequest(7)).get(PortCounters.PORT_XMIT_DATA))
                .isEqualTo(5);
        assertThat(get(TO_LAST, PortCountersExtended.COUNTERS.readRequest(7)).get(PortCountersExtended.PORT_XMIT_DATA))
                .isEqualTo(105);
        set(TO_LAST, PortCountersExtended.COUNTERS.clearRequest(7, List.of(PortCountersExtended.PORT_XMIT_DATA)));
        assertThat(get(TO_LAST, PortCounters.COUNTERS.readRequest(7)).get(PortCounters.PORT_XMIT_DATA))
                .isEqualTo(5);
        assertThat(counters().get(LAST, 7, PortCounter.XMIT_DATA)).isEqualTo(105);
    }

    @Test
    void allPortsAreSummedUpAndClearedTogether() {
        counters().set(LAST, 1, PortCounter.LINK_DOWNED, 200);
        counters().set(LAST, 5, PortCounter.LINK_DOWNED, 60);
        counters().set(LAST, 5, PortCounter.RCV_ERRORS, 11);
        counters().set(LAST, 7, PortCounter.RCV_ERRORS, 31);
        PortCounters all = get(TO_LAST, PortCounters.COUNTERS.readRequest(CounterSet.ALL_PORTS));
        assertThat(all.get(PortCounters.PORT_RCV_ERRORS)).isEqualTo(42);
        assertThat(all.get(PortCounters.LINK_DOWNED_COUNTER)).isEqualTo(255);
        assertThat(PortCounters.COUNTERS.port(all)).isEqualTo(CounterSet.ALL_PORTS);
        set(TO_LAST, PortCounters.COUNTERS.clearRequest(CounterSet.ALL_PORTS, List.of(PortCounters.PORT_RCV_ERRORS)));
        PortCounters one = get(TO_LAST, PortCounters.COUNTERS.readRequest(5));
        assertThat(one.get(PortCounters.PORT_RCV_ERRORS)).isZero();
        assertThat(one.get(PortCounters.LINK_DOWNED_COUNTER)).isEqualTo(60);
    }

    @Test
    void countersStandStillAtTheirHighestValueOrBeginAgain() {
        long data = 0x1_0000_0005L;
        counters().set(LAST, 7, PortCounter.XMIT_DATA, data);
        counters().set(LAST, 7, PortCounter.LOCAL_LINK_INTEGRITY_ERRORS, 17);
        PortCounters standing = get(TO_LAST, PortCounters.COUNTERS.readRequest(7));
        assertThat(standing.get(PortCounters.PORT_XMIT_DATA)).isEqualTo(0xffff_ffffL);
        assertThat(standing.get(PortCounters.LOCAL_LINK_INTEGRITY_ERRORS)).isEqualTo(15);
        assertThat(get(TO_LAST, PortCountersExtended.COUNTERS.readRequest(7)).get(PortCountersExtended.PORT_XMIT_DATA))
                .isEqualTo(data);
        counters().setProfile(LAST, CounterProfile.DEFAULT.wrapping(true));
        PortCounters wrapped = get(TO_LAST, PortCounters.COUNTERS.readRequest(7));
        assertThat(wrapped.get(PortCounters.PORT_XMIT_DATA)).isEqualTo(5);
        assertThat(wrapped.get(PortCounters.LOCAL_LINK_INTEGRITY_ERRORS)).isEqualTo(1);
    }

    private long capabilities(MadAddress to) {
        return get(to, ClassPortInfo.TYPE.zero()).get(ClassPortInfo.CAPABILITY_MASK);
    }

    @Test
    void capabilitiesSayWhatThereIs() {
        assertThat(capabilities(TO_LAST))
                .isEqualTo(PerfCapability.ALL_PORT_SELECT | PerfCapability.EXTENDED_WIDTH | PerfCapability.XMIT_WAIT);
        assertThat(capabilities(TO_HOST)).isEqualTo(PerfCapability.EXTENDED_WIDTH | PerfCapability.XMIT_WAIT);
        counters().setProfile(LAST, CounterProfile.DEFAULT.extended(CounterProfile.Extended.NO_IETF));
        assertThat(capabilities(TO_LAST) & PerfCapability.EXTENDED_WIDTH).isZero();
        assertThat(capabilities(TO_LAST) & PerfCapability.EXTENDED_WIDTH_NO_IETF)
                .isPositive();
        counters().setProfile(LAST, CounterProfile.DEFAULT.extended(CounterProfile.Extended.ALL));
        assertThat(get(TO_LAST, ClassPortInfo.TYPE.zero()).get(ClassPortInfo.CAPABILITY_MASK2))
                .isEqualTo(PerfCapability.ADDITIONAL_EXTENDED);
        counters().setProfile(LAST, CounterProfile.DEFAULT.minimal());
        assertThat(capabilities(TO_LAST)).isZero();
    }

    @Test
    void aDeviceThatHasTheLeastRefusesTheRest() {
        row = fabric(CounterProfile::minimal);
        for (PortCounter counter : PortCounter.values()) {
            counters().set(LAST, 7, counter, 3);
        }
        PortCounters answer = get(TO_LAST, PortCounters.COUNTERS.readRequest(7));
        assertThat(answer.get(PortCounters.PORT_XMIT_WAIT)).isZero();
        assertThat(answer.get(PortCounters.QP1_DROPPED)).isZero();
        assertThat(answer.get(PortCounters.PORT_RCV_PKTS)).isEqualTo(3);
        int refused = MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        assertThat(status(send(TO_LAST, Method.GET, PortCountersExtended.COUNTERS.readRequest(7))))
                .isEqualTo(refused);
        assertThat(status(send(TO_LAST, Method.GET, PortRcvErrorDetails.COUNTERS.readRequest(7))))
                .isEqualTo(refused);
        assertThat(status(send(TO_LAST, Method.GET, PortXmitDiscardDetails.COUNTERS.readRequest(7))))
                .isEqualTo(refused);
        assertThat(status(send(TO_LAST, Method.GET, PortCounters.COUNTERS.readRequest(CounterSet.ALL_PORTS))))
                .isEqualTo(MadStatus.INVALID_FIELD);
    }

    @Test
    void countersThatADeviceLacksAreZeroInItsExtendedOnes() {
        counters().setProfile(LAST, CounterProfile.DEFAULT.extended(CounterProfile.Extended.NO_IETF));
        for (PortCounter counter : PortCounter.values()) {
            counters().set(LAST, 7, counter, 3);
        }
        PortCountersExtended least = get(TO_LAST, PortCountersExtended.COUNTERS.readRequest(7));
        assertThat(PortCountersExtended.COUNTERS.counters().stream().filter(each -> least.get(each) == 3))
                .hasSize(4);
        counters().setProfile(LAST, CounterProfile.DEFAULT);
        PortCountersExtended usual = get(TO_LAST, PortCountersExtended.COUNTERS.readRequest(7));
        assertThat(PortCountersExtended.COUNTERS.counters().stream().filter(each -> usual.get(each) == 3))
                .hasSize(8);
    }

    @Test
    void otherRequestsThanForCountersAreRefused() {
        assertThat(status(send(TO_HOST, Method.GET, PortCounters.COUNTERS.readRequest(2))))
                .isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(status(send(TO_HOST, Method.GET, PortCounters.COUNTERS.readRequest(CounterSet.ALL_PORTS))))
                .isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(status(send(TO_LAST, Method.GET, PortCounters.COUNTERS.readRequest(90))))
                .isEqualTo(MadStatus.INVALID_FIELD);
        assertThat(status(send(TO_LAST, Method.SET, ClassPortInfo.TYPE.zero())))
                .isEqualTo(MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        byte[] version = PerfMad.request(Method.GET, tid++, PortCounters.COUNTERS.readRequest(1));
        MadHeader.CLASS_VERSION.set(version, 0, 2);
        assertThat(status(row.sm.send(TO_LAST, version))).isEqualTo(MadStatus.UNSUPPORTED_VERSION);
        byte[] method = PerfMad.request(Method.GET_TABLE, tid++, PortCounters.COUNTERS.readRequest(1));
        assertThat(status(row.sm.send(TO_LAST, method))).isEqualTo(MadStatus.UNSUPPORTED_METHOD);
        byte[] attribute = PerfMad.request(Method.GET, tid++, PortCounters.COUNTERS.readRequest(1));
        MadHeader.ATTRIBUTE_ID.set(attribute, 0, 0x36);
        assertThat(status(row.sm.send(TO_LAST, attribute))).isEqualTo(MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
    }

    @Test
    void anAgentMayBeSilentBusyOrDisobedient() {
        counters().setProfile(LAST, CounterProfile.DEFAULT.withAgent(AgentProfile.CONFORMING.droppingAll()));
        assertThat(status(send(TO_LAST, Method.GET, PortCounters.COUNTERS.readRequest(7))))
                .isEqualTo(NO_ANSWER);
        counters().setProfile(LAST, CounterProfile.DEFAULT.withAgent(AgentProfile.CONFORMING.busy(1)));
        assertThat(status(send(TO_LAST, Method.GET, PortCounters.COUNTERS.readRequest(7))))
                .isEqualTo(MadStatus.BUSY);
        counters()
                .setProfile(
                        LAST, CounterProfile.DEFAULT.withAgent(AgentProfile.CONFORMING.ignoringSets(AgentProfile.ANY)));
        counters().set(LAST, 7, PortCounter.SYMBOL_ERROR, 8);
        PortCounters answer =
                set(TO_LAST, PortCounters.COUNTERS.clearRequest(7, List.of(PortCounters.SYMBOL_ERROR_COUNTER)));
        assertThat(answer.get(PortCounters.SYMBOL_ERROR_COUNTER)).isEqualTo(8);
        assertThat(errors(7)).isEqualTo(8);
    }

    @Test
    void countersMayBeClearedByOthers() {
        counters().setProfile(LAST, CounterProfile.DEFAULT.resetEvery(1_000_000_000));
        counters().set(LAST, 7, PortCounter.SYMBOL_ERROR, 8);
        assertThat(errors(7)).isEqualTo(8);
        row.loop.runFor(1_100_000_000);
        assertThat(errors(7)).isZero();
        counters().add(LAST, 7, PortCounter.SYMBOL_ERROR, 2);
        assertThat(errors(7)).isEqualTo(2);
        counters().reset(LAST);
        assertThat(errors(7)).isZero();
    }

    @Test
    void countersMayGoUpByThemselves() {
        counters()
                .setProfile(
                        LAST,
                        CounterProfile.DEFAULT
                                .rising(new CounterProfile.Rising(7, PortCounter.SYMBOL_ERROR, 10))
                                .rising(new CounterProfile.Rising(5, PortCounter.SYMBOL_ERROR, 0.5)));
        long startErrors = errors(7);
        row.loop.runFor(4_000_000_000L);
        assertThat(errors(7)).isEqualTo(startErrors + 40);
        assertThat(errors(5)).isEqualTo(2);
        set(TO_LAST, PortCounters.COUNTERS.clearRequest(7, List.of(PortCounters.SYMBOL_ERROR_COUNTER)));
        row.loop.runFor(1_000_000_000L);
        assertThat(errors(7)).isEqualTo(10);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CounterProfile.Rising(7, PortCounter.SYMBOL_ERROR, Double.NaN));
    }

    @Test
    void aRequestMayBeSentElsewhere() {
        CounterProfile.Redirection elsewhere = new CounterProfile.Redirection(RowFabric.hostGuid(1), 1, 0x48);
        counters().setProfile(LAST, CounterProfile.DEFAULT.redirectedTo(elsewhere));
        counters().set(LAST, 7, PortCounter.SYMBOL_ERROR, 8);
        byte[] answer = send(TO_LAST, Method.GET, PortCounters.COUNTERS.readRequest(7));
        assertThat(status(answer)).isEqualTo(MadStatus.REDIRECT);
        assertThat(MadHeader.attributeId(answer)).isEqualTo(ClassPortInfo.TYPE.id());
        ClassPortInfo info = ClassPortInfo.TYPE.read(answer, PerfMad.DATA_OFFSET);
        assertThat(info.get(ClassPortInfo.REDIRECT_LID)).isEqualTo(TO_HOST.lid());
        assertThat(info.get(ClassPortInfo.REDIRECT_QP)).isEqualTo(0x48);
        assertThat(info.get(ClassPortInfo.REDIRECT_Q_KEY)).isEqualTo(0x8001_0000L);
        assertThat(info.get(ClassPortInfo.REDIRECT_P_KEY)).isEqualTo(0xffff);
        PortCounters there = get(new MadAddress(TO_HOST.lid(), 0x48, 0, 0), PortCounters.COUNTERS.readRequest(7));
        assertThat(there.get(PortCounters.SYMBOL_ERROR_COUNTER)).isEqualTo(8);
        assertThat(get(TO_HOST, PortCounters.COUNTERS.readRequest(1)).get(PortCounters.SYMBOL_ERROR_COUNTER))
                .isZero();
    }
}
