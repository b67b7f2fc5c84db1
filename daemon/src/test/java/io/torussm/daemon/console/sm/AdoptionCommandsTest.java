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
@Timeout(60)
class AdoptionCommandsTest {
    private static final String TORUS = "torus:3x3x1,hosts=1";
    private static final int SWITCHES_AND_HOSTS = 18;

    @TempDir
    Path dir;

    @Test
    void anOnlySmRefusesATakeoverAndReleasesFiles() throws Exception {
        Path state = dir.resolve("state");
        try (ServiceHarness harness = new ServiceHarness(
                state,
                Map.of(
                        Settings.SIMULATE,
                        TORUS,
                        Settings.TORUS_CONFIG,
                        ServiceHarness.torusConf(dir, TorusSpec.parse(TORUS)),
                        Settings.M_KEY,
                        "0x77",
                        Settings.SM_KEY,
                        "0x5ec2e7"))) {
            assertThat(harness.end()).isEqualTo("up");
            Commands commands = new Commands(harness.control());
            assertThat(reply(commands, "takeover", false))
                    .contains("master now: this SM", "nothing was done: this SM is master already");
            assertThat(reply(commands, "takeover changes yes", false))
                    .contains("nothing was done: this SM is master already");
            Path secret = Files.writeString(dir.resolve("secret"), "root:$6$salt:1::\n");
            Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
            assertThat(reply(commands, "takeover " + secret, false).toString())
                    .contains("neither readable by all users")
                    .doesNotContain("line 1", "root:");
            assertThat(reply(commands, "takeover /absent", false).toString())
                    .contains("cannot read /absent: there is no such file");
            for (String misuse : List.of("takeover relative", "takeover changes", "takeover /a /b", "release now")) {
                assertThat(commands.run(misuse, true).isGood()).as(misuse).isFalse();
            }
            assertThat(commands.run("takeover yes", false).lines().toString())
                    .contains("nothing can be changed over TCP");
            assertThat(reply(commands, "release", true)).contains("files for OpenSM go to " + state.resolve("opensm"));
            assertThat(state.resolve("opensm")).doesNotExist();

            assertThat(reply(commands, "release yes", false).toString())
                    .contains("guid2lid, guid2mkey, neighbors, opensm-sa.dump, opensm.conf", "no other SM stands by");
        }
        Path files = state.resolve("opensm");
        assertThat(Files.readString(files.resolve("opensm.conf")))
                .contains("m_key 0x0000000000000077\n", "sm_key 0x00000000005ec2e7\n", "routing_engine torus-2QoS\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.resolve("opensm.conf"))))
                .isEqualTo("rw-------");
        assertThat(Files.readString(files.resolve("guid2lid")).lines().filter(line -> line.startsWith("0x")))
                .hasSize(SWITCHES_AND_HOSTS);
        assertThat(Files.readString(files.resolve("guid2mkey"))).contains("0x0000000000000077");
        assertThat(Files.readString(files.resolve("opensm-sa.dump")))
                .contains("MC Group 0xc000  (well known): mgid=0xff12401b");
    }

    @Test
    void aTakeoverDoesNotRepeatItsPreview() {
        Adoption.TakeOver preview = new Adoption.TakeOver(
                "", "", "port GUID 0x1", 6, List.of("1 multicast groups"), List.of("a service"), null);
        assertThat(preview.lines()).contains("master now: port GUID 0x1");
        assertThat(preview.done("this SM is master").lines())
                .containsExactly("left out: a service", "this SM is master");
    }

    /** Runs a command of an operator; returns its lines when it is done. */
    private static List<String> reply(Commands commands, String line, boolean isGood) throws Exception {
        Commands.Reply first = commands.run(line, true);
        Commands.Reply end = first.later() == null
                ? first
                : Objects.requireNonNull(first.later())
                        .get(30, TimeUnit.SECONDS)
                        .get();
        assertThat(end.isGood()).as(end.lines().toString()).isEqualTo(isGood);
        return end.lines();
    }
}
