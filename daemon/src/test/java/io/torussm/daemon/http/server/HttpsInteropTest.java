package io.torussm.daemon.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.torussm.daemon.Views;
import io.torussm.daemon.access.AccessFiles;
import io.torussm.daemon.access.TestFiles;
import io.torussm.daemon.control.FakeControl;
import io.torussm.daemon.http.metrics.HttpCounts;
import io.torussm.testing.Programs;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Other programs over HTTPS: curl with tokens and certificates, openssl with renegotiation and old versions of TLS. The
 * users are those of {@link TestFiles}.
 */
@Tag("interop")
@Timeout(120)
class HttpsInteropTest {
    @TempDir
    Path dir;

    private final FakeControl control = new FakeControl();
    private TestFiles files;
    private HttpServer server;

    @BeforeEach
    void open() throws Exception {
        files = new TestFiles(dir);
        control.becomeMaster(5);
        control.view = Views.twoSwitches();
        server = HttpServer.openSecure(
                InetSocketAddress.createUnresolved("127.0.0.1", 0),
                Set.of(),
                control,
                AccessFiles.open(files.paths()),
                new HttpCounts());
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Test
    void curlIsAUserByTokenPasswordOrCertificate() throws Exception {
        assertThat(curl("/healthz")).startsWith("401 ");
        assertThat(curl("/healthz", "-H", "Authorization: Bearer " + TestFiles.READ))
                .isEqualTo("200 ok");
        assertThat(curl("/api/v1/sweep", "-X", "POST", "-u", "bob:" + TestFiles.READ))
                .startsWith("403 ");
        assertThat(curl("/api/v1/sweep", "-X", "POST", "-u", "olga:" + TestFiles.OPERATE))
                .startsWith("202 ");
        putClient("alice");
        assertThat(curl("/api/v1/sweep", "-X", "POST", "--cert", "client.pem", "--key", "client-key.pem"))
                .startsWith("202 ");
        assertThat(control.requests).hasSize(2);
    }

    @Test
    void curlWithACertificateOfNoUserIsRejected() throws Exception {
        putClient("mallory");
        assertThat(curl("/healthz", "--cert", "client.pem", "--key", "client-key.pem"))
                .startsWith("401 ");
    }

    @Test
    void curlWithACertificateOfAnotherAuthorityHasNoConnection() throws Exception {
        putClient("stranger");
        assertThat(curl("/healthz", "--cert", "client.pem", "--key", "client-key.pem"))
                .startsWith("000");
    }

    @Test
    void curlAddsMembersToAPartition() throws Exception {
        String body = "{\"pkey\":\"0x5\",\"guids\":[" + "\"02000000000000aa\",".repeat(2000) + "\"02000000000000ab\"]}";
        files.write("body.json", body, "rw-------");
        assertThat(curl(
                        "/ufmRest/resources/pkeys",
                        "-u",
                        "root:" + TestFiles.ADMIN,
                        "-H",
                        "Content-Type: application/json",
                        "-H",
                        "Expect: 100-continue",
                        "-d",
                        "@body.json"))
                .startsWith("200 ");
        assertThat(control.requests.get(0)).contains("Add[pKey=5");
    }

    @Test
    void curlReadsTheDescriptionOfTheApi() throws Exception {
        String answer = curl("/api/v1/openapi.json", "-H", "Authorization: Bearer " + TestFiles.READ);
        assertThat(answer).startsWith("200 ");
        assertThat(new ObjectMapper()
                        .readTree(answer.substring(4))
                        .at("/components/securitySchemes/bearer/scheme")
                        .asText())
                .isEqualTo("bearer");
    }

    /** A handshake costs the server more than the client, which could request one after the other. */
    @Test
    void aRenegotiationOfAClientIsRejected() throws Exception {
        assertThat(openssl("R\n", "-tls1_2")).contains("RENEGOTIATING", "alert handshake failure");
        assertThat(curl("/healthz", "-H", "Authorization: Bearer " + TestFiles.READ))
                .isEqualTo("200 ok");
    }

    @Test
    void oldVersionsAndWeakCiphersAreRejected() throws Exception {
        assertThat(openssl("Q\n", "-tls1_2", "-cipher", "ALL:@SECLEVEL=0")).contains("Cipher    : ECDHE");
        assertThat(openssl("Q\n", "-tls1_1", "-cipher", "ALL:@SECLEVEL=0")).contains("Cipher is (NONE)");
        assertThat(openssl("Q\n", "-tls1_2", "-cipher", "AES128-SHA:AES256-GCM-SHA384:@SECLEVEL=0"))
                .contains("Cipher is (NONE)");
    }

    private String run(String input, String... command) throws Exception {
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .directory(dir.toFile())
                .start();
        process.getOutputStream().write(input.getBytes(StandardCharsets.US_ASCII));
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return output;
    }

    /** Returns status and body of a response, as {@code 200 {...}}; 000 if curl has none. */
    private String curl(String path, String... options) throws Exception {
        String url = "https://localhost:" + server.address().getPort() + path;
        List<String> command = new ArrayList<>(List.of(
                Programs.requireProgram("curl"),
                "-s",
                "--max-time",
                "30",
                "--cacert",
                "ca.pem",
                "-w",
                "\n%{http_code}",
                url));
        command.addAll(List.of(options));
        String[] parts = run("", command.toArray(String[]::new)).split("\n(?=\\d{3}$)", -1);
        return parts[parts.length - 1] + " " + parts[0].strip();
    }

    private void putClient(String name) throws Exception {
        files.write("client.pem", TestFiles.resource(name + ".pem"), "rw-r--r--");
        files.write("client-key.pem", TestFiles.resource(name + "-key.pem"), "rw-------");
    }

    private String openssl(String input, String... more) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Programs.requireProgram("openssl"),
                "s_client",
                "-CAfile",
                "ca.pem",
                "-connect",
                "localhost:" + server.address().getPort()));
        command.addAll(List.of(more));
        return run(input, command.toArray(String[]::new));
    }
}
