package io.torussm.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.Cycle;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.fabric.Fabric;
import io.torussm.routing.dfsssp.DfssspEngine;
import io.torussm.routing.dnup.DownUpEngine;
import io.torussm.routing.dor.DorEngine;
import io.torussm.routing.file.FileEngine;
import io.torussm.routing.ftree.FatTreeEngine;
import io.torussm.routing.lash.LashEngine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.routing.sssp.SsspEngine;
import io.torussm.routing.updn.UpDownEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.TestRouting;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables of engines, compared with those that OpenSM 3.3.23 wrote on the same fabrics with the same LIDs and files. */
class RecordedTablesTest {
    private static final List<Engine> ENGINES = List.of(
            new MinHopEngine(),
            new DorEngine(),
            new UpDownEngine(),
            new DownUpEngine(),
            new FatTreeEngine(),
            new FileEngine(),
            new LashEngine(),
            new SsspEngine(),
            new DfssspEngine());

    private static final String LOOP = "the tables of the reference close a credit loop";
    private static final String LOOP_WITH_SWITCHES = "those of the reference do as soon as ports 0 of switches send";

    /** Cases whose tables differ from OpenSM's, with the reason. The tables of all other cases are equal. */
    private static final Map<String, String> DEPARTURES = Map.ofEntries(
            Map.entry("updn lmc2_rnd", LOOP),
            Map.entry("updn rnd20_roots", LOOP),
            Map.entry(
                    "updn rnd20_auto", "the reference finds no root and goes on with min hop, which has a credit loop"),
            Map.entry(
                    "updn cut_connect",
                    LOOP_WITH_SWITCHES + ", with the paths that connect_roots adds; here all of them turn at one leaf"),
            Map.entry(
                    "dfsssp live_link, state 1",
                    "routes that are left stay, where the reference finds all of them anew"),
            Map.entry("dnup rnd20", LOOP),
            Map.entry("dnup rnd40", LOOP),
            Map.entry("dnup spine_hosts", LOOP_WITH_SWITCHES),
            Map.entry("dnup torus44", LOOP_WITH_SWITCHES),
            Map.entry("ftree mid_io", LOOP),
            Map.entry("ftree spine3_io4", LOOP),
            Map.entry("ftree spine_io1", LOOP));

    /** The refused cases, with their reasons. */
    private static final Map<String, String> REFUSED = Map.of(
            "file stale",
            "97 pairs of hosts have no path by the tables in the file",
            "lash start6",
            "two lanes are left, and paths need three; as the reference",
            "ftree spine3_io1",
            LOOP + ", and one reverse hop does not suffice to turn at one switch",
            "ftree spine_auto",
            "hosts above the leaves, as for the reference",
            "ftree torus",
            "no tree, as for the reference",
            "ftree uneven",
            "no even tree, as for the reference");

    /**
     * The reference refuses several LIDs, and a tree that lost cables; no tables are recorded. Here they are
     * routed.
     */
    private static final List<String> REFUSED_BY_REFERENCE = List.of("ftree lmc1", "ftree lost_auto");

    /** Cases in which some hosts have no path. OpenSM does not report this; here a setting must allow it. */
    private static final List<String> PARTIAL = List.of("updn cut", "updn rnd30_roots", "ftree spine_cn");

    /**
     * Groups share SL 0 with paths. With the SLs of the reference every tree closes a credit loop, also the
     * reference's own. So other SLs are programmed, with the same tables.
     */
    private static final List<String> WITHOUT_MULTICAST =
            List.of("lash fewvls", "lash ft3", "lash rnd40", "lash torus55", "lash torus55_lost");

    private static final List<String> SHARES = new ArrayList<>();

    static Stream<Arguments> cases() {
        return ENGINES.stream().flatMap(engine -> RecordedCases.of(engine.name()).keySet().stream()
                .map(name -> Arguments.of(engine.name() + " " + name, engine, name)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void fillsTheTablesThatTheReferenceFills(String title, Engine engine, String named) {
        RecordedCases.Case recorded = RecordedCases.of(engine.name(), named);
        Plan active = null;
        for (int i = 0; i < recorded.states().size(); i++) {
            RecordedCases.State state = recorded.states().get(i);
            String name = i == 0 ? title : title + ", state " + i;
            RoutingResult result =
                    engine.route(new EngineContext(state.subnet(), TestRouting.QOS, config(title, recorded), active));
            if (REFUSED.containsKey(title)) {
                assertThat(result).as(title).isInstanceOf(Refusal.class);
                return;
            }
            assertThat(result).as(title).isInstanceOf(Plan.class);
            active = (Plan) result;
            if (REFUSED_BY_REFERENCE.contains(title)) {
                assertThat(state.tables()).isEmpty();
                checkProof(title, active);
                continue;
            }
            double share = share(active, state);
            SHARES.add(
                    String.format("%6.2f %% of entries equal: %s %s", share, name, DEPARTURES.getOrDefault(name, "")));
            assertThat(share == 100).as(name).isNotEqualTo(DEPARTURES.containsKey(name));
            checkSls(title, active, state);
            checkProof(title, active);
        }
    }

    private static EngineConfig config(String title, RecordedCases.Case recorded) {
        Map<String, String> values = new HashMap<>(recorded.values());
        if (PARTIAL.contains(title)) {
            String allowed = title.split(" ", -1)[0] + "_allow_partial";
            assertThat(((Refusal) route(title, recorded.config())).reason()).contains(allowed);
            values.put(allowed, "true");
        }
        return new EngineConfig(values, recorded.files(), "", Sl2VlTables.DEFAULT, 1);
    }

    private static RoutingResult route(String title, EngineConfig config) {
        String[] words = title.split(" ", 2);
        Subnet subnet = RecordedCases.of(words[0], words[1]).states().get(0).subnet();
        Engine engine = ENGINES.stream()
                .filter(each -> each.name().equals(words[0]))
                .findFirst()
                .orElseThrow();
        return engine.route(new EngineContext(subnet, TestRouting.QOS, config, null));
    }

    /** Engines that choose SLs grant the same SLs as the reference. */
    private static void checkSls(String title, Plan plan, RecordedCases.State state) {
        state.sls().forEach((sw, sls) -> {
            int from = state.subnet().lid(state.subnet().fabric().port(sw, 0));
            StringBuilder granted = new StringBuilder();
            for (int lid = 1; lid <= sls.length(); lid++) {
                int sl = plan.pathSl(from, lid, 0);
                granted.append(sls.charAt(lid - 1) == '-' ? '-' : Character.forDigit(sl, 16));
            }
            assertThat(granted).as(title + " from " + from).hasToString(sls);
        });
    }

    /** Engines that promise it are free of credit loops, multicast goes along a tree, and no packet is lost. */
    private static void checkProof(String title, Plan plan) {
        DeadlockChecker.Proof proof = new DeadlockChecker(1).prove(plan, TestRouting.QOS, TreeGrowth::candidates);
        assertThat(proof.multicast() == null).as(title).isEqualTo(WITHOUT_MULTICAST.contains(title));
        if (proof.multicast() == null) {
            proof = new DeadlockChecker(1)
                    .prove(plan.withRoomForMulticast().orElseThrow(), TestRouting.QOS, TreeGrowth::candidates);
        }
        if (plan.claimsDeadlockFree()) {
            assertThat(proof.verdict()).as(title).isInstanceOf(Certificate.class);
        }
        assertThat(proof.verdict()).as(title).isInstanceOfAny(Certificate.class, Cycle.class);
        assertThat(proof.multicast()).as(title).isNotNull();
    }

    /** Returns the share of entries that are equal, in percent, of those that one of both plans has. */
    private static double share(Plan plan, RecordedCases.State state) {
        Fabric fabric = state.subnet().fabric();
        assertThat(state.tables()).hasSize(fabric.switchCount());
        int equal = 0;
        int all = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            String table = Objects.requireNonNull(state.tables().get(sw));
            for (int lid = 1; lid <= state.subnet().topLid(); lid++) {
                int wanted = lid > table.length() || table.charAt(lid - 1) == '-' ? 0xff : table.charAt(lid - 1) - '0';
                int ours = plan.lft(sw)[lid] & 0xff;
                all += ours == 0xff && wanted == 0xff ? 0 : 1;
                equal += ours == wanted && ours != 0xff ? 1 : 0;
            }
        }
        return 100.0 * equal / all;
    }

    @AfterAll
    static void print() {
        SHARES.forEach(System.out::println);
    }
}
