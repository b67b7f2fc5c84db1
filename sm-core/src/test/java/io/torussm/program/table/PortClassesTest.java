package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.routing.Plan;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.routing.VlArbitrationPolicy.PortClass;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.subnet.LinkSettings;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The classes of ports of two switches with a host and a router. */
class PortClassesTest {
    private final Plan plan = plan();
    private final Fabric fabric = plan.subnet().fabric();

    private static Plan plan() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("a", 4);
        sketch.addSwitch("b", 4);
        sketch.link(0, 1, 1, 1);
        sketch.addHost(0, 2);
        sketch.addRouter(1, 2);
        return (Plan) new MinHopEngine().route(Subnets.of(sketch.build()), TestRouting.QOS);
    }

    @Test
    void followFromTheDeviceAndTheFarEnd() {
        assertThat(PortClasses.of(plan, fabric.port(0, 0))).isEqualTo(PortClass.SWITCH_PORT0);
        assertThat(PortClasses.of(plan, fabric.port(0, 1))).isEqualTo(PortClass.SWITCH_FABRIC_LINK);
        assertThat(PortClasses.of(plan, fabric.port(0, 2))).isEqualTo(PortClass.SWITCH_HOST_LINK);
        assertThat(PortClasses.of(plan, fabric.peer(fabric.port(0, 2)))).isEqualTo(PortClass.CA);
        assertThat(PortClasses.of(plan, fabric.peer(fabric.port(1, 2)))).isEqualTo(PortClass.ROUTER);
    }

    @Test
    void selectTheTablesOfThePolicy() {
        VlArbitrationTable none = VlArbitrationTable.TYPE.zero();
        VlArbitrationPolicy policy = (portClass, lowCap, highCap, vls) ->
                new VlArbitrationPolicy.Tables(none, none, none, none, portClass == PortClass.ROUTER ? 7 : vls);
        int router = fabric.peer(fabric.port(1, 2));
        assertThat(PortClasses.tables(
                        plan, policy, LinkSettings.DEFAULT, router, Objects.requireNonNull(fabric.portInfo(router))))
                .isEqualTo(new VlArbitrationPolicy.Tables(none, none, none, none, 7));
    }
}
