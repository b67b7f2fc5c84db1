package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.subnet.LinkSettings;
import io.torussm.testing.Sketch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Devices that comply with the specification in unusual ways. */
class PeculiarDeviceTest {
    private final SweepHarness harness = new SweepHarness("torus:3x3x1");

    private static String route(byte[] mad) {
        return String.valueOf(Smp.path(mad));
    }

    private List<byte[]> sets(int attributeId) {
        return harness.requests.stream()
                .filter(mad -> MadHeader.method(mad) == Method.SET && MadHeader.attributeId(mad) == attributeId)
                .toList();
    }

    /** IBA 14.2.5.6: a device may ignore other components of a Set that changes the state. */
    @Test
    void settingsAreSetApartFromAStateStepIfADeviceRequiresThat() {
        harness.isRequestLost = mad -> {
            if (Devices.wantedState(mad) >= PortInfo.STATE_ARMED && route(mad).equals("0,1,1")) {
                PortInfo.HOQ_LIFE.set(mad, Smp.DATA_OFFSET, 3);
            }
            return false;
        };
        assertThat(harness.sweep()).isEqualTo("up");
        Fabric fabric = harness.publishedView().subnet().fabric();
        LinkSettings links = harness.settings.links();
        int linked = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isSwitch(fabric.nodeOf(port)) && fabric.peer(port) != Fabric.NONE) {
                boolean isLeaf = !fabric.isSwitch(fabric.nodeOf(fabric.peer(port)));
                assertThat(Devices.portInfo(harness, fabric, port).get(PortInfo.HOQ_LIFE))
                        .as(fabric.portName(port))
                        .isEqualTo(isLeaf ? links.leafHoqLife() : links.hoqLife());
                linked++;
            }
        }
        assertThat(linked).isEqualTo(9 * 5);
    }

    @Test
    void settingsThatAllRefuseAreTriedAloneAtOneDeviceOfAType() {
        harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == PortInfo.TYPE.id()) {
                PortInfo.LOCAL_PHY_ERRORS.set(mad, Smp.DATA_OFFSET, 0);
            }
        };
        harness.sweep();
        Fabric fabric = harness.publishedView().subnet().fabric();
        long alone = sets(PortInfo.TYPE.id()).stream()
                .filter(mad -> Devices.wantedState(mad) == PortInfo.STATE_NO_CHANGE)
                .count();
        int port0s = fabric.switchCount();
        int kinds = 2;
        assertThat(alone).isEqualTo(port0s + kinds);
    }

    /** Zero means no change, but a device could treat it as none and lose its link. */
    @Test
    void enabledWidthsAndSpeedsAreRepeatedAsTheyWereRead() {
        harness.sweep();
        int links = 0;
        for (byte[] mad : sets(PortInfo.TYPE.id())) {
            PortInfo sent = PortInfo.TYPE.read(mad, Smp.DATA_OFFSET);
            if (sent.get(PortInfo.LINK_WIDTH_SUPPORTED) != 0) {
                assertThat(sent.get(PortInfo.LINK_WIDTH_ENABLED)).isPositive();
                assertThat(sent.get(PortInfo.LINK_SPEED_ENABLED)).isPositive();
                links++;
            }
        }
        assertThat(links).isGreaterThan(9 * 5);
    }

    @Test
    void linearFdbTopOfASwitchAtRestIsRaisedBeforeItsBlocks() {
        harness.sweep();
        Set<String> raised = new HashSet<>();
        List<String> early = new ArrayList<>();
        for (byte[] mad : harness.requests) {
            if (MadHeader.method(mad) == Method.SET && MadHeader.attributeId(mad) == SwitchInfo.TYPE.id()) {
                raised.add(route(mad));
            } else if (MadHeader.method(mad) == Method.SET
                    && MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id()
                    && !raised.contains(route(mad))) {
                early.add(route(mad));
            }
        }
        assertThat(raised).hasSize(9);
        assertThat(early).isEmpty();
    }

    @Test
    void changingCountersDoNotRepeatTheWriteOfARejectedSetting() {
        int[] violations = {0};
        harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == PortInfo.TYPE.id()) {
                PortInfo.LOCAL_PHY_ERRORS.set(mad, Smp.DATA_OFFSET, 0);
                PortInfo.P_KEY_VIOLATIONS.set(mad, Smp.DATA_OFFSET, violations[0]++ & 0xffff);
            }
        };
        harness.sweep();
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.countAllSets()).isZero();
    }

    @Test
    void portZeroTakesTheLargestMtuThatItCan() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("sw", 2);
        Fabric bare = sketch.build();
        PortInfo small = PortInfo.TYPE
                .zero()
                .with(PortInfo.PORT_STATE, PortInfo.STATE_ACTIVE)
                .with(PortInfo.NEIGHBOR_MTU, 1)
                .with(PortInfo.MTU_CAP, 5);
        Fabric fabric = bare.with(bare.port(0, 0), small);
        assertThat(LinkSettings.DEFAULT.mtu(fabric, fabric.port(0, 0))).isEqualTo(5);
    }
}
