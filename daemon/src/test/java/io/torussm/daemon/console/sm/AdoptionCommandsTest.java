package io.torussm.daemon.console.sm;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.ServiceHarness;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.console.Commands;
import io.torussm.daemon.control.Adoption;
import io.torussm.sim.shape.TorusSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands takeover (from another SM) and release (to OpenSM) at the only SM of a subnet. There is no SM to take
 * over from or to hand over to, but release still writes the files that OpenSM needs.
 */
@Timeout(120)
class AdoptionCommandsTest {
    private static final String TORUS = "torus:3x3x1,hosts=1";
    private static final int SWITCHES_AND_HOSTS = 18;
    private static final boolean OPERATOR = true;
    private static final boolean READER = false;

    @TempDir
    Path dir;

    @Test
    void aMasterRefusesATakeover() throws Exception {
        try (ServiceHarness harness = master()) {
            Commands commands = new Commands(harness.control());
            assertThat(refusal(commands, "takeover"))
                    .contains("master now: this SM", "nothing was done: this SM is master already");
            assertThat(refusal(commands, "takeover changes yes"))
                    .contains("nothing was done: this SM is master already");
        }
    }

    /** The daemon runs as root. It must not show a client a file that the client cannot read. */
    @Test
    void aTakeoverReadsNoFileThatUsersCannotRead() throws Exception {
        Path secret = Files.writeString(dir.resolve("secret"), "root:$6$salt:1::\n");
        Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
        try (ServiceHarness harness = master()) {
            Commands commands = new Commands(harness.control());
            assertThat(refusal(commands, "takeover " + secret).toString())
                    .contains("neither readable by all users")
                    .doesNotContain("line 1", "root:");
            assertThat(refusal(commands, "takeover /absent").toString())
                    .contains("cannot read /absent: there is no such file");
        }
    }

    @Test
    void wrongArgumentsAreRejected() throws Exception {
        try (ServiceHarness harness = master()) {
            Commands commands = new Commands(harness.control());
            for (String line : List.of("takeover relative", "takeover changes", "takeover /a /b", "release now")) {
                assertThat(commands.run(line, OPERATOR).isGood()).as(line).isFalse();
            }
        }
    }

    @Test
    void aReaderCannotOrderATakeover() throws Exception {
        try (ServiceHarness harness = master()) {
            assertThat(new Commands(harness.control())
                            .run("takeover yes", READER)
                            .lines()
                            .toString())
                    .contains("nothing can be changed over TCP");
        }
    }

    @Test
    void thePreviewOfAReleaseWritesNoFile() throws Exception {
        try (ServiceHarness harness = master()) {
            List<String> preview = await(new Commands(harness.control()).run("release", OPERATOR))
                    .lines();
            assertThat(preview).contains("files for OpenSM go to " + openSmFiles());
            assertThat(openSmFiles()).doesNotExist();
        }
    }

    /** The files are written before the handover, which fails without a standby. */
    @Test
    void aReleaseWithoutAStandbyWritesTheFilesAndFails() throws Exception {
        try (ServiceHarness harness = master()) {
            assertThat(refusal(new Commands(harness.control()), "release yes").toString())
                    .contains("guid2lid, guid2mkey, neighbors, opensm-sa.dump, opensm.conf", "no other SM stands by");
        }
        Path conf = openSmFiles().resolve("opensm.conf");
        assertThat(Files.readString(conf))
                .contains("m_key 0x0000000000000077\n", "sm_key 0x00000000005ec2e7\n", "routing_engine torus-2QoS\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(conf)))
                .isEqualTo("rw-------");
        assertThat(Files.readString(openSmFiles().resolve("guid2lid")).lines().filter(line -> line.startsWith("0x")))
                .hasSize(SWITCHES_AND_HOSTS);
        assertThat(Files.readString(openSmFiles().resolve("guid2mkey"))).contains("0x0000000000000077");
        assertThat(Files.readString(openSmFiles().resolve("opensm-sa.dump")))
                .contains("MC Group 0xc000  (well known): mgid=0xff12401b");
    }

    /** The lines of a preview are the master SM and its registrations; the operator has seen them already. */
    @Test
    void aTakeoverDoesNotRepeatItsPreview() {
        int priority = 6;
        List<String> registrations = List.of("1 multicast groups");
        List<String> leftOut = List.of("a service");
        Adoption.TakeOver preview =
                new Adoption.TakeOver("", "", "port GUID 0x1", priority, registrations, leftOut, null);
        assertThat(preview.lines()).contains("master now: port GUID 0x1");
        assertThat(preview.withOutcome("this SM is master").lines())
                .containsExactly("left out: a service", "this SM is master");
    }

    /** Returns an SM that is the master of a torus, and whose keys the files for OpenSM must contain. */
    private ServiceHarness master() throws Exception {
        ServiceHarness harness = new ServiceHarness(
                dir.resolve("state"),
                Map.of(
                        Settings.SIMULATE,
                        TORUS,
                        Settings.TORUS_CONFIG,
                        ServiceHarness.torusConf(dir, TorusSpec.parse(TORUS)),
                        Settings.M_KEY,
                        "0x77",
                        Settings.SM_KEY,
                        "0x5ec2e7"));
        harness.awaitUp();
        return harness;
    }

    private Path openSmFiles() {
        return dir.resolve("state").resolve("opensm");
    }

    /** Runs a command of an operator that must fail; returns its lines. */
    private static List<String> refusal(Commands commands, String line) throws Exception {
        Commands.Reply reply = await(commands.run(line, OPERATOR));
        assertThat(reply.isGood()).as(reply.lines().toString()).isFalse();
        return reply.lines();
    }

    /** Waits for the last part of a reply. */
    private static Commands.Reply await(Commands.Reply reply) throws Exception {
        return reply.later() == null
                ? reply
                : Objects.requireNonNull(reply.later())
                        .get(30, TimeUnit.SECONDS)
                        .get();
    }
}
