package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.program.port.LinkActivator;
import io.torussm.program.smp.SweepSettings;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * A new master sets the trap destinations of switches before it reads their tables, which takes the longest
 * time.
 */
class MasterSmLidStageTest {
    private static final Topology TORUS = TorusSpec.parse("torus:3x3x1,hosts=1").topology();
    private static final String OTHER_HOST = "host-1-1-0-0";

    private final SweepHarness harness = new SweepHarness(TORUS, FaultPlan.NONE);

    /** Returns PortInfos that were written before the first forwarding table was requested. */
    private List<PortInfo> early() {
        return harness.requests.stream()
                .takeWhile(mad -> MadHeader.attributeId(mad) != LinearForwardingTable.TYPE.id())
                .filter(mad -> MadHeader.method(mad) == Method.SET && MadHeader.attributeId(mad) == PortInfo.TYPE.id())
                .map(mad -> PortInfo.TYPE.read(mad, Smp.DATA_OFFSET))
                .toList();
    }

    /** Returns them by LID. */
    private Map<Integer, PortInfo> heldBySwitches() {
        return TORUS.nodes().stream()
                .filter(Topology.Node::isSwitch)
                .map(node -> harness.fabric.portInfo(node.nodeGuid(), 0))
                .collect(Collectors.toMap(PortInfo::lid, held -> held));
    }

    private void takeOver(SweepSettings settings) {
        harness.sweep();
        harness.host = OTHER_HOST;
        harness.settings = settings;
        harness.restart();
    }

    @Test
    void switchesAreNotifiedOfTheNewMasterFirst() {
        takeOver(harness.settings);
        Map<Integer, PortInfo> before = heldBySwitches();
        assertThat(harness.sweep()).isEqualTo("up");
        int smLid = harness.publishedView().subnet().smLid();
        assertThat(early()).hasSize(9).allSatisfy(sent -> {
            assertThat(sent.masterSmLid()).isEqualTo(smLid);
            assertThat(sent.portState()).isEqualTo(PortInfo.STATE_NO_CHANGE);
            PortInfo held = Objects.requireNonNull(before.get(sent.lid()));
            assertThat(held.masterSmLid()).isNotEqualTo(smLid);
            assertThat(sent)
                    .as("nothing else is changed")
                    .isEqualTo(LinkActivator.withoutPhysicalStateChange(held)
                            .with(PortInfo.PORT_STATE, PortInfo.STATE_NO_CHANGE)
                            .with(PortInfo.MASTER_SM_LID, smLid)
                            .with(PortInfo.LOCAL_PORT_NUM, sent.get(PortInfo.LOCAL_PORT_NUM)));
        });
    }

    @Test
    void aPortWithoutALidYetIsNotifiedWithTheLid() {
        harness.sweep();
        assertThat(early()).isEmpty();
    }

    @Test
    void aSwitchWithAnotherKeyGetsItsTrapDestinationWithTheKey() {
        takeOver(MKeySweepCase.settings(MKeySweepCase.NEW, 0, 0));
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(early()).isEmpty();
        assertThat(heldBySwitches().values()).allSatisfy(held -> assertThat(held.masterSmLid())
                .isEqualTo(harness.publishedView().subnet().smLid()));
    }

    @Test
    void theSameMasterHasNothingToSay() {
        harness.sweep();
        harness.restart();
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(early()).isEmpty();
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(early()).isEmpty();
    }
}
