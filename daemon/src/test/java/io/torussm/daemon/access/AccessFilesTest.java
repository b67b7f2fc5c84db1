package io.torussm.daemon.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.testing.LoggedEvents;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The files of users and TLS: logins by token, password and certificate, and errors of the files. The users are those
 * of {@link TestFiles}.
 */
class AccessFilesTest {
    @TempDir
    Path dir;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private TestFiles files;

    @BeforeEach
    void write() throws IOException {
        files = new TestFiles(dir);
    }

    @Test
    void aTokenIdentifiesItsUser() throws Exception {
        Access access = AccessFiles.open(files.paths()).active();
        User olga = new User("olga", Role.OPERATE);
        assertThat(access.login("Bearer " + TestFiles.OPERATE, null).user()).isEqualTo(olga);
        assertThat(access.login("bearer " + TestFiles.OPERATE, null).user()).isEqualTo(olga);
        assertThat(access.login("Basic " + TestFiles.OPERATE, null).user())
                .as("as UFM takes tokens")
                .isEqualTo(olga);
        assertThat(access.login(basic("olga:" + TestFiles.OPERATE), null).user())
                .as("as a password")
                .isEqualTo(olga);
        assertThat(access.login(null, null).user()).isNull();
        assertThat(access.login(null, null).reason()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer",
                "Bearer ",
                "Bearer x",
                "Digest x",
                "",
                "Basic Og==",
                "Basic !!!",
                "Bearer operate-token-of-a-test-0123456789abcdef",
                "Bearer operate-token-of-a-test-0123456789abcdefgg",
                "Bearer OPERATE-TOKEN-OF-A-TEST-0123456789ABCDEFG",
            })
    void anotherAuthorizationIdentifiesNoUser(String authorization) throws Exception {
        Access.Login login = AccessFiles.open(files.paths()).active().login(authorization, null);
        assertThat(login.user()).isNull();
        assertThat(login.reason()).isNotEmpty().doesNotContain("operate-token");
    }

    @Test
    void aTokenIsNoPasswordOfAnotherUser() throws Exception {
        Access access = AccessFiles.open(files.paths()).active();
        assertThat(access.login(basic("root:" + TestFiles.OPERATE), null).user())
                .isNull();
        assertThat(access.login(basic("olga:"), null).user()).isNull();
        String digest = Users.tokenLine("operate", "olga", TestFiles.OPERATE).split(" ", -1)[2];
        assertThat(access.login("Bearer " + digest, null).user())
                .as("the digest in the file is no token")
                .isNull();
    }

    @Test
    void certificatesAreUsersByTheirNames() throws Exception {
        Access access = AccessFiles.open(files.paths()).active();
        assertThat(access.login(
                                null,
                                Pem.certificates("alice", TestFiles.resource("alice.pem"))
                                        .get(0))
                        .user())
                .isEqualTo(new User("alice", Role.OPERATE));
        Access.Login mallory = access.login(
                null,
                Pem.certificates("mallory", TestFiles.resource("mallory.pem")).get(0));
        assertThat(mallory.user()).isNull();
        assertThat(mallory.reason()).contains("\"mallory\"");
    }

    @ParameterizedTest
    @CsvSource({
        "key.pem,rw----r--,chmod 640",
        "key.pem,rw--w----,chmod 640",
        "users,rw-r-----,chmod 600",
        "users,rw----r--,chmod 600",
        "cert.pem,rw-rw-r--,chmod 644",
        "ca.pem,rw-r--rw-,chmod 644"
    })
    void filesThatOthersMayReadOrWriteAreRefused(String name, String mode, String remedy) throws Exception {
        Path file = files.write(name, Files.readString(dir.resolve(name)), mode);
        assertOpenFails(file.toString(), mode, remedy);
    }

    @Test
    void keysMayBeReadByAGroup() throws Exception {
        files.write("key.pem", TestFiles.resource("server-key.pem"), "rw-r-----");
        assertThat(AccessFiles.open(files.paths()).active().users()).isEqualTo(4);
    }

    @Test
    void eachFileThatCannotBeUsedIsNamedWithARemedy() throws Exception {
        files.write("key.pem", TestFiles.resource("alice-key.pem"), "rw-------");
        assertOpenFails("https_key", "key.pem", "not the key of the first certificate");
        files.write("key.pem", TestFiles.resource("server-sec1-key.pem"), "rw-------");
        assertOpenFails("EC PRIVATE KEY", "openssl pkcs8 -topk8 -nocrypt");
        files.write("key.pem", "nothing", "rw-------");
        assertOpenFails("https_key", "no private key in PEM");
        Files.delete(dir.resolve("key.pem"));
        assertOpenFails("https_key: there is no", "key.pem");
        files = new TestFiles(dir);
        files.write("cert.pem", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", "rw-r--r--");
        assertOpenFails("https_certificate", "cannot be read");
        files.write("cert.pem", "x".repeat(1 << 19), "rw-r--r--");
        assertOpenFails("https_certificate", "more than");
        assertThatThrownBy(() -> AccessFiles.open(new AccessFiles.AccessPaths(null, null, null, null)))
                .hasMessageContaining("https_listen needs https_certificate, https_key and https_users");
    }

    @Test
    void errorsOfUsersHaveFileAndLineAndRepeatNoSecret() throws Exception {
        files.writeUsers(
                "# fine",
                "read bob",
                "write bob " + "0".repeat(64),
                "read bob,x " + "0".repeat(64),
                "admin root " + TestFiles.ADMIN,
                "read a certificate",
                "read a certificate",
                TestFiles.ADMIN + " root x");
        String file = dir.resolve("users").toString();
        assertOpenFails(file + ":2: ", file + ":3: ", file + ":4: ", file + ":5: ", file + ":7: ", file + ":8: ");
        assertThatThrownBy(() -> AccessFiles.open(files.paths()))
                .message()
                .doesNotContain(TestFiles.ADMIN)
                .doesNotContain(file + ":6");
        files.writeUsers("# no entry");
        assertOpenFails("names no user", "torus-sm new-token");
    }

    @Test
    void usersByCertificateNeedAnAuthority() throws Exception {
        AccessFiles.AccessPaths named = files.paths();
        assertThatThrownBy(() -> AccessFiles.open(new AccessFiles.AccessPaths(
                        named.httpsCertificate(), named.httpsKey(), null, named.httpsUsers())))
                .hasMessageContaining("https_client_ca");
    }

    /** All files are replaced or none: the last usable content stays. */
    @Test
    void unreadableFilesKeepTheirContent() throws Exception {
        AccessFiles access = AccessFiles.open(files.paths());
        files.writeUsers("read bob");
        access.reload();
        assertThat(log.of(SmEvent.HTTPS_FILES_KEPT)).hasSize(1).first().satisfies(event -> assertThat(
                        event.get(EventField.REASON))
                .contains("users:1: "));
        assertThat(access.active().login("Bearer " + TestFiles.ADMIN, null).user())
                .isNotNull();
        files.writeUsers(Users.tokenLine("admin", "new", "a new token"));
        access.reload();
        assertThat(log.of(SmEvent.HTTPS_FILES_READ)).hasSize(1);
        assertThat(access.active().login("Bearer " + TestFiles.ADMIN, null).user())
                .isNull();
    }

    @Test
    void certificatesThatEndSoonAreWarnedOf() throws Exception {
        AccessFiles access = AccessFiles.open(files.paths());
        assertThat(log.of(SmEvent.HTTPS_CERTIFICATE_ENDS)).isEmpty();
        files.write("cert.pem", TestFiles.resource("ending.pem"), "rw-r--r--");
        files.write("key.pem", TestFiles.resource("ending-key.pem"), "rw-------");
        access.reload();
        assertThat(log.of(SmEvent.HTTPS_CERTIFICATE_ENDS)).hasSize(1);
    }

    @Test
    void theServerHasTheNamesOfItsCertificate() throws Exception {
        assertThat(AccessFiles.open(files.paths()).active().names())
                .containsExactlyInAnyOrder("sm1.example.org", "localhost");
    }

    @Test
    void tokensAreOf256Bits() {
        SecureRandom random = new SecureRandom();
        String token = Users.newToken(random);
        assertThat(token).hasSize(43).isNotEqualTo(Users.newToken(random));
        assertThat(Users.tokenLine("admin", "x", token)).matches("admin x [0-9a-f]{64}");
        assertThatThrownBy(() -> Users.tokenLine("god", "x", token)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Users.tokenLine("read", "x y", token)).isInstanceOf(IllegalArgumentException.class);
    }

    private static String basic(String text) {
        return "Basic " + Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private void assertOpenFails(String... parts) {
        assertThatThrownBy(() -> AccessFiles.open(files.paths()))
                .isInstanceOf(UnusableFileException.class)
                .message()
                .contains(parts);
    }
}
