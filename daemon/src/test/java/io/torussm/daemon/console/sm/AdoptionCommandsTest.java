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

/** A single SM: it cannot take over or hand over, but it can leave files. */
@Timeout(60)
class AdoptionCommandsTest {
    private static final String TORUS = "torus:3x3x1,hosts=1";

    @TempDir
    Path dir;

    @Test
    void saysWhyNotAndWritesFilesAllTheSame() throws Exception {
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
            assertThat(said(commands, "takeover", false))
                    .contains("master now: this SM", "nothing was done: this SM is master already");
            assertThat(said(commands, "takeover changes yes", false))
                    .contains("nothing was done: this SM is master already");
            Path secret = Files.writeString(dir.resolve("secret"), "root:$6$salt:1::\n");
            Files.setPosixFilePermissions(secret, PosixFilePermissions.fromString("rw-------"));
            assertThat(said(commands, "takeover " + secret, false).toString())
                    .contains("neither readable by all users")
                    .doesNotContain("line 1", "root:");
            assertThat(said(commands, "takeover /absent", false).toString())
                    .contains("cannot read /absent: there is no such file");
            for (String misuse : List.of("takeover relative", "takeover changes", "takeover /a /b", "release now")) {
                assertThat(commands.run(misuse, true).isGood()).as(misuse).isFalse();
            }
            assertThat(commands.run("takeover yes", false).lines().toString())
                    .contains("nothing can be changed over TCP");
            assertThat(said(commands, "release", true)).contains("files for OpenSM go to " + state.resolve("opensm"));
            assertThat(state.resolve("opensm")).doesNotExist();

            assertThat(said(commands, "release yes", false).toString())
                    .contains("guid2lid, guid2mkey, neighbors, opensm-sa.dump, opensm.conf", "no other SM stands by");
        }
        Path files = state.resolve("opensm");
        assertThat(Files.readString(files.resolve("opensm.conf")))
                .contains("m_key 0x0000000000000077\n", "sm_key 0x00000000005ec2e7\n", "routing_engine torus-2QoS\n");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(files.resolve("opensm.conf"))))
                .isEqualTo("rw-------");
        assertThat(Files.readString(files.resolve("guid2lid")).lines().filter(line -> line.startsWith("0x")))
                .hasSize(18);
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

    private static List<String> said(Commands commands, String line, boolean isGood) throws Exception {
        Commands.Reply reply = commands.run(line, true);
        Commands.Reply end = reply.later() == null
                ? reply
                : Objects.requireNonNull(reply.later())
                        .get(30, TimeUnit.SECONDS)
                        .get();
        assertThat(end.isGood()).as(end.lines().toString()).isEqualTo(isGood);
        return end.lines();
    }
}
