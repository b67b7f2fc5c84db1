package io.torussm.trap;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.Finding.Severity;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.program.smp.SweepSettings;
import io.torussm.testing.Seeds;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.trap.TrapCounts.Disposition;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The actions of an SM on each trap, on the torus of 3 x 3 switches with a host each of {@link TrapCase}. */
class TrapHandlerTest extends TrapCase {
    /** Number of traps of a source that are not damped. */
    private static final int FREE = 4;

    @Test
    void aTrapIsLoggedWithTheFieldsOfItsSender() {
        receive(generic(Notice.TRAP_LINK_STATE_CHANGE, switchLid(2)));
        assertThat(log.of(SmEvent.TRAP_RECEIVED)).as("left to the sweep").isEmpty();
        receive(generic(Notice.TRAP_LOCAL_CHANGES, switchLid(2)));
        assertThat(log.of(SmEvent.TRAP_RECEIVED)).singleElement().satisfies(trap -> {
            assertThat(trap.get(EventField.GUID))
                    .isEqualTo(Guid.format(subnet.fabric().nodeGuid(2)));
            assertThat(trap.get(EventField.LID)).isEqualTo("" + switchLid(2));
            assertThat(trap.get(EventField.TRAP)).isEqualTo("144");
            assertThat(trap.get(EventField.TEXT)).isEqualTo("other capabilities");
        });
    }

    // --- traps 129 to 131 ---

    @Test
    void aPortThatComplainsIsNamedWithItsCableAndNoSweepBegins() {
        for (int i = 0; i < 20; i++) {
            receive(complaint(2, 1));
        }
        harness.awaitRest();
        String far =
                subnet.fabric().portName(subnet.fabric().peer(subnet.fabric().port(2, 1)));
        assertThat(log.of(Severity.WARNING)).hasSize(1);
        assertThat(log.only(SmEvent.PORT_UNHEALTHY).get(EventField.NAME)).endsWith(far);
        assertThat(harness.sweeper.traps().complaints().unhealthy())
                .singleElement()
                .satisfies(port -> assertThat(port.linkIntegrity()).isEqualTo(20));
        assertThat(count(129, Disposition.ACTED_ON)).isEqualTo(2); // the first trap, and the tenth in a row
        assertThat(count(129, Disposition.DAMPED)).isEqualTo(18);
        assertThat(harness.ends).isEmpty();
        assertThat(harness.requests).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aBabblerIsDisabledAtTheEndNearerToTheSmIfThePolicySaysSo(boolean policy) {
        disableBabblers(policy);
        Fabric fabric = subnet.fabric();
        int babbler = host();
        int near = fabric.peer(babbler);
        for (int i = 0; i < 250; i++) {
            receive(Notice.linkErrors(131, NodeInfo.CHANNEL_ADAPTER, subnet.lid(babbler), 1));
        }
        harness.awaitRest();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(5));
        long sw = fabric.nodeGuid(fabric.nodeOf(near));
        boolean isDisabled = harness.fabric.portInfo(sw, fabric.portNum(near)).get(PortInfo.PORT_PHYSICAL_STATE)
                == PortInfo.PHYS_DISABLED;
        assertThat(isDisabled).isEqualTo(policy);
        assertThat(log.of(policy ? SmEvent.PORT_DISABLED : SmEvent.PORT_BABBLING))
                .hasSize(1);
    }

    @Test
    void complaintsOfTheSmsOwnMKeyAreNotALineEach() {
        byte[] details = new byte[54];
        details[3] = (byte) subnet.lid(subnet.fabric().localPort());
        Notice refused = generic(Notice.TRAP_BAD_M_KEY, subnet.lid(host())).with(Notice.DATA_DETAILS, details);
        for (int i = 0; i < 100; i++) {
            receive(refused);
        }
        assertThat(log.of(SmEvent.M_KEY_REFUSED)).hasSize(1);
        assertThat(count(Notice.TRAP_BAD_M_KEY, Disposition.DAMPED)).isEqualTo(99);
    }

    /** A port may have 128 LIDs by LMC, and up to 1,024 more of virtual ports. */
    @Test
    void aPortWithSeveralLidsHasTheShareOfOne() {
        int port = portWithEightLids();
        for (int i = 0; i < 80; i++) {
            receive(generic(Notice.TRAP_LOCAL_CHANGES, subnet.lid(port) + i % 8));
        }
        assertThat(count(144, Disposition.ACTED_ON)).isBetween(1L, 2L * TrapThrottle.UNTHROTTLED_EVENTS);
    }

    private int portWithEightLids() {
        harness.settings = new SweepSettings(
                harness.settings.gidPrefix(),
                3,
                false,
                false,
                0,
                0,
                0,
                18,
                18,
                harness.settings.links(),
                true,
                0,
                false);
        harness.sweep();
        harness.awaitRest();
        subnet = harness.publishedView().subnet();
        int port = host();
        assertThat(subnet.lmc(port)).isEqualTo(3);
        return port;
    }

    @Test
    void theSmNeverCutsItselfOff() {
        disableBabblers(true);
        Fabric fabric = subnet.fabric();
        int near = fabric.peer(fabric.localPort());
        for (int i = 0; i < 250; i++) {
            receive(complaint(fabric.nodeOf(near), fabric.portNum(near)));
        }
        harness.awaitRest();
        assertThat(harness.requests).isEmpty();
        assertThat(log.of(SmEvent.OWN_PORT_BABBLING)).hasSize(1);
    }

    @Test
    void aComplaintAboutAPortThatIsNotThereIsIgnored() {
        receive(complaint(2, 200));
        receive(complaint(2, 0));
        assertThat(count(129, Disposition.IGNORED)).isEqualTo(2);
    }

    // --- keys ---

    @Test
    void packetsWithAWrongKeyAreReportedOncePerMinuteAndSource() {
        for (int i = 0; i < 5; i++) {
            receive(generic(Notice.TRAP_BAD_P_KEY, switchLid(1)));
            receive(generic(Notice.TRAP_BAD_Q_KEY, switchLid(1)));
        }
        assertThat(log.of(Severity.WARNING))
                .isEqualTo(log.of(SmEvent.P_KEY_VIOLATION))
                .hasSize(1);
        assertThat(count(257, Disposition.ACTED_ON)).isEqualTo(1);
        assertThat(count(258, Disposition.DAMPED)).isEqualTo(5);
        assertThat(harness.ends).isEmpty();
    }

    // --- forwarding ---

    private List<Integer> forwarded() {
        List<Integer> numbers = new ArrayList<>();
        harness.sweeper.traps().forwardTo(notice -> numbers.add(notice.trapNumber()));
        return numbers;
    }

    @Test
    void trapsThatAreActedOnAreForwardedAndNoOthers() {
        List<Integer> numbers = forwarded();
        for (int i = 0; i < 20; i++) {
            receive(Notice.linkStateChange(switchLid(4)));
        }
        receive(Notice.linkStateChange(switchLid(4)), subnet.lid(host()));
        receive(generic(Notice.TRAP_LOCAL_CHANGES, switchLid(1)));
        assertThat(numbers).hasSize(FREE + 2).startsWith(128).endsWith(144);
    }

    /**
     * NVIDIA's devices have their DeviceID where others have the number; the number is in the last 16 bits.
     */
    @Test
    void aNoticeOfAVendorIsNamedByItsTrapNumber() {
        receive(vendorNotice(1148));
        assertThat(log.only(SmEvent.VENDOR_NOTICE_RECEIVED).names("1148", "0x0002c9"))
                .isTrue();
    }

    private Notice vendorNotice(int trapNumber) {
        byte[] notice = generic(0xd2f0, switchLid(1))
                .with(Notice.IS_GENERIC, 0)
                .with(Notice.PRODUCER_TYPE, 0x0002c9)
                .toBytes();
        notice[62] = (byte) (trapNumber >> 8);
        notice[63] = (byte) trapNumber;
        return Notice.TYPE.read(notice, 0);
    }

    @Test
    void aTrapOfAVirtualPortIsForwardedWithoutALine() {
        List<Integer> numbers = forwarded();
        receive(vendorNotice(1144));
        receive(vendorNotice(1146));
        assertThat(numbers).hasSize(2);
        assertThat(log.of(SmEvent.VENDOR_NOTICE_RECEIVED)).isEmpty();
    }

    @Test
    void trapsOfVirtualPortsAreActedOnPromptlyAndForwardedAtALimitedRate() {
        List<Integer> numbers = forwarded();
        List<Integer> visited = new ArrayList<>();
        harness.sweeper.traps().whenVPortsChange(visited::add);
        for (int i = 0; i < 400; i++) {
            receive(vendorNotice(1146));
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(25));
        }
        assertThat(visited).hasSize(400);
        assertThat(numbers).hasSizeLessThan(15);
    }

    @Test
    void anIrrelevantTrapIsForwardedAtALimitedRate() {
        List<Integer> numbers = forwarded();
        for (int i = 0; i < 20; i++) {
            receive(generic(5, switchLid(1)).with(Notice.IS_GENERIC, 0));
        }
        receive(generic(5, 999).with(Notice.IS_GENERIC, 0), 999);
        receive(generic(5, switchLid(1)).with(Notice.IS_GENERIC, 0), switchLid(2));
        receive(generic(999, switchLid(2)));
        assertThat(numbers).hasSize(FREE + 2).startsWith(5).endsWith(999);
        harness.awaitRest();
        assertThat(harness.ends).isEmpty();
    }

    @Test
    void noDeviceSendsTheTrapsOfTheSm() {
        List<Integer> numbers = forwarded();
        for (int trap = Notice.TRAP_GID_IN_SERVICE; trap <= Notice.TRAP_GROUP_DELETED; trap++) {
            receive(generic(trap, switchLid(1)));
            assertThat(count(trap, Disposition.ACTED_ON)).isZero();
        }
        assertThat(numbers).isEmpty();
    }

    // --- forged and frequent traps ---

    @Test
    void aTrapInTheNameOfAnotherDeviceIsIgnored() {
        receive(Notice.linkStateChange(switchLid(4)), subnet.lid(host()));
        receive(Notice.linkStateChange(999), subnet.lid(host()));
        receive(Notice.linkStateChange(subnet.lid(host())));
        harness.awaitRest();
        assertThat(count(128, Disposition.IGNORED)).isEqualTo(3);
        assertThat(harness.ends).isEmpty();
        assertThat(harness.sweeper.traps().counts().counts())
                .filteredOn(counted -> counted.count() > 0)
                .containsExactly(new TrapCounts.Count("128", Disposition.IGNORED, 3));
        assertThat(harness.sweeper.traps().counts().malformed()).isZero();
    }

    @Test
    void unusedLidsCostNoSweepHoweverMany() {
        for (int lid = 1000; lid < 9000; lid++) {
            receive(Notice.linkStateChange(lid));
        }
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(3));
        assertThat(harness.ends).isEmpty();
        assertThat(count(128, Disposition.DAMPED)).isGreaterThan(7000);
    }

    @Test
    void aSwitchThatShoutsIsSweptForAFewTimes() {
        for (int i = 0; i < 1000; i++) {
            receive(Notice.linkStateChange(switchLid(4)));
        }
        harness.awaitRest();
        assertThat(harness.ends.size()).isBetween(1, FREE + 2);
        assertThat(count(128, Disposition.ACTED_ON)).isEqualTo(FREE + 1);
        assertThat(count(128, Disposition.DAMPED)).isEqualTo(1000 - FREE - 1);
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void noiseIsCountedAndChangesNothing(long seed) {
        Random random = Seeds.random(seed);
        byte[] details = new byte[Smp.DATA_SIZE];
        for (int i = 0; i < 3000; i++) {
            random.nextBytes(details);
            Notice.TRAP_NUMBER.set(
                    details, 0, random.nextBoolean() ? 127 + random.nextInt(20) : 255 + random.nextInt(6));
            Notice.IS_GENERIC.set(details, 0, random.nextInt(2));
            Notice.PRODUCER_TYPE.set(details, 0, random.nextInt(6));
            byte[] mad = Smp.lidRouted(Method.TRAP, i, Notice.TYPE.id(), 0, 0);
            System.arraycopy(details, 0, mad, Smp.DATA_OFFSET, details.length);
            MadHeader.MGMT_CLASS.set(mad, 0, random.nextBoolean() ? MgmtClass.SUBN_LID : MgmtClass.SUBN_DIRECTED_ROUTE);
            harness.sweeper.traps().receive(new MadFrame(new MadAddress(random.nextInt(0x10000), 0, 0, 0), mad));
        }
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(20));
        assertThat(harness.sweeper.traps().counts().malformed()).isPositive();
        assertThat(harness.ends).allMatch(end -> end.equals("up"));
        assertThat(harness.sweep()).isEqualTo("up");
    }
}
