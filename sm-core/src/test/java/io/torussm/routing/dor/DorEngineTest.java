package io.torussm.routing.dor;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.Cycle;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.Plan;
import io.torussm.routing.RecordedCases;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.balance.Links;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables of dor, compared with those that OpenSM 3.3.23 wrote on the same fabrics with the same LIDs. */
class DorEngineTest {
    private static Plan route(String name) {
        return (Plan) route(name, RecordedCases.of("dor", name).files());
    }

    private static RoutingResult route(String name, Map<String, EngineFile> files) {
        Subnet subnet = RecordedCases.of("dor", name).states().get(0).subnet();
        return new DorEngine().route(new EngineContext(subnet, TestRouting.QOS, config(files), null));
    }

    private static EngineConfig config(Map<String, EngineFile> files) {
        return new EngineConfig(Map.of(), files, "", Sl2VlTables.DEFAULT, 1);
    }

    private static List<String> problems(String setting, String text) {
        return new DorEngine()
                .check(config(Map.of(setting, EngineFile.read("order.conf", text))), TestRouting.QOS).stream()
                        .map(Finding::text)
                        .toList();
    }

    /** Its audit, of the reference's tables, says the same; there switches count as well. */
    @ParameterizedTest
    @CsvSource({
        "cube4, true",
        "cube4_ordered, true",
        "mesh44_ordered, true",
        "lmc1, true",
        "mesh45, true",
        "mesh_par, true",
        "cube4_shuffled, false",
        "torus55, false"
    })
    void isFreeOfCreditLoopsOnlyIfPortsAreInTheOrderOfDimensions(String name, boolean isFree) {
        Plan plan = route(name);
        assertThat(plan.claimsDeadlockFree()).isFalse();
        assertThat(new DeadlockChecker(1).check(plan, TestRouting.QOS))
                .isInstanceOf(isFree ? Certificate.class : Cycle.class);
    }

    @Test
    void leavesSlAndVlToTheOperator() {
        Plan plan = route("mesh45");
        assertThat(plan.hasOwnSl2Vl()).isFalse();
        assertThat(plan.pathSl(1, plan.subnet().topLid(), 5)).isEqualTo(5);
        assertThat(plan.slMask(0, plan.subnet().topLid())).isEqualTo(0xffff);
    }

    /**
     * Hosts that are listed have the first of parallel cables to themselves, as long as there are more cables than
     * hosts.
     */
    @Test
    void forwardsListedPortsFirst() {
        String recorded = "mesh_par";
        Plan usual = route(recorded);
        Fabric fabric = usual.subnet().fabric();
        int last = fabric.port(fabric.nodeCount() - 1, 1);
        String guid = Guid.format(fabric.portGuid(last));
        String listed = "# comment\n\n" + guid + "\n" + guid + "# again\n0x123 not there\n";
        Map<String, EngineFile> files = Map.of("guid_routing_order_file", EngineFile.read("order.conf", listed));
        Plan plan = (Plan) route(recorded, files);
        int lid = usual.subnet().lid(last);
        Links links = new Links(fabric);
        int moved = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (sw != fabric.switchOf(last)) {
                int port = fabric.port(sw, plan.lft(sw)[lid]);
                for (int lower = fabric.port(sw, 1); lower < port; lower++) {
                    assertThat(links.farSwitch(lower)).isNotEqualTo(links.farSwitch(port));
                }
                moved += plan.lft(sw)[lid] == usual.lft(sw)[lid] ? 0 : 1;
            }
        }
        assertThat(moved).isPositive();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port_search_ordering_file | 0x10 1 2;;leaf1 3 | order.conf:3: \"leaf1\" is no GUID; begin the line with one such"
                        + " as 0x0002c90300000001, or with # if it is a comment",
                "port_search_ordering_file | 0x10 1 x | order.conf:1: \"x\" is no port; write numbers from 1 to 254 after the"
                        + " GUID",
                "port_search_ordering_file | 0x10 1 255 | order.conf:1: \"255\" is no port; write numbers from 1 to 254 after"
                        + " the GUID",
                "port_search_ordering_file | 0x10 3 3 | order.conf:1: port 3 is listed twice; remove it once",
                "port_search_ordering_file | 0x10 1;16 2 | order.conf:2: this switch was given already, see order.conf:1: remove"
                        + " one of the two lines",
                "guid_routing_order_file | 0x1;0xg | order.conf:2: \"0xg\" is no GUID; begin the line with one such as"
                        + " 0x0002c90300000001, or with # if it is a comment",
            })
    void checksFilesOfOrders(String setting, String lines, String problem) {
        assertThat(problems(setting, lines.replace(';', '\n'))).containsExactly(problem);
    }

    @Test
    void refusesAPortThatASwitchHasNot() {
        String recorded = "cube4_ordered";
        Map<String, EngineFile> files =
                Map.of("port_search_ordering_file", EngineFile.read("order.conf", "0x0000000000200000 1 77\n"));
        assertThat(((Refusal) route(recorded, files)).reason())
                .startsWith("order.conf:1: 0x0000000000200000 \"")
                .contains(" has no port 77; list ports from 1 to ");
    }

    @Test
    void refusesWithoutAFileThatIsNamed() {
        Map<String, EngineFile> files =
                Map.of("port_search_ordering_file", EngineFile.unreadable("order.conf", "there is no such file"));
        assertThat(((Refusal) route("cube4", files)).reason())
                .isEqualTo("order.conf: there is no such file; see port_search_ordering_file");
    }
}
