package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.transition.Transition;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.Plan;
import io.torussm.sweep.SweepHarness;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The blocks of a torus of nine switches with eight hosts each: LIDs 1 to 81 in two blocks. */
class ForwardingBlocksTest {
    private static final int LIDS = LinearForwardingTable.LIDS_PER_BLOCK;
    private static final int SWITCH = 3;

    private final SweptFabric swept = new SweptFabric(new SweepHarness("torus:3x3x1,hosts=8"));
    private final Plan plan =
            Objects.requireNonNull(swept.harness.publishedView().plan());
    private final ForwardingBlocks blocks =
            new ForwardingBlocks(swept.fabric, swept.tables, swept.requests, swept.subnet.topLid());

    /** Makes all switches as wanted. */
    ForwardingBlocksTest() {
        for (int sw = 0; sw < swept.fabric.switchCount(); sw++) {
            swept.tables[sw].setTarget(plan.lft(sw));
            for (int block = 0; block < 2; block++) {
                swept.tables[sw].confirmBlock(block, LinearForwardingTable.blockOf(plan.lft(sw), block));
            }
        }
    }

    @Test
    void aBlockThatDiffersIsPendingUnlessItIsPostponed() {
        assertThat(blocks.blocksPerSwitch()).isEqualTo(2);
        assertThat(blocks.isAnyPending()).isFalse();
        assertThat(blocks.isAnyPostponed()).isFalse();
        byte[] lft = plan.lft(SWITCH).clone();
        lft[0] = 1; // no port has LID 0
        swept.tables[SWITCH].invalidateBlock(0);
        swept.tables[SWITCH].confirmBlock(0, LinearForwardingTable.blockOf(lft, 0));
        assertThat(blocks.isPending(SWITCH, 0)).isTrue();
        assertThat(blocks.isPending(SWITCH, 1)).isFalse();
        assertThat(blocks.isAnyPending()).isTrue();
        blocks.postponeVanishedLids(SWITCH, new ForwardingSteps(Transition.FREE, swept.tables, plan));
        assertThat(blocks.isAnyPostponed()).isTrue();
        assertThat(blocks.isPostponed(SWITCH, 0)).isTrue();
        assertThat(blocks.isPending(SWITCH, 0)).isFalse();
        assertThat(blocks.isAnyPending()).isFalse();
    }

    @Test
    void blocksUpToTheTopOfTheSwitchAreRead() {
        int top = Objects.requireNonNull(swept.fabric.node(SWITCH).switchInfo()).linearFdbTop();
        assertThat(top).isBetween(LIDS, 2 * LIDS - 1);
        assertThat(blocks.read(SWITCH, 0)).isNotNull();
        assertThat(blocks.read(SWITCH, 2)).isNull();
        assertThat(blocks.read(SWITCH, 100)).isNull();
        swept.tables[SWITCH].invalidateBlock(1);
        swept.send(blocks.read(SWITCH, 1));
        assertThat(swept.tables[SWITCH].knows(1)).isTrue();
        assertThat(swept.tables[SWITCH].holdsBlock(1, LinearForwardingTable.blockOf(plan.lft(SWITCH), 1)))
                .isTrue();
    }

    @Test
    void aBlockIsInDoubtFromItsWriteToTheConfirmation() {
        LinearForwardingTable wanted = LinearForwardingTable.blockOf(plan.lft(SWITCH), 0);
        assertThat(blocks.write(SWITCH, 0, wanted)).as("as wanted").isNull();
        LinearForwardingTable other = LinearForwardingTable.TYPE.zero();
        var request = blocks.write(SWITCH, 0, other);
        assertThat(swept.tables[SWITCH].isInDoubt(0)).isTrue();
        swept.send(request);
        assertThat(swept.tables[SWITCH].holdsBlock(0, other)).isTrue();
        swept.isLost = mad -> MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id();
        swept.send(blocks.write(SWITCH, 0, wanted));
        assertThat(swept.tables[SWITCH].isInDoubt(0)).isTrue();
        assertThat(swept.errors.hasDeviations()).isTrue();
    }
}
