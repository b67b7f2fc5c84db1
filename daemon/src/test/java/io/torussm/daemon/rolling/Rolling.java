package io.torussm.daemon.rolling;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.migration.OpenSmMigration;
import io.torussm.daemon.console.client.ConsoleClient;
import io.torussm.daemon.opensm.SaDump;
import io.torussm.event.SmEvent;
import io.torussm.registration.SaContents;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.testing.IbSim;
import io.torussm.testing.Programs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A fabric whose master is OpenSM, torus-sm, OpenSM again, then torus-sm after the death of OpenSM, and OpenSM after
 * that of torus-sm. Between any two changes of the master, all registers are read while no SM writes. Hosts send
 * packets during each change.
 */
final class Rolling implements AutoCloseable {
    private static final AtomicInteger NUMBER = new AtomicInteger();

    /** Texts of the log of OpenSM; torus-sm reports the first as well. */
    private static final String UP = "SUBNET UP";

    private static final String REFUSED = "No routing engine able";
    private static final String IN_STANDBY = "Entering STANDBY state";

    /** Codes of the log of torus-sm. It logs STANDBY when its console is open, and the change of its state before. */
    private static final String NOT_UP = "TSM-6002";

    private static final String STANDS_BY = SmEvent.STANDBY.code();

    /** The answer of the console to release before torus-sm has found the standby. */
    private static final String NO_STANDBY_YET = "no other SM stands by";

    /** Priorities of SMs. A higher one takes over from a lower one; after a death, the standby needs none. */
    private static final int FIRST_OPENSM = 8;

    private static final int TORUS_SM_AS_STANDBY = 5;
    private static final int TORUS_SM_BY_PRIORITY = 12;
    private static final int OPENSM_BY_PRIORITY = 14;
    private static final int LAST_OPENSM = 0;
    private static final long TIMEOUT_S = 60;
    private static final int SILENCE_MS = 90_000;
    private static final Path STATE = Path.of("state");

    private final RollingCase fabric;
    private final Path dir;
    private final String openSmHost;
    private final String torusSmHost;

    /** The host that reads registers and queries SLs. */
    private final String observer;

    private final LiveFabric live;
    private final List<SmProcess> started = new ArrayList<>();
    private final List<MasterChange> changes = new ArrayList<>();
    private final SmProcess master;
    private final boolean isRouted;

    /** The registers and the SLs of hosts after the last change. */
    private FabricSnapshot before;

    private Map<PathQueries.Pair, Integer> sls;

    /**
     * Powers the fabric up, and waits until OpenSM has routed or refused it.
     *
     * @param dir empty, for all files
     */
    Rolling(RollingCase fabric, Path dir) throws IOException, InterruptedException {
        this.fabric = fabric;
        this.dir = dir;
        List<String> hosts = fabric.hosts();
        openSmHost = hosts.get(0);
        torusSmHost = hosts.get(1);
        observer = hosts.get(2);
        live = LiveFabric.start(
                fabric.topology(),
                observer,
                "rolling-" + ProcessHandle.current().pid() + "-" + NUMBER.incrementAndGet());
        try {
            writeConf();
            master = openSm(FIRST_OPENSM);
            isRouted = master.await(TIMEOUT_S, UP, REFUSED).equals(UP);
            before = live.readAtRest();
            sls = Map.of();
            if (isRouted) {
                beginTraffic();
            }
        } catch (IOException | InterruptedException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void beginTraffic() throws IOException, InterruptedException {
        live.joinGroups();
        before = live.readAtRest();
        sls = live.sls(before, observer);
        live.startTraffic(sls);
    }

    /** Checks whether OpenSM routed the fabric. */
    boolean isRouted() {
        return isRouted;
    }

    /** The way in which one SM takes over from another while both run. */
    enum HandoverMethod {
        /** By the commands of torus-smctl. */
        COMMANDS,
        /**
         * The next SM starts with a higher priority. Torus-sm has the registrations of hosts in its state directory.
         */
        PRIORITIES
    }

    /** Makes all four changes. If OpenSM refused to route, only the first, since there are no routes to return to. */
    List<MasterChange> roll(HandoverMethod way) throws IOException, InterruptedException {
        migrate();
        SmProcess openSm = master;
        SmProcess torusSm = way == HandoverMethod.COMMANDS ? takeOverByCommand() : takeOverByPriority();
        openSm.end();
        if (!isRouted) {
            return List.copyOf(changes);
        }
        SmProcess second = way == HandoverMethod.COMMANDS ? releaseByCommand() : openSm(OPENSM_BY_PRIORITY);
        if (way == HandoverMethod.PRIORITIES) {
            change("OpenSM comes, priority", null, () -> second.await(TIMEOUT_S, UP, REFUSED));
        }
        change("OpenSM killed", second, () -> torusSm.await(TIMEOUT_S, UP, NOT_UP));
        SmProcess third = openSm(LAST_OPENSM);
        third.await(TIMEOUT_S, IN_STANDBY);
        change("torus-sm killed", torusSm, () -> third.await(TIMEOUT_S, UP, REFUSED));
        return List.copyOf(changes);
    }

    private SmProcess takeOverByCommand() throws IOException, InterruptedException {
        SmProcess torusSm = torusSm(TORUS_SM_AS_STANDBY);
        torusSm.await(TIMEOUT_S, STANDS_BY);
        List<String> order = new ArrayList<>(List.of("takeover"));
        if (isRouted) {
            Path dump = saDump(); // for OpenSM's user alone; the console reads it in the state directory
            order.add(Files.copy(dump, dir.resolve(STATE).resolve(dump.getFileName()))
                    .toString());
        }
        order.addAll(List.of("changes", "yes"));
        change("torus-smctl takeover", null, () -> {
            runCommand(order);
            torusSm.await(TIMEOUT_S, UP, NOT_UP);
        });
        return torusSm;
    }

    private SmProcess releaseByCommand() throws IOException, InterruptedException {
        SmProcess second = openSm(FIRST_OPENSM);
        second.await(TIMEOUT_S, IN_STANDBY);
        change("torus-smctl release", null, () -> {
            runCommand(List.of("release", "yes"));
            second.await(TIMEOUT_S, UP, REFUSED);
        });
        return second;
    }

    private SmProcess takeOverByPriority() throws IOException, InterruptedException {
        try {
            for (SaContents.File each : SaDump.read(saDump()).contents().files()) {
                Files.write(dir.resolve(STATE).resolve(each.file().name()), each.content());
            }
        } catch (ConfigurationException e) {
            throw new IOException(e.getMessage(), e);
        }
        SmProcess torusSm = torusSm(TORUS_SM_BY_PRIORITY);
        change("torus-sm comes, priority", null, () -> torusSm.await(TIMEOUT_S, UP, NOT_UP));
        return torusSm;
    }

    /** Runs a command of torus-smctl that must succeed. */
    private void runCommand(List<String> command) throws IOException, InterruptedException {
        List<String> answer = new ArrayList<>();
        boolean isDone = runCommand(command, answer);
        for (int i = 0; i < 10 && !isDone && String.join("\n", answer).contains(NO_STANDBY_YET); i++) {
            TimeUnit.SECONDS.sleep(1);
            isDone = runCommand(command, answer);
        }
        Files.write(dir.resolve(command.get(0) + ".txt"), answer);
        if (!isDone) {
            throw new IOException(String.join(" ", command) + ": " + answer);
        }
    }

    private boolean runCommand(List<String> command, List<String> answer) throws IOException {
        answer.clear();
        return ConsoleClient.execute(dir.resolve("control"), ConsoleClient.request(command), SILENCE_MS, answer::add);
    }

    /** A change of the master, which ends when the next one is up. */
    private interface Takeover {
        void run() throws IOException, InterruptedException;
    }

    /**
     * Makes a change of the master, and compares registers, SLs and packets before and after it.
     *
     * @param killed SM that dies first; null if none
     */
    private void change(String name, @Nullable SmProcess killed, Takeover takeover)
            throws IOException, InterruptedException {
        live.changeEffects();
        started.forEach(SmProcess::clearLog);
        long startNs = System.nanoTime();
        if (killed != null) {
            killed.kill();
        }
        takeover.run();
        double seconds = (System.nanoTime() - startNs) / 1e9;
        FabricSnapshot after = live.readAtRest();
        Map<PathQueries.Pair, Integer> slsAfter = sls.isEmpty() ? Map.of() : live.sls(after, observer);
        changes.add(MasterChange.of(name, before, after, live.changeEffects(), sls, slsAfter, seconds));
        before = after;
        sls = slsAfter;
    }

    /** Writes the configuration of OpenSM. */
    private void writeConf() throws IOException {
        Path cache = Files.createDirectories(dir.resolve("cache"));
        StringBuilder text = new StringBuilder("routing_engine " + fabric.engine() + ",no_fallback\n");
        text.append("force_log_flush TRUE\nsweep_interval 1\nsminfo_polling_timeout 500\npolling_retry_number 2\n");
        text.append("sa_db_dump TRUE\ndump_files_dir ").append(cache).append('\n');
        fabric.settings().forEach(line -> text.append(line).append('\n'));
        for (Map.Entry<String, String> file : new TreeMap<>(fabric.files()).entrySet()) {
            Path path = Files.writeString(dir.resolve(file.getKey()), file.getValue());
            text.append(file.getKey()).append(' ').append(path).append('\n');
        }
        text.append("sa_db_file ")
                .append(dir.resolve(STATE).resolve("opensm").resolve(SaDump.NAME))
                .append('\n');
        Files.writeString(dir.resolve("opensm.conf"), text);
    }

    private SmProcess openSm(int priority) throws IOException {
        Path cache = dir.resolve("cache");
        return start(
                openSmHost,
                "opensm-" + (started.size() + 1),
                List.of(
                        "/usr/bin/env",
                        "OSM_CACHE_DIR=" + cache,
                        "OSM_TMP_DIR=" + cache,
                        Programs.requireProgram("opensm"),
                        "-F",
                        dir.resolve("opensm.conf").toString(),
                        "-p",
                        Integer.toString(priority),
                        "-f",
                        "stdout"));
    }

    /** Migrates as docs/operator/migration.md describes: configuration, LIDs and registrations of hosts. */
    private void migrate() throws IOException, InterruptedException {
        try {
            String conf = OpenSmMigration.toPrint(dir.resolve("opensm.conf")).text();
            // Files with places of their own are copied by the operator.
            for (String file : fabric.files().keySet()) {
                conf = conf.replaceAll("(?m)^" + file + " = .*", file + " = \"" + dir.resolve(file) + "\"");
            }
            conf += String.join("\n", fabric.own()) + "\n";
            Files.writeString(dir.resolve("torus-sm.conf"), conf);
            Path state = Files.createDirectories(dir.resolve(STATE));
            Path lids = dir.resolve("cache/guid2lid");
            if (Files.exists(lids)) {
                Files.copy(lids, state.resolve("guid2lid"));
            }
        } catch (ConfigurationException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Waits until the dump of OpenSM, which it writes at the end of a sweep, has all members; returns its path. */
    private Path saDump() throws IOException, InterruptedException {
        Path dump = dir.resolve("cache").resolve(SaDump.NAME);
        int wanted = live.memberships();
        int found = 0;
        for (int i = 0; i < 200 && found < wanted; i++) {
            TimeUnit.MILLISECONDS.sleep(100);
            found = Files.exists(dump) ? Files.readString(dump).split("mcm_port:", -1).length - 1 : 0;
        }
        return dump;
    }

    private SmProcess torusSm(int priority) throws IOException {
        return start(
                torusSmHost,
                "torus-sm",
                IbSim.java(
                        "io.torussm.daemon.cli.Main",
                        "-F",
                        dir.resolve("torus-sm.conf").toString(),
                        "-p",
                        Integer.toString(priority),
                        "--http-listen",
                        "none",
                        "--control-socket",
                        dir.resolve("control").toString(),
                        "--state-dir",
                        dir.resolve(STATE).toString()));
    }

    private SmProcess start(String host, String name, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command).directory(dir.toFile());
        builder.environment()
                .putAll(Map.of("LD_PRELOAD", preload(), "SIM_HOST", host, "IBSIM_SOCKNAME", live.socketName()));
        SmProcess sm = new SmProcess(name, builder);
        started.add(sm);
        return sm;
    }

    private static String preload() throws IOException {
        for (String each : List.of("/usr/lib/x86_64-linux-gnu", "/usr/lib64", "/usr/lib")) {
            Path library = Path.of(each, "umad2sim", "libumad2sim.so");
            if (Files.exists(library)) {
                return library.toString();
            }
        }
        throw new IOException("libumad2sim is not installed");
    }

    @Override
    public void close() {
        started.forEach(SmProcess::close);
        live.close();
    }
}
