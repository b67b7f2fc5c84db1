package io.torussm.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.VPortLids;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The memory of plans with LIDs of virtual ports, on a subnet of one switch and one host. */
class VPortPlanTest {
    private static final int TABLE_SIZE = 1 << 20;

    private final Subnet subnet = subnet();

    private static Subnet subnet() {
        Sketch sketch = new Sketch();
        sketch.addHost(sketch.addSwitch("switch", 36), 1);
        return Subnets.of(sketch.build());
    }

    /** Tables of a large fabric take 40 MB, which would be kept twice. */
    @Test
    void aPlanWithLidsOfVirtualPortsDoesNotKeepTheTablesWithoutThem() {
        Fabric fabric = subnet.fabric();
        VPortLids vports =
                VPortLids.of(Map.of(0x77L, new VPortLids.VPortLid(40, fabric.portGuid(fabric.port(1, 1)), true)));
        List<byte[]> tables = new ArrayList<>(List.of(new byte[TABLE_SIZE]));
        Arrays.fill(tables.get(0), (byte) LinearForwardingTable.NO_PATH);
        WeakReference<byte[]> plain = new WeakReference<>(tables.get(0));
        EngineContext context =
                new EngineContext(subnet, TestRouting.QOS, EngineConfig.NONE, null, Map.of(), null, null);
        Plan plan = Plan.builder("test", subnet, tables.toArray(new byte[0][]))
                .operatorSl2Vl(context, Plan.Paths.ALL)
                .build()
                .with(vports);
        tables.clear();
        System.gc();
        assertThat(plain.refersTo(null)).isTrue();
        assertThat(plan.lft(0)).as("up to the end of a block").hasSize(64);
        assertThat(plan.role(0, 1)).isEqualTo(PortRole.HOST_LINK);
        assertThat(plan.pathSl(2, 1, 0)).isZero();
    }
}
