package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.transition.Transition;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TorusSketch;
import java.util.Arrays;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Blocks of forwarding tables that lose packets until they are written. */
class ForwardingStepsTest {
    private final Subnet subnet = TorusSketch.of(3, 1, 1, 1, 1).subnet();
    private final Fabric fabric = subnet.fabric();
    private final Plan plan = (Plan) new MinHopEngine().route(subnet, new RoutingOptions(false, 0, 0));
    private final DeviceTables[] tables = new DeviceTables[fabric.switchCount()];

    /** Checks whether the first block of switch 0 is urgent that leads a LID of another switch to a port. */
    private boolean isUrgent(int portNum) {
        RowValues rows = new RowValues();
        for (int sw = 0; sw < tables.length; sw++) {
            tables[sw] = new DeviceTables(fabric.numPorts(sw), rows);
            tables[sw].setTarget(plan.lft(sw));
        }
        byte[] held = Arrays.copyOf(plan.lft(0), LinearForwardingTable.LIDS_PER_BLOCK);
        held[subnet.lid(fabric.port(1, 0))] = (byte) portNum;
        tables[0].correctBlock(0, LinearForwardingTable.blockOf(held, 0));
        return new ForwardingSteps(Transition.FREE, tables, plan).isUrgent(0, 0);
    }

    @Test
    void areUrgentWhereAnEntryLeadsToNoLink() {
        int unplugged = IntStream.rangeClosed(1, fabric.numPorts(0))
                .filter(portNum -> fabric.peer(fabric.port(0, portNum)) == Fabric.NONE)
                .findFirst()
                .orElseThrow();
        assertThat(isUrgent(unplugged)).isTrue();
        assertThat(isUrgent(fabric.numPorts(0) + 1)).as("no such port").isTrue();
        assertThat(isUrgent(plan.lft(0)[subnet.lid(fabric.port(2, 0))]))
                .as("a cable")
                .isFalse();
        assertThat(isUrgent(0)).as("the switch itself").isFalse();
    }
}
