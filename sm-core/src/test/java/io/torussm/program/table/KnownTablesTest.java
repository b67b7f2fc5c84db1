package io.torussm.program.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Plan;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The tables of two switches on which the order of a change is computed; packets depend on one of them. */
class KnownTablesTest {
    private static final int RUNNING = 0;
    private static final int COLD = 1;
    /** Port 1 of the first switch, as an index. */
    private static final int CABLE = 1;

    private static final long ROW = 0x0123_4567L;

    private final DeviceTables[] tables = {new DeviceTables(4, new RowValues()), new DeviceTables(4, new RowValues())};

    private KnownTables known(int portState) {
        Sketch sketch = new Sketch();
        sketch.addSwitch("a", 4);
        sketch.addSwitch("b", 4);
        sketch.link(RUNNING, 1, COLD, 1);
        Fabric fabric = sketch.build();
        int port = fabric.port(RUNNING, 1);
        PortInfo info = Objects.requireNonNull(fabric.portInfo(port));
        Fabric changed = fabric.with(port, info.with(PortInfo.PORT_STATE, portState));
        Plan plan = (Plan) new MinHopEngine().route(Subnets.of(changed), TestRouting.QOS);
        return new KnownTables(plan, tables, new boolean[] {true, false}, true);
    }

    @Test
    void aSwitchWithoutTrafficHasNoTables() {
        for (DeviceTables each : tables) {
            each.confirmRow(1, 2, ROW);
        }
        KnownTables known = known(PortInfo.STATE_ACTIVE);
        assertThat(known.lft(RUNNING)).isSameAs(tables[RUNNING].lft());
        assertThat(known.lft(COLD)).isNull();
        assertThat(known.sl2vl(RUNNING, 1, 2)).isEqualTo(ROW);
        assertThat(known.sl2vl(COLD, 1, 2)).as("the row of the plan").isNotEqualTo(ROW);
    }

    @Test
    void aPortIsUpFromArmedOn() {
        assertThat(known(PortInfo.STATE_INITIALIZE).isUp(CABLE)).isFalse();
        assertThat(known(PortInfo.STATE_ARMED).isUp(CABLE)).isTrue();
        assertThat(known(PortInfo.STATE_ACTIVE).isUp(CABLE)).isTrue();
    }
}
