package io.torussm.daemon.http.ufm;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.Views;
import io.torussm.daemon.access.AccessFiles;
import io.torussm.daemon.access.TestFiles;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.http.RawHttps;
import io.torussm.daemon.http.metrics.HttpCounts;
import io.torussm.daemon.http.server.HttpServer;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.partition.Membership;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.partition.RunTimePartition;
import io.torussm.partition.RunTimePartition.Member;
import io.torussm.partition.RunTimePartitions;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The requests of clients of UFM, byte for byte, and the responses that they expect: ib-kubernetes accepts exactly
 * status 200, and 16 digits of a GUID. The SM is a {@link FakeControl}, master of the fabric of {@link
 * Views#twoSwitches}.
 */
@Timeout(60)
class UfmTest {
    private static final String CLIENT = "Authorization: Basic "
            + Base64.getEncoder().encodeToString(("root:" + TestFiles.ADMIN).getBytes(StandardCharsets.UTF_8))
            + "\r\nContent-Type: application/json; charset=utf-8\r\n";

    @TempDir
    Path dir;

    private final FakeControl control = new FakeControl();
    private HttpServer server;

    @BeforeEach
    void open() throws Exception {
        control.becomeMaster(5);
        control.view = Views.twoSwitches();
        AccessFiles access = AccessFiles.open(new TestFiles(dir).paths());
        server = HttpServer.openSecure(
                InetSocketAddress.createUnresolved("127.0.0.1", 0), Set.of(), control, access, new HttpCounts());
    }

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/ufmRest", "/ufmRestV2", "/ufmRestV3"})
    void ibKubernetesIsServed(String root) throws Exception {
        assertThat(get(root + "/app/ufm_version").path("ufm_release_version").asText())
                .isEqualTo(UfmResources.RELEASE);
        assertThat(exchange(
                        "POST",
                        root + "/resources/pkeys",
                        "{\"pkey\": \"0x7ABC\", \"index0\": true, \"ip_over_ib\": true, \"membership\": \"full\","
                                + " \"guids\": [\"02000000000000aa\",\"02000000000000ab\"]}"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(control.requests.get(0))
                .contains("Add[pKey=31420, name=, isIpoib=true, qos=null")
                .contains("144115188075856042=Member[membership=FULL, isAtIndex0=true]")
                .contains("requester=api:root, isLargeConfirmed=false");
        assertThat(exchange(
                        "POST",
                        root + "/actions/remove_guids_from_pkey",
                        "{\"pkey\": \"0x7ABC\", \"guids\": [\"02000000000000aa\"]}"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(control.requests.get(1)).contains("Remove[pKey=31420, guids=[144115188075856042]]");
    }

    @Test
    void pKeysAreListedAsUfmListsThem() throws Exception {
        addAtRunTime();
        JsonNode pKeys = get("/ufmRest/resources/pkeys/?guids_data=true");
        assertThat(pKeys.path("0x7fff").path("guids"))
                .as("only those that are named one by one")
                .isEmpty();
        assertThat(pKeys.path("0x7fff").path("partition").asText()).isEqualTo("management");
        JsonNode five = pKeys.path("0x5");
        assertThat(five.path("ip_over_ib").asBoolean()).isTrue();
        assertThat(five.at("/guids/0/guid").asText()).isEqualTo("02000000000000aa");
        assertThat(five.at("/guids/0/membership").asText()).isEqualTo("limited");
        assertThat(five.at("/guids/0/index0").asBoolean()).isTrue();
        JsonNode pKey = get("/ufmRest/resources/pkeys/0x5?guids_data=true&qos_conf=true");
        assertThat(pKey.path("guids")).isEqualTo(five.path("guids"));
        assertThat(pKey.at("/qos_conf/mtu_limit").asInt()).isEqualTo(2);
        assertThat(pKey.at("/qos_conf/rate_limit").asDouble()).isEqualTo(10.0);
        assertThat(pKey.at("/qos_conf/service_level").asInt()).isZero();
        assertThat(get("/ufmRest/resources/pkeys").at("/0x5").has("guids")).isFalse();
        assertThat(exchange("GET", "/ufmRest/resources/pkeys/0x6", "")).startsWith("HTTP/1.1 404 ");
    }

    @Test
    void allMembersCanBeSet() throws Exception {
        assertThat(exchange(
                        "PUT",
                        "/ufmRest/resources/pkeys/",
                        "{\"pkey\":\"0x5\",\"guids\":[\"0x0200:0000:0000:00aa\",\"02000000000000ab\"],"
                                + "\"memberships\":[\"full\",\"limited\"],\"ip_over_ib\":false}"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(control.requests.get(0))
                .contains("Replace[pKey=5, name=, isIpoib=false")
                .contains("144115188075856042=Member[membership=FULL, isAtIndex0=false]")
                .contains("144115188075856043=Member[membership=LIMITED");
    }

    @Test
    void aPKeyCanBeMadeChangedAndDeleted() throws Exception {
        assertThat(
                        exchange(
                                "POST",
                                "/ufmRest/resources/pkeys/add",
                                "{\"pkey\":\"0x12\",\"partition_name\":\"tenant\",\"mtu_limit\":4,\"service_level\":1,\"rate_limit\":2.5}"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(control.requests.get(0)).contains("Add[pKey=18, name=tenant", "qos=Qos[mtu=5, rate=2, sl=1]");
        assertThat(exchange("PUT", "/ufmRest/resources/pkeys/qos_conf", "{\"pkey\":\"0x12\",\"rate_limit\":100}"))
                .startsWith("HTTP/1.1 200 ");
        assertThat(control.requests.get(1)).contains("SetQos[pKey=18, qos=Qos[mtu=4, rate=16, sl=0]]");
        assertThat(exchange("DELETE", "/ufmRest/resources/pkeys/0x12/guids/02000000000000aa,02000000000000ab", ""))
                .startsWith("HTTP/1.1 200 ");
        assertThat(control.requests.get(2)).contains("Remove[pKey=18");
        assertThat(exchange("DELETE", "/ufmRest/resources/pkeys/0x12", "")).startsWith("HTTP/1.1 200 ");
        assertThat(control.requests.get(3)).contains("Delete[pKey=18]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "null",
                "{\"pkey\":\"0x5\"}",
                "{\"pkey\":\"0x5\",\"guids\":[]}",
                "{\"pkey\":\"0x5\",\"guids\":[\"x\"]}",
                "{\"pkey\":\"0x5\",\"guids\":[null]}",
                "{\"pkey\":\"0x5\",\"guids\":\"02000000000000aa\"}",
                "{\"pkey\":\"0x0\",\"guids\":[\"02000000000000aa\"]}",
                "{\"pkey\":\"0x8005\",\"guids\":[\"02000000000000aa\"]}",
                "{\"pkey\":5,\"guids\":[\"02000000000000aa\"]}",
                "{\"pkey\":\"0x5\",\"guids\":[\"02000000000000aa\"],\"membership\":\"owner\"}",
                "{\"pkey\":\"0x5\",\"guids\":[\"02000000000000aa\"],\"memberships\":[]}",
                "{\"pkey\":\"0x5\",\"guids\":[\"02000000000000aa\"],\"index0\":\"yes\"}",
                "{\"pkey\":\"0x5\",\"guids\":[\"02000000000000aa\"],\"sudo\":true}",
                "{\"pkey\":\"0x5\",\"pkey\":\"0x6\",\"guids\":[\"02000000000000aa\"]}",
                "{\"pkey\":\"0x5\",\"guids\":[\"02000000000000aa\"],\"mtu_limit\":3}",
                "{\"pkey\":\"0x5\",\"guids\":[\"02000000000000aa\"],\"mtu_limit\":2.5}",
                "{\"pkey\":\"0x5\",\"guids\":[\"02000000000000aa\"],\"rate_limit\":1e400}",
                "{\"pkey\":\"0x5\",\"guids\":[\"02000000000000aa\"],\"service_level\":16}",
                "{\"pkey\":\"0x5\",\"guids\":[\"02000000000000aa\"]} {}",
                "{\"pkey\":\"0x5\",\"guids\":[[[[[[[[[[[]]]]]]]]]]]}"
            })
    void nonsenseIsRefused(String body) throws Exception {
        assertThat(exchange("POST", "/ufmRest/resources/pkeys", body))
                .as(body)
                .startsWith("HTTP/1.1 400 ")
                .doesNotContain("Character", "Exception", "java");
        assertThat(control.requests).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(RunTimeOutcome.ChangeStatus.class)
    void onlyConfirmedChangesAre200(RunTimeOutcome.ChangeStatus kind) throws Exception {
        control.partitionOutcome = new RunTimeOutcome(kind, "why");
        String add =
                exchange("POST", "/ufmRest/resources/pkeys", "{\"pkey\":\"0x5\",\"guids\":[\"02000000000000aa\"]}");
        String remove = exchange(
                "POST",
                "/ufmRest/actions/remove_guids_from_pkey",
                "{\"pkey\":\"0x5\",\"guids\":[\"02000000000000aa\"]}");
        boolean isAbsent = kind == RunTimeOutcome.ChangeStatus.ABSENT;
        assertThat(add.startsWith("HTTP/1.1 200 ")).isEqualTo(kind == RunTimeOutcome.ChangeStatus.DONE);
        assertThat(remove.startsWith("HTTP/1.1 200 ")).isEqualTo(kind == RunTimeOutcome.ChangeStatus.DONE || isAbsent);
        assertThat(add).contains("why");
    }

    @Test
    void theFabricIsShownByUfmsNames() throws Exception {
        JsonNode systems = get("/ufmRest/resources/systems");
        JsonNode firstSystem = systems.path(0);
        assertThat(firstSystem.path("system_name").asText()).isEqualTo("sw-a");
        assertThat(firstSystem.path("type").asText()).isEqualTo("switch");
        assertThat(firstSystem.path("role").asText()).isEqualTo("tor");
        String guid = firstSystem.path("guid").asText();
        assertThat(guid).matches("[0-9a-f]{16}");
        assertThat(firstSystem.at("/ports/0").asText()).isEqualTo(guid + "_1");
        assertThat(get("/ufmRest/resources/systems/" + guid)).hasSize(1);
        assertThat(get("/ufmRest/resources/systems?type=host"))
                .isNotEmpty()
                .allMatch(each -> each.path("type").asText().equals("host"));
        assertThat(get("/ufmRest/resources/systems/sw-a?ports=true")
                        .at("/0/ports/0/number")
                        .asInt())
                .isEqualTo(1);

        JsonNode ports = get("/ufmRest/resources/ports?system=" + guid + "&active=true");
        assertThat(ports)
                .isNotEmpty()
                .allMatch(port -> port.path("systemID").asText().equals(guid)
                        && port.path("logical_state").asText().equals("Active")
                        && port.path("physical_state").asText().equals("Link Up"));
        String name = ports.at("/0/name").asText();
        assertThat(get("/ufmRest/resources/ports/" + name)).hasSize(1);
        assertThat(get("/ufmRest/resources/ports?sys_type=Switch").size())
                .isLessThan(get("/ufmRest/resources/ports").size());

        JsonNode links = get("/ufmRest/resources/links");
        assertThat(links).hasSize(3);
        JsonNode link = links.path(0);
        assertThat(link.path("name").asText())
                .isEqualTo(link.path("source_port_name").asText() + ":"
                        + link.path("destination_port_name").asText());
        assertThat(link.path("source_guid").asText()).isEqualTo(guid);
        assertThat(get("/ufmRest/resources/links?system=" + guid)).isNotEmpty();
        assertThat(get("/ufmRest/resources/links?system=absent")).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void theSpeedOfAPortIsItsSpeed(LinkSpeed speed) throws Exception {
        control.view = Views.atSpeed(Views.twoSwitches(), speed);
        JsonNode ports = get("/ufmRest/resources/ports?active=true");
        assertThat(ports)
                .isNotEmpty()
                .allMatch(port -> port.path("active_speed").asText().equals(speed.name()));
    }

    @ParameterizedTest
    @CsvSource({
        "/ufmRest/resources/secrets,404",
        "/ufmRest/resources,404",
        "/ufmRest/,404",
        "/ufmRestV4/app/ufm_version,404",
        "/ufmRest/resources/pkeys/0x5/guids,404",
        "/ufmRest/resources/pkeys/../../app/ufm_version,404"
    })
    void otherAddressesAreNotThere(String uri, int status) throws Exception {
        assertThat(exchange("GET", uri, "")).startsWith("HTTP/1.1 " + status);
    }

    @Test
    void partitionsAreAnAdministratorsBusiness() throws Exception {
        for (String token : new String[] {TestFiles.READ, TestFiles.OPERATE}) {
            assertThat(RawHttps.exchange(
                            server.address(), "DELETE", "/ufmRest/resources/pkeys/0x5", RawHttps.token(token), ""))
                    .startsWith("HTTP/1.1 403 ");
        }
        assertThat(control.requests).isEmpty();
    }

    private String exchange(String method, String uri, String body) throws Exception {
        return RawHttps.exchange(server.address(), method, uri, CLIENT, body);
    }

    private JsonNode get(String uri) throws Exception {
        String answer = exchange("GET", uri, "");
        assertThat(answer).as(uri).startsWith("HTTP/1.1 200 ");
        return new ObjectMapper().readTree(answer.substring(answer.indexOf("\r\n\r\n")));
    }

    private void addAtRunTime() {
        control.runTimePartitions = RunTimePartitions.of(List.of(new RunTimePartition(
                0x5,
                "",
                true,
                RunTimePartition.Qos.DEFAULT,
                Map.of(0x0200_0000_0000_00aaL, new Member(Membership.LIMITED, true)))));
    }
}
