package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.access.AccessFiles;
import io.torussm.daemon.access.TestFiles;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.console.Commands;
import io.torussm.daemon.http.metrics.HttpCounts;
import io.torussm.daemon.http.server.HttpServer;
import io.torussm.event.SmEvent;
import io.torussm.mad.Gid;
import io.torussm.mad.Guid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.PortInfo;
import io.torussm.partition.PortKeys;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.VPortModel;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The contract of ib-kubernetes' UFM plugin (github.com/Mellanox/ib-kubernetes, commit 528f63f6, {@code
 * pkg/sm/plugins/ufm/ufm.go} and {@code pkg/drivers/http/client.go}). A whole SM on the embedded fabric
 * receives the requests of the plugin, byte for byte, and its responses are evaluated as the plugin does. The
 * P_Key tables of hosts are read from the fabric.
 */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class UfmPluginContractTest {
    private static final String SM = "host-0-0-0-0";
    private static final String POD = "host-1-1-0-0";
    private static final long VIRTUAL = 0x0200_0000_0000_00aaL;
    private static final int OK = 200;

    @TempDir
    Path dir;

    /** All hosts but that of the SM have virtual functions. */
    private final LoopedFabric fabric = new LoopedFabric(
            LoopedFabric.TORUS,
            DeviceModels.PERFECT.with(
                    node -> !node.isSwitch() && !node.description().equals(SM),
                    model -> model.vendor(vendor -> vendor.with(VPortModel.of(3)))));

    private MortalHost host;
    private ServiceHarness sm;
    private HttpServer server;

    @BeforeEach
    void start() throws Exception {
        host = new MortalHost(fabric, SM);
        sm = new ServiceHarness(host, dir, 8, Map.of(Settings.REPLICATION_LISTEN, "", Settings.VIRT_ENABLED, "2"));
        sm.awaitUp();
        AccessFiles access = AccessFiles.open(new TestFiles(dir).paths());
        server = HttpServer.openSecure(
                InetSocketAddress.createUnresolved("127.0.0.1", 0), Set.of(), sm.control(), access, new HttpCounts());
    }

    @AfterEach
    void close() {
        end();
        fabric.close();
    }

    // --- the plugin's client: executeRequest of client.go ---

    /** Executes a request. Any other status than 200 is an error to the plugin. */
    private String execute(String method, String path, String body) throws Exception {
        String basic = Base64.getEncoder().encodeToString(("root:" + TestFiles.ADMIN).getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(
                        URI.create("https://localhost:" + server.address().getPort() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .header("Authorization", "Basic " + basic)
                .header("Content-Type", "application/json; charset=utf-8")
                .build();
        HttpResponse<String> response = HttpClient.newBuilder()
                .sslContext(TestFiles.clientContext(""))
                .version(HttpClient.Version.HTTP_1_1)
                .build()
                .send(request, HttpResponse.BodyHandlers.ofString());
        assertThat(response.statusCode()).as(path + ": " + response.body()).isEqualTo(OK);
        return response.body();
    }

    // --- results ---

    private List<Integer> podKeys() {
        return fabric.pKeys(POD).stream().filter(key -> key != 0).toList();
    }

    @Test
    void guidsComeAndGo() throws Exception {
        long guid = fabric.portGuid(POD);
        validate();
        assertThat(listGuidsInUse()).isEmpty();
        addGuidsToPKey(0x7abc, guid, VIRTUAL);
        assertThat(fabric.pKeys(POD))
                .as("index 0, before the answer came")
                .first()
                .isEqualTo(0xfabc);
        assertThat(podKeys()).containsExactlyInAnyOrder(0xfabc, 0xffff);
        String pod = String.format(Locale.ROOT, "%016x", guid);
        assertThat(listGuidsInUse()).isEqualTo(Map.of(pod, "0x7abc", "02000000000000aa", "0x7abc"));
        removeGuidsFromPKey(0x7abc, guid);
        assertThat(podKeys()).containsExactly(0xffff);
        assertThat(listGuidsInUse()).isEqualTo(Map.of("02000000000000aa", "0x7abc"));
    }

    /**
     * The daemon of ib-kubernetes repeats a call until it succeeds, also one that was done but whose answer was lost.
     */
    @Test
    void repeatedRequestsSucceedTwice() throws Exception {
        long guid = fabric.portGuid(POD);
        addGuidsToPKey(0x5, guid);
        addGuidsToPKey(0x5, guid);
        assertThat(podKeys()).containsExactlyInAnyOrder(0x8005, 0xffff);
        removeGuidsFromPKey(0x5, guid);
        removeGuidsFromPKey(0x5, guid);
        removeGuidsFromPKey(0x6, guid);
        assertThat(podKeys()).containsExactly(0xffff);
        assertThat(listGuidsInUse()).isEmpty();
    }

    @Test
    void guidsAreStillInUseAfterARestart() throws Exception {
        addGuidsToPKey(0x5, fabric.portGuid(POD));
        Map<String, String> before = listGuidsInUse();
        end();
        start();
        assertThat(listGuidsInUse()).isEqualTo(before).hasSize(1);
        assertThat(podKeys()).containsExactlyInAnyOrder(0x8005, 0xffff);
    }

    // --- virtual functions ---

    private boolean hasPath(int pKey, long from, long to) {
        long mask = PathRecord.COMPONENTS.bit(PathRecord.SGID)
                | PathRecord.COMPONENTS.bit(PathRecord.DGID)
                | PathRecord.COMPONENTS.bit(PathRecord.P_KEY);
        byte[] mad = SaMad.request(Method.GET, 1, PathRecord.TYPE.id(), 0, mask);
        PathRecord.TYPE
                .zero()
                .with(PathRecord.SGID, new Gid(Gid.DEFAULT_PREFIX, from))
                .with(PathRecord.DGID, new Gid(Gid.DEFAULT_PREFIX, to))
                .with(PathRecord.P_KEY, pKey)
                .write(mad, SaMad.DATA_OFFSET);
        try {
            return MadHeader.status(host.request(POD, mad)) == 0;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The whole flow: a pod gets a VF with a GUID of the daemon's range, its P_Key, and gives both back. */
    @Test
    void aVirtualFunctionGetsThePKeyOfItsNetwork() throws Exception {
        long other = VIRTUAL + 1;
        addGuidsToPKey(0x7abc, VIRTUAL, other);
        fabric.vports(POD, vports -> {
            vports.plug(7, VIRTUAL);
            vports.plug(8, other);
            return true;
        });
        awaitKeys(7, 0xfabc, 0xffff);
        awaitKeys(8, 0xfabc, 0xffff);
        assertThat(podKeys()).as("of the physical function").containsExactly(0xffff);
        await(() -> fabric.pKeysOfLeaf(POD).contains(0xfabc));
        assertThat(hasPath(0xfabc, VIRTUAL, other)).isTrue();
        assertThat(hasPath(0xfabc, VIRTUAL, fabric.portGuid(SM))).isFalse();
        assertThat(removeGuidsFromPKey(0x7abc, VIRTUAL))
                .contains("1 virtual ports follow")
                .doesNotContain("not in the fabric");
        awaitKeys(7, 0xffff);
        assertThat(hasPath(0xfabc, VIRTUAL, other)).isFalse();
        assertThat(fabric.pKeysOfLeaf(POD)).as("for the other one").contains(0xfabc);
        assertThat(new Commands(sm.control()).run("partitions 0x7abc", true).lines())
                .anyMatch(line -> line.matches(
                        "0xfabc +0 +[0-9]+ +" + Guid.format(other) + " +run time +" + POD + ".* vport 8.*"))
                .noneMatch(line -> line.contains("not in the fabric"));
        assertThat(new Commands(sm.control()).run("host " + POD, true).lines())
                .anyMatch(line -> line.matches("  virtual ports ([0-9]+), in ACTIVE \\1.*"));
        assertThat(new Commands(sm.control())
                        .run("partition add 0x5 name=five " + Guid.format(VIRTUAL), true)
                        .lines())
                .anyMatch(line -> line.matches(Guid.format(VIRTUAL) + " +0x8005 +- +" + POD + ".* vport 7.*"));
        addGuidsToPKey(0x5, VIRTUAL);
        awaitKeys(7, 0x8005, 0xffff);
        await(() -> fabric.pKeysOfLeaf(POD).contains(0x8005));
        removeGuidsFromPKey(0x7abc, other);
        await(() -> !fabric.pKeysOfLeaf(POD).contains(0xfabc));
        assertThat(sm.log.of(SmEvent.VPORTS_LEFT)).isEmpty();
    }

    private void end() {
        server.close();
        sm.close();
    }

    private static String quoted(Long... guids) {
        return Arrays.stream(guids)
                .map(guid -> String.format(Locale.ROOT, "\"%016x\"", guid))
                .collect(Collectors.joining(","));
    }

    private void validate() throws Exception {
        execute("GET", "/ufmRest/app/ufm_version", "");
    }

    private void addGuidsToPKey(int pKey, Long... guids) throws Exception {
        execute(
                "POST",
                "/ufmRest/resources/pkeys",
                String.format(
                        Locale.ROOT,
                        "{\"pkey\": \"0x%04X\", \"index0\": true, \"ip_over_ib\": true, \"membership\": \"full\","
                                + " \"guids\": [%s]}",
                        pKey,
                        quoted(guids)));
    }

    private String removeGuidsFromPKey(int pKey, Long... guids) throws Exception {
        return execute(
                "POST",
                "/ufmRest/actions/remove_guids_from_pkey",
                String.format(Locale.ROOT, "{\"pkey\": \"0x%04X\", \"guids\": [%s]}", pKey, quoted(guids)));
    }

    /** Returns the P_Key of each GUID, any of them if a GUID has several. */
    private Map<String, String> listGuidsInUse() throws Exception {
        JsonNode all = new ObjectMapper().readTree(execute("GET", "/ufmRest/resources/pkeys/?guids_data=true", ""));
        Map<String, String> guids = new HashMap<>();
        all.properties().forEach(pKey -> pKey.getValue().path("guids").forEach(guid -> assertThat(
                        guids.put(guid.path("guid").asText(), pKey.getKey()))
                .isNull()));
        return guids;
    }

    /** Waits until the SM has visited a port with virtual functions, which it does beside all other work. */
    private void await(BooleanSupplier condition) throws Exception {
        CompletableFuture<Boolean> met = new CompletableFuture<>();
        sm.service().callPeriodically(TimeUnit.MILLISECONDS.toNanos(20), () -> {
            if (condition.getAsBoolean()) {
                met.complete(true);
            }
        });
        assertThat(met.get(60, TimeUnit.SECONDS)).isTrue();
    }

    /** Waits for the P_Keys of a virtual function in the SM; those of the device are the same then. */
    private void awaitKeys(int vport, Integer... pKeys) throws Exception {
        long guid = fabric.vports(POD, vports -> vports.info(vport).portGuid());
        await(() -> {
            PortKeys now =
                    Objects.requireNonNull(sm.control().statistics()).vports().keysOf(guid);
            return now != null
                    && now.equals(PortKeys.of(
                            Arrays.stream(pKeys).mapToInt(key -> key).toArray()));
        });
        List<Integer> held = fabric.vports(
                POD, vports -> Arrays.stream(vports.pKeys(vport)).boxed().toList());
        assertThat(held).startsWith(pKeys);
        int state = fabric.<Integer>vports(POD, vports -> vports.info(vport).state());
        assertThat(state).isEqualTo(PortInfo.STATE_ACTIVE);
    }
}
