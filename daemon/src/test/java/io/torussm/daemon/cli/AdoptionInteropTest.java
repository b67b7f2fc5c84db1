package io.torussm.daemon.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.cli.TorusOnIbSim.Sm;
import io.torussm.daemon.system.ExitCode;
import io.torussm.event.SmEvent;
import io.torussm.testing.AwaitedFile;
import io.torussm.testing.IbSim;
import io.torussm.testing.Programs;
import io.torussm.testing.Simulator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A subnet of OpenSM's, with groups, services and subscriptions, is taken over by one command and given back
 * by another. No entry of a forwarding table changes, and the registrations of hosts stay. The OpenSM that takes it
 * back is another one, which has only the files of torus-sm.
 */
@Tag("interop")
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class AdoptionInteropTest {
    private static final String FIRST_OPENSM_HOST = "H-0000000100000000";
    private static final String TORUS_SM_HOST = "H-0000000100000100";
    private static final String TOOL_HOST = "H-0000000100000200";
    private static final String LAST_OPENSM_HOST = "H-0000000100000600";
    private static final List<String> OSM_LINES =
            List.of("sm_priority 5", "sa_db_dump TRUE", "sweep_interval 1", "qos TRUE");

    private static final List<String> KEY_LINES =
            List.of("m_key 0x1122334455667788", "m_key_protection_level 2", "m_key_lease_period 60", "sm_key 0x5ec2");

    @TempDir
    Path dir;

    @Test
    void takesOverAndGivesBack() throws Exception {
        try (TorusOnIbSim torus = new TorusOnIbSim("torus:4x3x1,hosts=1", TOOL_HOST, dir)) {
            Sm first = torus.openSm(FIRST_OPENSM_HOST, OSM_LINES);
            first.await("SUBNET UP");
            register(torus);
            Path written = awaitSaDump(torus);
            String tablesBefore = tables(torus);
            String registered = registrations(torus);
            assertThat(registered).contains("0xC002", "0xC003").doesNotContain("0xC001");

            Sm ours =
                    torus.torusSm(TORUS_SM_HOST, "-p", "3", "-F", migrateConf().toString());
            ours.await(SmEvent.STANDBY.code()); // from then on the console can be asked
            Path dump = copyToStateDirectory(written);
            assertThat(runControl(torus, 1, "takeover", "/absent")).contains("nothing was done: cannot read /absent");
            assertThat(runControl(torus, 1, "takeover", written.toString()))
                    .contains("copy it there with install -m 0600");
            assertThat(runControl(torus, 0, "takeover"))
                    .as("entries of groups stay, also without records of them")
                    .contains("master now: port GUID 0x0000000100000001", "0 services", "in tables: nothing");
            assertThat(runControl(torus, 0, "takeover", dump.toString()))
                    .contains(
                            "3 multicast groups with 4 members, 1 services, 1 event subscriptions",
                            "in tables: nothing");
            assertThat(runControl(torus, 0, "takeover", dump.toString(), "yes")).contains("this SM is master");
            assertThat(tables(torus)).isEqualTo(tablesBefore);
            assertThat(registrations(torus)).isEqualTo(registered);
            assertThat(runControl(torus, 1, "takeover")).contains("this SM is master already");

            first.end();
            assertThat(runControl(torus, 1, "release", "yes")).contains("no other SM stands by. Start OpenSM");
            giveBack(torus, tablesBefore, registered);
        }
    }

    /** The shadow process continues as a standby and then as the master, with the content of the dump. */
    @Test
    void takesOverFromShadow() throws Exception {
        try (TorusOnIbSim torus = new TorusOnIbSim("torus:4x3x1,hosts=1", TOOL_HOST, dir)) {
            Sm first = torus.openSm(FIRST_OPENSM_HOST, OSM_LINES);
            first.await("SUBNET UP");
            register(torus);
            Path written = awaitSaDump(torus);
            String tablesBefore = tables(torus);
            String registered = registrations(torus);
            Sm ours = torus.torusSm(TORUS_SM_HOST, "--shadow", "-p", "9");
            ours.await("TSM-6043");
            Path dump = copyToStateDirectory(written);
            // the shadow begins to read while the console opens
            while (!torus.control(TORUS_SM_HOST, "shadow").text().contains("free of credit loops")) {
                torus.tool("sminfo");
            }
            assertThat(runControl(torus, 1, "release")).contains("only looks, and rules nothing");
            assertThat(runControl(torus, 1, "takeover", "/absent")).contains("cannot read /absent");
            assertThat(runControl(torus, 1, "takeover", dump.toString(), "yes"))
                    .as("VL arbitration would change, because the shadow runs without migrated settings")
                    .contains("vl_arbitration", "entries would change");
            assertThat(runControl(torus, 0, "takeover", dump.toString(), "changes", "yes"))
                    .contains("stands by from now on");
            ours.awaitAll("-> STANDBY", "TSM-2141", "-> MASTER", "SUBNET UP");
            assertThat(tables(torus)).isEqualTo(tablesBefore);
            assertThat(registrations(torus)).isEqualTo(registered);
        }
    }

    /**
     * The M_Key and SM_Key of opensm.conf. At level 2 this SM cannot ask OpenSM until the operator lists its port.
     * Then mastership is handed over in both directions, and passes in both directions when a master dies.
     */
    @Test
    void exchangesASubnetWithKeys() throws Exception {
        try (TorusOnIbSim torus = new TorusOnIbSim(Simulator.TORUS_SM, "torus:4x3x1,hosts=1", TOOL_HOST, dir)) {
            List<String> lines = new ArrayList<>(OSM_LINES);
            lines.addAll(KEY_LINES);
            Sm first = torus.openSm(FIRST_OPENSM_HOST, lines);
            first.await("SUBNET UP");
            String tablesBefore = lockedTables(torus);
            Path conf = migrateConf(KEY_LINES.toArray(String[]::new));
            Sm ours = torus.torusSm(TORUS_SM_HOST, "-p", "3", "-F", conf.toString());
            ours.await(SmEvent.SM_UNPROVED.code());
            assertThat(runControl(torus, 1, "takeover", "yes"))
                    .contains("0x0000000100000001 cannot be asked without the M_Key; list it in trusted_sm_guids");
            Files.writeString(conf, "trusted_sm_guids = \"0x100000001,0x100000601\"\n", StandardOpenOption.APPEND);
            assertThat(new ProcessBuilder("kill", "-HUP", Long.toString(ours.process.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            ours.awaitAll(SmEvent.SM_PROVED.code(), "-> STANDBY");

            assertThat(runControl(torus, 0, "takeover", "yes")).contains("this SM is master");
            first.await("Entering STANDBY");
            assertThat(runControl(torus, 0, "release", "yes")).contains("handed over; this SM stands by");
            first.await("Entering MASTER");
            first.await("SUBNET UP");
            first.kill();
            ours.awaitAll("-> MASTER", "SUBNET UP");
            assertThat(lockedTables(torus)).isEqualTo(tablesBefore);
            Sm last = torus.openSm(LAST_OPENSM_HOST, lines);
            last.await("Entering STANDBY");
            ours.kill();
            last.await("Entering MASTER");
            last.await("SUBNET UP");
            assertThat(lockedTables(torus)).isEqualTo(tablesBefore);
        }
    }

    private String tables(TorusOnIbSim torus) throws Exception {
        return torus.tool("dump_fts") + torus.tool("dump_mfts");
    }

    /** Groups with members and services, in an order of our own. */
    private String registrations(TorusOnIbSim torus) throws Exception {
        List<String> groups = torus.tool("saquery", "-g").lines().sorted().toList();
        List<String> services = torus.tool("saquery", "-S")
                .lines()
                .filter(line -> line.contains("ServiceID") || line.contains("ServiceGID"))
                .sorted()
                .toList();
        return groups + "\n" + services;
    }

    private void askAsHost(TorusOnIbSim torus, String host, String... requests) throws Exception {
        List<String> command = IbSim.java("io.torussm.daemon.cli.AskAsHost", "1");
        command.addAll(List.of(requests));
        List<String> answers = torus.toolAt(host, command.toArray(String[]::new))
                .text()
                .lines()
                .filter(line -> line.matches(".*(: 0000|MLID 0x.*)"))
                .toList();
        assertThat(answers).hasSameSizeAs(requests);
    }

    /**
     * Registers two groups that have members, one that has none any more, a service and a subscription. OpenSM gives
     * MLIDs in the order of joins: 0xC001 to group 9, 0xC002 to 5 and 0xC003 to 3.
     */
    private void register(TorusOnIbSim torus) throws Exception {
        askAsHost(torus, "H-0000000100000300", "mlid:9", "mlid:5", "register:77:0x100000301:0");
        askAsHost(torus, "H-0000000100000400", "mlid:5", "mlid:3");
        askAsHost(torus, "H-0000000100000500", "mlid:3", "mlid:9", "subscribe:65535");
        askAsHost(torus, "H-0000000100000300", "leave:9:0x100000301");
        askAsHost(torus, "H-0000000100000500", "leave:9:0x100000501");
    }

    /** Copies a file of OpenSM, which no other user may read, to the state directory, where the console reads it. */
    private Path copyToStateDirectory(Path written) throws IOException {
        Path state = Files.createDirectories(dir.resolve("state-" + TORUS_SM_HOST));
        return Files.copy(written, state.resolve(written.getFileName()));
    }

    /** Runs a command of torus-sm-control, which ends with a status, and returns its text. */
    private String runControl(TorusOnIbSim torus, int status, String... command) throws Exception {
        IbSim.ProgramResult ended = torus.control(TORUS_SM_HOST, command);
        assertThat(ended.status()).as(ended.text()).isEqualTo(status);
        return ended.text();
    }

    /** Returns the forwarding tables, read with the M_Key. */
    private static String lockedTables(TorusOnIbSim torus) throws Exception {
        return torus.tool("dump_fts", "-y", "0x1122334455667788");
    }

    private void giveBack(TorusOnIbSim torus, String before, String registered) throws Exception {
        Path files = dir.resolve("state-" + TORUS_SM_HOST).resolve("opensm");
        Path log = dir.resolve("last.log");
        // A standby that sees that it ranks higher sends a trap, and waits for a TrapRepress that ibsim does not
        // deliver. So it polls the master once a minute only, and does not see that release has lowered our priority.
        Path conf = Files.writeString(
                dir.resolve("last.conf"),
                Files.readString(files.resolve("opensm.conf"))
                        + "force_log_flush TRUE\nsminfo_polling_timeout 60000\n");
        Sm last = torus.start(
                LAST_OPENSM_HOST,
                List.of(
                        "/usr/bin/env",
                        "OSM_CACHE_DIR=" + files,
                        "OSM_TMP_DIR=" + files,
                        Programs.requireProgram("opensm"),
                        "-F",
                        conf.toString(),
                        "-p",
                        "2",
                        "-f",
                        log.toString()));
        last.await("Entering STANDBY");
        // OpenSM sends trap 144; the sweep that follows finds it
        while (torus.control(TORUS_SM_HOST, "release").text().contains("no other SM stands by")) {
            torus.tool("sminfo");
        }
        assertThat(runControl(torus, 0, "release"))
                .contains("takes over: port GUID 0x0000000100000601", "append yes to do it");
        assertThat(runControl(torus, 0, "release", "yes")).contains("handed over; this SM stands by");
        last.await("Entering MASTER");
        AwaitedFile.read(log, text -> text.contains("SUBNET UP"));
        assertThat(tables(torus)).isEqualTo(before);
        assertThat(registrations(torus)).isEqualTo(registered);
        assertThat(Files.readString(log)).doesNotContain("ERR ", "PARSE ERROR", "cannot create MC group");
    }

    /** Returns the path to which OpenSM has written all registrations. */
    private Path awaitSaDump(TorusOnIbSim torus) throws Exception {
        Path dump = dir.resolve("cache-" + FIRST_OPENSM_HOST).resolve("opensm-sa.dump");
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!Files.exists(dump) || !isWhole(Files.readString(dump))) {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            torus.tool("sminfo");
        }
        return dump.toAbsolutePath();
    }

    private static boolean isWhole(String dump) {
        return dump.contains("mlid=0xc003")
                && !dump.contains("mlid=0xc001")
                && dump.contains("Service Record: id=0x000000000000004d")
                && dump.contains("InformInfo Record");
    }

    private Path migrateConf(String... lines) throws Exception {
        Path conf = Files.writeString(
                dir.resolve("its.conf"),
                "qos TRUE\nrouting_engine torus-2QoS\ntorus_config " + dir.resolve("torus-2QoS.conf") + "\n"
                        + String.join("\n", lines) + "\n");
        Path ours = dir.resolve("ours.conf");
        assertThat(Main.run(
                        new String[] {"migrate-conf", conf.toString(), "--output", ours.toString()},
                        (options, host) -> {
                            throw new AssertionError("a daemon was started");
                        },
                        System.out,
                        System.err))
                .isEqualTo(ExitCode.OK);
        return ours;
    }
}
