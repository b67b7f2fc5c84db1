package io.torussm.routing.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.EngineFile;
import io.torussm.routing.Plan;
import io.torussm.routing.RecordedCases;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The forms of files; {@code RecordedTablesTest} compares tables. */
class FileEngineTest {
    private static final RecordedCases.Case RECORDED =
            Objects.requireNonNull(RecordedCases.of(FileEngine.NAME).get("lfts"));
    private static final EngineFile FILE =
            Objects.requireNonNull(RECORDED.files().get("lfts_file"));
    private static final String DUMP = Objects.requireNonNull(FILE.text());

    private final FileEngine engine = new FileEngine();
    private final Subnet subnet = RECORDED.states().get(0).subnet();

    private RoutingResult route(Map<String, EngineFile> files) {
        EngineConfig config = new EngineConfig(Map.of(), files, "", Sl2VlTables.DEFAULT, 1);
        return engine.route(new EngineContext(subnet, TestRouting.QOS, config, null));
    }

    private RoutingResult routeAlong(String dump) {
        return route(Map.of("lfts_file", EngineFile.read("lfts", dump)));
    }

    private List<String> errors(String key, String text) {
        EngineConfig config =
                new EngineConfig(Map.of(), Map.of(key, EngineFile.read("f", text)), "", Sl2VlTables.DEFAULT, 1);
        return engine.check(config, TestRouting.QOS).stream().map(Finding::text).toList();
    }

    private static byte[] table(RoutingResult plan) {
        return ((Plan) plan).lft(0);
    }

    /** Tables as {@code dump_lfts} prints them, with earlier LIDs, and with switches and ports that are absent. */
    @Test
    void destinationsAreKnownByTheirPortGuid() {
        byte[] usual = table(routeAlong(DUMP));
        String other = DUMP.replace(" # ", " : (").replaceAll("(?m)^0x00(..) ", "  0x01$1 ")
                + "Unicast lids [0x0-0x9] of switch DR path slid 0; dlid 0; 0,1 guid 0x00000000deadbeef (gone):\n"
                + "  Lid  Out   Destination\n0x0001 200 : (Channel Adapter portguid 0x0000000100002101: 'host-0')\n"
                + "0x0002 001 : (Channel Adapter portguid 0x00000000deadbeed: 'gone')\n57 valid lids dumped\n"
                + "Multicast mlids [0xc000-0xc3ff] of switch Lid 2 guid 0x0000000000200000 ('sw-14'):\nMLid\n0xc000 nonsense\n";
        assertThat(table(routeAlong(other))).isEqualTo(usual);
    }

    /** 8x8x8 with a host on each switch has 40 MB of dump. */
    @Test
    void dumpsAreAsLongAsFabricsAreLarge() {
        String others =
                "0x0001 001 # Channel Adapter portguid 0x00000000deadbeed: 'a host that is not there any more'\n";
        String many = DUMP + "Unicast lids [0-9] of switch Lid 2 guid 0xdeadbeef ('gone'):\n" + others.repeat(100_000);
        assertThat(many).hasSizeGreaterThan(8 << 20);
        assertThat(table(routeAlong(many))).isEqualTo(table(routeAlong(DUMP)));
    }

    @Test
    void pairsWithoutAPathAreNamed() {
        RoutingResult result = routeAlong(DUMP.replaceFirst("(?m)^0x0001 010.*\\n", ""));
        assertThat(((Refusal) result).reason()).contains("1 pairs of hosts", "host 100002100", "write new files");
    }

    @Test
    void aPortThatASwitchDoesNotHaveIsNamedWithItsLine() {
        RoutingResult result = routeAlong(DUMP.replaceFirst("0x0001 010", "0x0001 200"));
        assertThat(((Refusal) result).reason()).startsWith("lfts:2: ").contains("has no port 200");
    }

    @Test
    void linesThatAreNoneAreErrors() {
        String header = "Unicast lids [0-9] of switch Lid 2 guid 0x200000 ('x'):\n";
        assertThat(errors("lfts_file", header + "0x0001 999"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("f:2: ");
        assertThat(errors("lfts_file", header + "0x0001")).hasSize(1);
        assertThat(errors("lfts_file", "")).hasSize(1).first().asString().contains("no table");
        assertThat(errors("lfts_file", header + "0x0001 255")).isEmpty();
        String matrix = "Switch: guid 0x200000\n";
        assertThat(errors("lid_matrix_dump_file", matrix + "0x0002: 00 zz"))
                .hasSize(1)
                .first()
                .asString()
                .startsWith("f:2: ");
        assertThat(errors("lid_matrix_dump_file", "nothing")).hasSize(1);
        assertThat(errors("lid_matrix_dump_file", matrix + "0x0002: 00 01 ff")).isEmpty();
    }

    @Test
    void aFileThatIsNotThereIsRefused() {
        RoutingResult result = route(Map.of("lfts_file", EngineFile.unreadable("lfts", "No such file")));
        assertThat(((Refusal) result).reason()).contains("No such file", "lfts_file");
    }

    @Test
    void withoutFilesItIsMinHop() {
        assertThat(route(Map.of())).isInstanceOf(Plan.class);
    }
}
