package io.torussm.daemon.shadow.service;

import io.torussm.daemon.assembly.LiveSettings;
import io.torussm.daemon.assembly.LivenessCheck;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.files.EngineFiles;
import io.torussm.daemon.config.files.RoutingFactory;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.shadow.ShadowDriver;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.system.Defects;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.SnapshotFile;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.SubnetMemory;
import io.torussm.sweep.state.SweepEvent;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import io.torussm.transport.TransportException;
import io.torussm.transport.capture.MadTap;
import io.torussm.transport.port.PacedPort;
import io.torussm.transport.port.ReadOnlyPort;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The service of {@code --shadow}, which replaces the subnet manager and only reads. It uses a {@link ReadOnlyPort},
 * which rejects all requests that would change a device. The state directory is not opened, so that an SM of this host
 * may use it.
 */
public final class ShadowService implements SubnetManagerService {
    private static final EventLog EVENTS = EventLog.of(ShadowService.class);
    private static final long CLOSE_MS = 4_000;

    /** Name of the file of the last reading in dump_files_dir. */
    private static final String SNAPSHOT = "torus-sm-snapshot.gz";

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    /** Max number of requests without a response: a low load for the fabric, but sufficient for the configured rate. */
    private static final int WINDOW = 16;

    /** Max number of requests to one device without a response. */
    private static final int DEVICE_WINDOW = 2;

    private final LiveSettings settings;
    private final Defects defects;
    private final NettyLoop sm;
    private final NettyLoop simulation;
    private final NettyLoop disk;
    private final ForkJoinPool pool = new ForkJoinPool(1, ShadowService::thread, null, false);
    private final MadTap tap;
    private final ReadOnlyPort port;
    private final StateDirectory state;
    private final ShadowControl control;

    /** Driver; null before the start and after the end. Accessed on the {@code sm} loop only. */
    private @Nullable ShadowDriver driver;

    /** Check of the port; null before the start and after the end. Accessed on the {@code sm} loop only. */
    private @Nullable LivenessCheck livenessCheck;

    private ShadowService(SmOptions options, Host host, SubnetManager.Environment environment)
            throws TransportException, ConfigurationException {
        settings = new LiveSettings(options);
        defects = host.defects();
        sm = new NettyLoop("sm", defects);
        simulation = new NettyLoop("fabric", defects);
        disk = new NettyLoop("state", defects);
        tap = new MadTap(environment.port(options, simulation));
        port = new ReadOnlyPort(
                new PacedPort(tap, sm, () -> settings.options().shadow().shadowSmpsPerSecond()));
        state = StateDirectory.none(disk);
        control = new ShadowControl(settings, host, tap, state, disk, sm);
    }

    private static ForkJoinWorkerThread thread(ForkJoinPool workers) {
        ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(workers);
        thread.setName("study");
        return thread;
    }

    /** Opens the port without a request to a device; see {@link SubnetManagerService.Factory}. */
    public static ShadowService open(SmOptions options, Host host) throws TransportException, ConfigurationException {
        return open(options, host, SubnetManager.REAL);
    }

    /** Opens the port in an environment, for tests. */
    static ShadowService open(SmOptions options, Host host, SubnetManager.Environment environment)
            throws TransportException, ConfigurationException {
        RoutingFactory.checkNames(options);
        EngineFiles.check(options);
        return new ShadowService(options, host, environment);
    }

    @Override
    public void start(Listener listener) {
        sm.execute(() -> {
            boolean hasBegun = false;
            try {
                begin(listener);
                hasBegun = true;
            } finally {
                if (!hasBegun) {
                    listener.startFailed();
                }
            }
        });
    }

    private void begin(Listener listener) {
        SubnetMemory memory = SubnetMemory.of(
                state,
                port.localPort().portGuid(),
                () -> settings.options().sweep().mKey(),
                () -> true);
        MadClient client = new MadClient(
                port,
                sm,
                memory.keys(),
                () -> new MadClient.Settings(
                        WINDOW,
                        DEVICE_WINDOW,
                        settings.options().mads().timeoutMs(),
                        settings.options().mads().retries()),
                ThreadLocalRandom.current().nextInt(),
                new Inbound(listener));
        ShadowDriver newDriver = new ShadowDriver(
                client,
                sm,
                memory,
                pool,
                settings::options,
                settings::names,
                ThreadLocalRandom.current().nextInt(),
                new ShadowDriver.Listener() {
                    @Override
                    public void reported(ShadowReport report, FabricSnapshot seen) {
                        disk.execute(() -> writeSnapshot(seen));
                        listener.shadowReported(report);
                    }

                    @Override
                    public void readingFailed(String reason) {
                        listener.accept(new SweepEvent.SweepFailed(reason));
                    }

                    @Override
                    public void defect(Throwable defect) {
                        defects.accept(defect);
                    }
                });
        driver = newDriver;
        livenessCheck = new LivenessCheck(client);
        control.setDriver(newDriver);
        EVENTS.report(
                SmEvent.SHADOW_BEGUN,
                EventField.PORT.of(port.localPort().portNum()),
                EventField.DEVICE.of(port.localPort().caName()),
                EventField.GUID.of(port.localPort().portGuid()),
                EventField.COUNT.of(settings.options().shadow().shadowSmpsPerSecond()));
        newDriver.start();
    }

    /**
     * Writes a reading to the directory of dumps. Only the owner may read the file, because it may contain M_Keys.
     */
    private void writeSnapshot(FabricSnapshot seen) {
        Path dir = settings.options().files().dumpDir();
        if (dir == null) {
            return;
        }
        Path file = dir.resolve(SNAPSHOT);
        Path part = dir.resolve(SNAPSHOT + ".part");
        try {
            Files.createDirectories(dir);
            Files.deleteIfExists(part);
            Files.createFile(part, OWNER_ONLY);
            try (OutputStream out = Files.newOutputStream(part)) {
                SnapshotFile.write(seen, out);
            }
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            EVENTS.report(SmEvent.DUMP_FAILED, EventField.FILE.of(file), EventField.REASON.of(FileErrors.describe(e)));
        }
    }

    /** The receiver of SA MADs and changes of the port. */
    private final class Inbound implements MadClient.UnsolicitedReceiver {
        private final Listener listener;

        Inbound(Listener listener) {
            this.listener = listener;
        }

        @Override
        public void subnetManagement(MadFrame frame) {
            // A shadow does not respond to requests.
        }

        @Override
        public void subnetAdministration(MadFrame frame) {
            control.received(frame);
        }

        @Override
        public void portLost(String reason) {
            listener.accept(new SweepEvent.PortLost(reason));
        }

        @Override
        public void portChanged(boolean isUsable, String reason) {
            LivenessCheck current = livenessCheck;
            if (current != null) {
                current.portChanged(isUsable);
            }
            listener.accept(new SweepEvent.PortChanged(isUsable, reason));
        }
    }

    @Override
    public void reconfigure(SmOptions options) {
        sm.execute(() -> settings.replace(options));
    }

    @Override
    public SmControl control() {
        return control;
    }

    @Override
    public void callPeriodically(long periodNs, Runnable beat) {
        sm.schedule(periodNs, () -> {
            callPeriodically(periodNs, beat);
            LivenessCheck current = livenessCheck;
            if (current != null) {
                current.check(beat);
            }
        });
    }

    @Override
    public void close() {
        CountDownLatch ended = new CountDownLatch(1);
        sm.execute(() -> {
            ShadowDriver current = driver;
            driver = null;
            livenessCheck = null;
            if (current != null) {
                current.end();
            }
            ended.countDown();
        });
        try {
            if (!ended.await(CLOSE_MS, TimeUnit.MILLISECONDS)) {
                EVENTS.report(SmEvent.SLOW_END);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        port.close();
        pool.shutdownNow();
        simulation.close();
        sm.close();
        disk.close();
    }
}
