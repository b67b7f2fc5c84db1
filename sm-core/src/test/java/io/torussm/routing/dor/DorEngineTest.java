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
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tables against those that OpenSM 3.3.23 wrote on the same fabrics with the same LIDs. */
class DorEngineTest {
    private static final RoutingOptions QOS = new RoutingOptions(true, 5, 0);

    private static Plan route(RecordedFabric recorded) {
        return (Plan) route(recorded, recorded.orderFiles());
    }

    private static RoutingResult route(RecordedFabric recorded, Map<String, EngineFile> files) {
        return new DorEngine().route(new EngineContext(recorded.subnet(), QOS, config(files), null));
    }

    private static EngineConfig config(Map<String, EngineFile> files) {
        return new EngineConfig(Map.of(), files, "", Sl2VlTables.DEFAULT, 1);
    }

    private static List<String> problems(String setting, String text) {
        return new DorEngine()
                .check(config(Map.of(setting, EngineFile.read("order.conf", text))), QOS).stream()
                        .map(Finding::text)
                        .toList();
    }

    @ParameterizedTest
    @CsvSource({
        "cube4",
        "cube4_ordered",
        "cube4_shuffled",
        "lmc1",
        "mesh344",
        "mesh44_ordered",
        "mesh45",
        "mesh_lost",
        "mesh_par",
        "torus55"
    })
    void fillsTheTablesThatTheReferenceFills(String name) {
        RecordedFabric recorded = new RecordedFabric(name);
        Plan plan = route(recorded);
        Fabric fabric = plan.subnet().fabric();
        List<String> differences = new ArrayList<>();
        recorded.lfts()
                .forEach((guid, entries) -> entries.forEach((lid, port) -> {
                    int sw = fabric.nodeByGuid(guid);
                    int ours = plan.lft(sw)[lid] & 0xff;
                    if (ours != port) {
                        differences.add(fabric.name(sw) + " LID " + lid + ": " + ours + ", not " + port);
                    }
                }));
        assertThat(recorded.lfts()).hasSize(fabric.switchCount());
        assertThat(differences).isEmpty();
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
        Plan plan = route(new RecordedFabric(name));
        assertThat(plan.claimsDeadlockFree()).isFalse();
        assertThat(new DeadlockChecker(1).check(plan, QOS)).isInstanceOf(isFree ? Certificate.class : Cycle.class);
    }

    @Test
    void leavesSlAndVlToTheOperator() {
        Plan plan = route(new RecordedFabric("mesh45"));
        assertThat(plan.hasOwnSl2Vl()).isFalse();
        assertThat(plan.pathSl(1, plan.subnet().topLid(), 5)).isEqualTo(5);
        assertThat(plan.slMask(0, plan.subnet().topLid())).isEqualTo(0xffff);
    }

    /** Hosts that are listed have the first of parallel cables to themselves, as long as there are more cables than hosts. */
    @Test
    void forwardsListedPortsFirst() {
        RecordedFabric recorded = new RecordedFabric("mesh_par");
        Plan usual = route(recorded);
        Fabric fabric = usual.subnet().fabric();
        int[] hosts = DestinationOrder.of(usual.subnet(), List.of());
        int last = Arrays.stream(hosts)
                .filter(port -> !fabric.isSwitch(fabric.nodeOf(port)))
                .reduce(0, (before, port) -> port);
        String guid = Guid.format(fabric.portGuid(last));
        String listed = "# comment\n\n" + guid + "\n" + guid + "# again\n0x123 not there\n";
        Map<String, EngineFile> files = Map.of("guid_routing_order_file", EngineFile.read("order.conf", listed));
        Plan plan = (Plan) route(recorded, files);
        int lid = usual.subnet().lid(last);
        FirstNeighbours first = new FirstNeighbours(fabric, searchedByNumber(fabric));
        int moved = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (sw != fabric.switchOf(last)) {
                assertThat(plan.lft(sw)[lid]).isEqualTo((byte) first.port(sw, fabric.switchOf(last)));
                moved += plan.lft(sw)[lid] == usual.lft(sw)[lid] ? 0 : 1;
            }
        }
        assertThat(moved).isPositive();
    }

    private static int[][] searchedByNumber(Fabric fabric) {
        return IntStream.range(0, fabric.switchCount())
                .mapToObj(sw -> IntStream.rangeClosed(1, fabric.numPorts(sw)).toArray())
                .toArray(int[][]::new);
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
        RecordedFabric recorded = new RecordedFabric("cube4_ordered");
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
        assertThat(((Refusal) route(new RecordedFabric("cube4"), files)).reason())
                .isEqualTo("order.conf: there is no such file; see port_search_ordering_file");
    }
}
