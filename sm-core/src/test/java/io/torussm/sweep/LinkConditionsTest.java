package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Field;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.program.port.LinkBounce;
import io.torussm.subnet.Subnet;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A cable whose ends have different settings from another program. */
class LinkConditionsTest {
    private static final int PORT = 5;

    private final SweepHarness harness = new SweepHarness("torus:1x1x3,mesh=z");
    private final LinkConditions conditions = new LinkConditions();

    /** Sets one field of the port, or of its far end, without the SM. */
    private void setFieldWithoutSm(int end, Field field, long value) {
        DrPath path = end == port() ? DrPath.of(1) : DrPath.of(1, PORT);
        MadTransport other = harness.fabric.attach("host-0-0-1-0", 1);
        other.start(new MadTransport.Receiver() {
            @Override
            public void received(MadFrame frame) {
                assertThat(MadHeader.status(frame.mad())).isZero();
            }

            @Override
            public void transportFailed(String reason) {
                throw new AssertionError(reason);
            }
        });
        byte[] mad = Smp.directed(Method.SET, 1, PortInfo.TYPE.id(), fabric().portNum(end), 0, path);
        held(end)
                .with(PortInfo.PORT_STATE, 0)
                .with(PortInfo.PORT_PHYSICAL_STATE, 0)
                .with(field, value)
                .write(mad, Smp.DATA_OFFSET);
        assertThat(other.send(new MadFrame(MadAddress.DIRECTED, mad), 100)).isTrue();
        harness.loop.runFor(1_000_000_000L);
        assertThat(held(end).get(field)).isEqualTo(value);
        other.close();
    }

    private Fabric fabric() {
        return harness.publishedView().subnet().fabric();
    }

    private int port() {
        Fabric fabric = fabric();
        return fabric.port(fabric.switchOf(harness.hosts().get(1)), PORT);
    }

    private PortInfo held(int end) {
        return Devices.portInfo(harness, fabric(), end);
    }

    private List<SmEvent> look(LoggedEvents events) {
        harness.awaitRest();
        harness.sweep();
        List<SmEvent> told = eventsDuring(
                events, () -> conditions.update(harness.publishedView().subnet()));
        assertThat(eventsDuring(
                        events, () -> conditions.update(harness.publishedView().subnet())))
                .as("told again")
                .isEmpty();
        return told;
    }

    private static List<SmEvent> eventsDuring(LoggedEvents events, Runnable action) {
        events.take();
        action.run();
        return events.take().stream().map(LoggedEvents.LoggedEvent::event).toList();
    }

    private static Field field(String name) {
        return PortInfo.TYPE.layout().fields().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** No end has the value of both: which one is right is not known. */
    @ParameterizedTest
    @CsvSource({"NeighborMTU, 2", "OperationalVLs, 2"})
    void isToldOnceWhenItBeginsAndWhenABounceHasEndedIt(String name, int value) {
        try (LoggedEvents events = new LoggedEvents().listen()) {
            harness.sweep();
            assertThat(look(events)).isEmpty();
            setFieldWithoutSm(port(), field(name), value);
            setFieldWithoutSm(fabric().peer(port()), field(name), value - 1);
            assertThat(look(events)).containsExactly(SmEvent.LINK_ENDS_DIFFER);
            assertThat(eventsDuring(events, this::bounce)).contains(SmEvent.PORT_BOUNCED);
            assertThat(look(events)).containsExactly(SmEvent.LINK_ENDS_AGREE);
            assertThat(held(port()).portState()).isEqualTo(PortInfo.STATE_ACTIVE);
        }
    }

    @ParameterizedTest
    @CsvSource({"NeighborMTU, 2", "OperationalVLs, 2"})
    void oneEndThatDiffersGetsItsValueBack(String name, int value) {
        try (LoggedEvents events = new LoggedEvents().listen()) {
            harness.sweep();
            setFieldWithoutSm(port(), field(name), value);
            assertThat(look(events)).isEmpty();
            assertThat(held(port()).get(field(name)))
                    .isEqualTo(held(fabric().peer(port())).get(field(name)))
                    .isGreaterThan(value);
            assertThat(held(port()).portState()).isEqualTo(PortInfo.STATE_ACTIVE);
        }
    }

    @Test
    void anUnknownSpeedBeginsAndEnds() {
        try (LoggedEvents events = new LoggedEvents().listen()) {
            harness.sweep();
            Subnet subnet = harness.publishedView().subnet();
            Fabric fabric = subnet.fabric();
            int port0 = fabric.port(fabric.nodeOf(port()), 0);
            PortInfo switchPort = Objects.requireNonNull(fabric.portInfo(port0));
            PortInfo port = Objects.requireNonNull(fabric.portInfo(port()));
            Fabric newer = fabric.with(
                            port0,
                            switchPort.with(
                                    PortInfo.CAPABILITY_MASK,
                                    switchPort.capabilityMask() | PortInfo.CAP_EXTENDED_SPEEDS))
                    .with(port(), port.with(PortInfo.LINK_SPEED_EXT_ACTIVE, 15));
            assertThat(eventsDuring(events, () -> conditions.update(subnet.with(newer))))
                    .containsExactly(SmEvent.LINK_SPEED_UNKNOWN);
            assertThat(eventsDuring(events, () -> conditions.update(subnet))).containsExactly(SmEvent.LINK_SPEED_KNOWN);
        }
    }

    /** Changes settings of ports, as the last sweep would have read them. */
    private Subnet with(UnaryOperator<PortInfo> near, UnaryOperator<PortInfo> far) {
        Subnet subnet = harness.publishedView().subnet();
        Fabric fabric = subnet.fabric();
        int peer = fabric.peer(port());
        return subnet.with(fabric.with(port(), near.apply(Objects.requireNonNull(fabric.portInfo(port()))))
                .with(peer, far.apply(Objects.requireNonNull(fabric.portInfo(peer)))));
    }

    @Test
    void theEndOfOneDifferenceDoesNotEndTheOther() {
        try (LoggedEvents events = new LoggedEvents().listen()) {
            harness.sweep();
            conditions.update(with(
                    port -> port.with(field("NeighborMTU"), 2).with(field("OperationalVLs"), 2),
                    port -> port.with(field("NeighborMTU"), 1).with(field("OperationalVLs"), 1)));
            conditions.update(
                    with(port -> port.with(field("OperationalVLs"), 2), port -> port.with(field("OperationalVLs"), 1)));
            assertThat(events.openConditions())
                    .extracting(LoggedEvents.LoggedEvent::event)
                    .contains(SmEvent.LINK_ENDS_DIFFER);
            assertThat(events.of(SmEvent.LINK_ENDS_DIFFER))
                    .last()
                    .satisfies(differ -> assertThat(differ.get(EventField.TEXT)).startsWith("OperationalVLs"));
            conditions.update(harness.publishedView().subnet());
            assertThat(events.openConditions())
                    .extracting(LoggedEvents.LoggedEvent::event)
                    .doesNotContain(SmEvent.LINK_ENDS_DIFFER);
        }
    }

    @Test
    void anUnknownSpeedEndsAtTheEndThatHadIt() {
        UnaryOperator<PortInfo> unknown = port -> port.with(PortInfo.LINK_SPEED_EXT_ACTIVE, 15);
        try (LoggedEvents events = new LoggedEvents().listen()) {
            harness.sweep();
            conditions.update(withExtendedSpeeds(with(unknown, unknown)));
            conditions.update(withExtendedSpeeds(with(port -> port, unknown)));
            conditions.update(harness.publishedView().subnet());
            assertThat(events.openConditions())
                    .extracting(LoggedEvents.LoggedEvent::event)
                    .doesNotContain(SmEvent.LINK_SPEED_UNKNOWN);
            assertThat(events.of(SmEvent.LINK_SPEED_UNKNOWN)).hasSize(2);
        }
    }

    /** Returns a subnet whose switches announce extended speeds. */
    private static Subnet withExtendedSpeeds(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int port0 = fabric.port(sw, 0);
            PortInfo info = Objects.requireNonNull(fabric.portInfo(port0));
            fabric = fabric.with(
                    port0, info.with(PortInfo.CAPABILITY_MASK, info.capabilityMask() | PortInfo.CAP_EXTENDED_SPEEDS));
        }
        return subnet.with(fabric);
    }

    private void bounce() {
        boolean[] isDone = {false};
        new LinkBounce(harness.client).bounce(harness.publishedView().subnet(), port(), () -> isDone[0] = true);
        harness.loop.runFor(1_000_000_000L);
        assertThat(isDone[0]).isTrue();
    }

    @Test
    void theSmsOwnLinkStaysUp() {
        harness.sweep();
        Fabric fabric = fabric();
        assertThat(LinkBounce.objection(fabric, fabric.localPort())).contains("the SM itself");
        assertThat(LinkBounce.objection(fabric, fabric.peer(fabric.localPort())))
                .contains("the SM itself");
        assertThat(LinkBounce.objection(fabric, port())).isEmpty();
        assertThat(LinkBounce.objection(fabric, fabric.port(0, 1))).contains("has no link");
    }
}
