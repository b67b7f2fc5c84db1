package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.SmStatus;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.system.Defects;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.TransportException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A real subnet manager on an embedded fabric, without the process around it, and the events that it logs. */
public final class ServiceHarness implements SubnetManagerService.Listener, SubnetManagerService.Host, AutoCloseable {
    private static final long TIMEOUT_S = 60;

    /** Its log. */
    public final LoggedEvents log = new LoggedEvents().listen();

    private final Journal journal = new Journal();
    private final Defects defects = new Defects();
    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private final SubnetManagerService service;
    private volatile String summary = "";

    /**
     * Starts, without light sweeps unless the settings want them.
     *
     * @param settings beyond the state directory, which is {@code dir}
     */
    public ServiceHarness(Path dir, Map<Setting<?>, String> settings)
            throws ConfigurationException, TransportException {
        service = SubnetManager.open(options(dir, settings), this);
        service.start(this);
    }

    /** Starts an SM in another environment than the real one. */
    public ServiceHarness(Path dir, Map<Setting<?>, String> settings, SubnetManager.Environment around)
            throws ConfigurationException, TransportException {
        service = SubnetManager.open(options(dir, settings), this, around);
        service.start(this);
    }

    /**
     * Starts an SM with torus-2QoS at a host of an embedded fabric that outlives it. The SM polls its master every
     * 200 ms, and its state is in {@code state-HOST}.
     *
     * @param settings beyond those
     */
    public ServiceHarness(MortalHost host, Path dir, int priority, Map<Setting<?>, String> settings)
            throws ConfigurationException, TransportException, IOException {
        this(dir.resolve("state-" + host.name), atHost(dir, host.fabric.torus(), priority, settings), host);
    }

    private static Map<Setting<?>, String> atHost(
            Path dir, TorusSpec torus, int priority, Map<Setting<?>, String> settings) throws IOException {
        Map<Setting<?>, String> all = new TreeMap<>(settings);
        all.put(Settings.TORUS_CONFIG, torusConf(dir, torus));
        all.put(Settings.SM_PRIORITY, Integer.toString(priority));
        all.put(Settings.SMINFO_POLLING_TIMEOUT, "200");
        return all;
    }

    /** Options of an SM that sweeps when it is asked to. */
    public static SmOptions options(Path dir, Map<Setting<?>, String> settings) throws ConfigurationException {
        Map<Setting<?>, Configuration.CommandLineValue> values = new TreeMap<>();
        values.put(Settings.STATE_DIR, new Configuration.CommandLineValue("test", dir.toString()));
        values.put(Settings.SWEEP_INTERVAL, new Configuration.CommandLineValue("test", "0"));
        values.put(
                Settings.READY_PLANS_MIB, new Configuration.CommandLineValue("test", "0")); // more work than most tests
        values.put(Settings.QOS, new Configuration.CommandLineValue("test", "true"));
        settings.forEach((setting, value) -> values.put(setting, new Configuration.CommandLineValue("test", value)));
        return Configuration.read(null, values);
    }

    /** Settings of an SM that routes a torus by torus-2QoS. */
    public static SmOptions torusOptions(Path dir, TorusSpec torus) throws ConfigurationException, IOException {
        return options(dir, Map.of(Settings.TORUS_CONFIG, torusConf(dir, torus)));
    }

    /** Writes the configuration of a torus to a directory: its path, as settings take it. */
    public static String torusConf(Path dir, TorusSpec torus) throws IOException {
        return Files.writeString(dir.resolve("torus-2QoS.conf"), torus.torus2QosConf())
                .toString();
    }

    public SubnetManagerService service() {
        return service;
    }

    public SmControl control() {
        return service.control();
    }

    /** Returns the output of {@code status}. */
    List<String> statusLines() {
        return Objects.requireNonNull(SmStatus.of(control())).lines();
    }

    @Override
    public Journal journal() {
        return journal;
    }

    @Override
    public Defects defects() {
        return defects;
    }

    @Override
    public Future<Boolean> writeDumps() {
        return CompletableFuture.completedFuture(false);
    }

    /** Waits for the end of the next sweep, and returns its outcome. */
    public String end() throws InterruptedException {
        String end = ends.poll(TIMEOUT_S, TimeUnit.SECONDS);
        if (end == null) {
            throw new AssertionError("no sweep ended within " + TIMEOUT_S + " s; log: " + log.all());
        }
        return end;
    }

    /** Waits until a sweep brings the subnet up; fails if one ends otherwise. */
    public void awaitUp() throws InterruptedException {
        for (String end = end(); !end.equals("up"); end = end()) {
            assertThat(end).doesNotContain("refused", "failed");
        }
    }

    /** Sweeps until the fabric is as wanted. */
    public void sweepUntil(Supplier<Boolean> isDone) throws InterruptedException {
        do {
            control().requestSweep(true);
            awaitUp();
        } while (!isDone.get());
    }

    /** Returns the summary of the last sweep that ended well, a line. */
    String summary() {
        return summary;
    }

    @Override
    public void accept(SweepEvent event) {
        if (event instanceof SweepEvent.SubnetUp up) {
            summary = up.line();
            ends.add("up");
        } else if (event instanceof SweepEvent.RoutingRefused refused) {
            ends.add("refused: " + refused.reason());
        } else if (event instanceof SweepEvent.OtherMaster other) {
            ends.add("other master: " + other.master());
        } else if (event instanceof SweepEvent.SweepFailed failed) {
            ends.add("failed: " + failed.reason());
        } else if (event instanceof SweepEvent.MulticastProgrammed) {
            ends.add("multicast programmed");
        } else if (event instanceof SweepEvent.PortLost lost) {
            ends.add("port lost: " + lost.reason());
        } else if (event instanceof SweepEvent.PortChanged port) {
            ends.add(port.isUsable() ? "port usable" : "port unusable: " + port.reason());
        }
    }

    @Override
    public void startFailed() {
        ends.add("not begun");
    }

    @Override
    public void close() {
        service.close();
        log.close();
    }
}
