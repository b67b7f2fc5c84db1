package io.torussm.daemon.sm;

import io.torussm.daemon.assembly.LiveSettings;
import io.torussm.daemon.assembly.SmPlatform;
import io.torussm.daemon.assembly.SmStores;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.journal.EventFile;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.recorder.RecordingFiles;
import io.torussm.daemon.recorder.SmRecorder;
import io.torussm.daemon.replica.JGroupsChannel;
import io.torussm.daemon.replica.KeyFile;
import io.torussm.daemon.replica.Replication;
import io.torussm.daemon.system.Defects;
import io.torussm.daemon.system.NettyLoop;
import io.torussm.daemon.system.Version;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.history.ChangeHistory;
import io.torussm.inventory.Inventory;
import io.torussm.mad.Guid;
import io.torussm.partition.RunTimePartitionStore;
import io.torussm.recording.FlightRecorder;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.state.DirectoryLock;
import io.torussm.state.OwnDirectory;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.Loop;
import io.torussm.transport.TransportException;
import io.torussm.transport.capture.MadTap;
import io.torussm.transport.foreign.NiceValue;
import io.torussm.view.CableHistory;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The resources of an SM: the port, the threads, the state directory and the channel to the peers of
 * replication.
 */
final class SmResources implements AutoCloseable {
    private static final EventLog EVENTS = EventLog.of(SmResources.class);

    /** Time limit at the end for the last writes to reach the peers of replication, in ms. */
    private static final long LAST_WRITES_TIMEOUT_MS = 4000;

    private final LiveSettings settings;
    private final Defects defects;
    private final NettyLoop sm;
    private final NettyLoop sa;
    private final NettyLoop perf;
    private final NettyLoop simulation;
    private final NettyLoop disk;
    private final ForkJoinPool saWorkers =
            new ForkJoinPool(SubnetAdministrator.LANES, workers -> newThread("sa-worker", workers), null, true);
    private final ForkJoinPool routingPool = new ForkJoinPool(
            Runtime.getRuntime().availableProcessors(), workers -> newThread("routing", workers), null, false);
    private final ForkJoinPool prechecks = new ForkJoinPool(1, Precheck::new, null, false);
    private final MadTap port;
    private final StateDirectory state;
    private volatile @Nullable DirectoryLock stateLock;
    private final KeyRing keys;
    private final SmStores stores;
    private final ChangeHistory changes;
    private final int eventLogMib;
    private @Nullable EventFile events;
    private final Inventory inventory;
    private final @Nullable SmRecorder recorder;
    private final @Nullable RecordingFiles recordings;
    private final @Nullable NettyLoop replicaLoop;
    private final @Nullable Replication replication;

    /** Opens the port first: if that fails, the state directory stays unchanged. */
    SmResources(LiveSettings settings, Defects defects, SubnetManager.Environment environment)
            throws TransportException, ConfigurationException {
        this.settings = settings;
        this.defects = defects;
        sm = new NettyLoop("sm", defects);
        sa = new NettyLoop("sa", defects);
        perf = NettyLoop.inBackground("perf", defects);
        simulation = new NettyLoop("fabric", defects);
        disk = new NettyLoop("state", defects);
        SmOptions options = settings.options();
        port = new MadTap(environment.port(options, simulation));
        try {
            KeyFile key = options.replication().key();
            Path dir = options.files().stateDir();
            recorder = recorder(options.history().recorderMib());
            // Only the files that a decision can depend on are recorded, so only they use this loop.
            Loop writer = recorder == null ? disk : recorder.wrapDiskLoop(disk);
            state = dir == null ? StateDirectory.none(writer) : openState(dir, writer);
            settings.keepFilesIn(state);
            keys = new KeyRing(state, settings, sm);
            if (recorder == null) {
                recordings = null;
            } else {
                // Before the stores take over the state files, whose content the recording begins with.
                recorder.recordStart(Version.TEXT, port, settings.options(), dir);
                recordings = new RecordingFiles(
                        recorder, disk, dir, options.history().recorderFiles());
            }
            stores = SmStores.open(state, sm, prechecks, port.localPort().portGuid(), settings);
            stores.memory().keys().setPreviousKey(() -> settings.keys().formerMKey());
            SmOptions.History history = options.history();
            changes = new ChangeHistory(
                    state,
                    disk,
                    new ChangeHistory.Settings(history.historyChanges(), (long) history.historyMib() << 20),
                    stores.lastState().rows());
            eventLogMib = history.eventLogMib();
            inventory = new Inventory(state, stores.memory().drains()::all);
            settings.setAddedMembers(stores.addedMembers());
            replicaLoop = key == null ? null : new NettyLoop("replica", defects);
            replication = replicaLoop == null || key == null
                    ? null
                    : new Replication(
                            state,
                            sm,
                            disk,
                            environment.peers(replicationSettings(options), key, replicaLoop),
                            options.sweep().gidPrefix(),
                            port.localPort().portGuid());
        } catch (ConfigurationException | RuntimeException e) {
            // The other loops and the pools have run no task, so they have no threads.
            port.close();
            simulation.close();
            disk.close();
            unlock();
            throw e;
        }
    }

    /** Creates the recorder. Its clock never goes back, even if the time of day does. */
    private @Nullable SmRecorder recorder(int mib) {
        long originNs = TimeUnit.MILLISECONDS.toNanos(sm.timeOfDay().toEpochMilli()) - sm.nowNs();
        return mib == 0 ? null : new SmRecorder(new FlightRecorder(() -> originNs + sm.nowNs(), (long) mib << 20));
    }

    /** A thread of precomputation, at low priority so that requests and routes do not wait for it. */
    private static final class Precheck extends ForkJoinWorkerThread {
        Precheck(ForkJoinPool workers) {
            super(workers);
            setName("precheck");
        }

        @Override
        protected void onStart() {
            super.onStart();
            NiceValue.raise(NiceValue.BACKGROUND);
        }
    }

    private static ForkJoinWorkerThread newThread(String name, ForkJoinPool workers) {
        ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(workers);
        thread.setName(name);
        return thread;
    }

    private static JGroupsChannel.Settings replicationSettings(SmOptions options) {
        return new JGroupsChannel.Settings(
                "torus-sm " + Guid.format(options.sweep().gidPrefix()),
                Objects.requireNonNull(options.replication().listen()),
                options.replication().peers());
    }

    private StateDirectory openState(Path dir, Loop writer) throws ConfigurationException {
        EVENTS.report(SmEvent.OPENING.finding("state_dir " + dir));
        try {
            lockStateDirectory(dir);
            return StateDirectory.open(dir, writer);
        } catch (DirectoryLock.DirectoryLockedException e) {
            throw new ConfigurationException(List.of("state_dir: " + dir + " is in use by another torus-sm, "
                    + e.getMessage() + "; end that one (systemctl stop torus-sm, or kill), or give this one a directory"
                    + " of its own with --state-dir DIR"));
        } catch (IOException e) {
            if (!isDiskFailure(dir, e)) {
                throw new ConfigurationException(List.of("state_dir: " + dir + " cannot be used ("
                        + FileErrors.describe(e) + "); give --state-dir DIR, a directory that this user may write"));
            }
            EVENTS.report(
                    SmEvent.STATE_DIR_MISSING, EventField.FILE.of(dir), EventField.REASON.of(FileErrors.describe(e)));
            return StateDirectory.withPreparation(dir, writer, () -> lockStateDirectory(dir));
        }
    }

    private void lockStateDirectory(Path dir) throws IOException {
        OwnDirectory.create(dir);
        stateLock = DirectoryLock.acquire(dir);
    }

    /**
     * Checks whether a directory may become usable later: the disk is full, a quota is reached, or the file system
     * is read-only. The SM then starts without it. A wrong path and a missing permission are errors of the
     * configuration.
     */
    private static boolean isDiskFailure(Path dir, IOException e) {
        Path ancestor = dir.toAbsolutePath();
        while (!Files.exists(ancestor) && ancestor.getParent() != null) {
            ancestor = ancestor.getParent();
        }
        return e instanceof FileSystemException
                && Files.isDirectory(ancestor)
                && !(e instanceof AccessDeniedException)
                && !(e instanceof FileAlreadyExistsException)
                && !(e instanceof NotDirectoryException);
    }

    MadTap port() {
        return port;
    }

    /** Returns the platform of the parts of the SM. */
    SmPlatform platform() {
        SmPlatform platform = new SmPlatform(
                port,
                sm,
                sa,
                perf,
                saWorkers,
                routingPool,
                prechecks,
                prechecks, // precomputed plans share the thread of the checks
                () -> ThreadLocalRandom.current().nextInt(),
                defects);
        return recorder == null ? platform : recorder.wrap(platform);
    }

    /** Returns the flight recorder; null if it is off. */
    @Nullable
    SmRecorder recorder() {
        return recorder;
    }

    /** Returns the files of the recorder; null if it is off. */
    @Nullable
    RecordingFiles recordings() {
        return recordings;
    }

    /** Runs a task on the loop of the disk. */
    void runOnDiskLoop(Runnable task) {
        disk.execute(task);
    }

    /** Returns the persistent stores. */
    SmStores stores() {
        return stores;
    }

    /** Returns the loop that owns the SM. */
    NettyLoop sm() {
        return sm;
    }

    /** Returns the pool that computes and proves routes. */
    ForkJoinPool pool() {
        return routingPool;
    }

    /** Returns the pool of precomputation and other background work, with a single thread. */
    ForkJoinPool prechecks() {
        return prechecks;
    }

    /** Returns the engines that route, as {@code routing_engine} names them. */
    String engines() {
        return settings.options().values().get(Settings.ROUTING_ENGINE);
    }

    /** Checks whether precomputation is configured. */
    boolean isPrecheckWanted() {
        return settings.options().sweeps().failurePrechecks() > 0;
    }

    /** Checks whether {@link #close} has begun. */
    boolean isClosed() {
        return prechecks.isShutdown();
    }

    /** Returns the generated keys. */
    KeyRing keys() {
        return keys;
    }

    SubnetMemory memory() {
        return stores.memory();
    }

    CableHistory cableHistory() {
        return stores.cables();
    }

    /** Returns the previous states of the subnet. */
    ChangeHistory changes() {
        return changes;
    }

    /** Stores the events of a journal from now on, and adds stored events of previous processes to it. */
    void storeEvents(Journal journal) {
        if (recorder != null) {
            journal.listen(new JournalRecorder(journal, recorder));
        }
        if (eventLogMib > 0) {
            events = EventFile.attach(journal, state, disk, (long) eventLogMib << 20);
        }
    }

    /** Returns the accepted fabric. */
    Inventory inventory() {
        return inventory;
    }

    /** Returns the members that were added to partitions at run time. */
    RunTimePartitionStore addedMembers() {
        return stores.addedMembers();
    }

    /** Returns the replication; null if it is off. */
    @Nullable
    Replication replication() {
        return replication;
    }

    /** Returns the number of failed writes of state files. */
    long stateFailures() {
        return state.failures();
    }

    /** Returns the number of unexpected exceptions on any loop, and on threads that they ended. */
    long defects() {
        return defects.count();
    }

    /**
     * Closes the port first, and the state directory last. The directory is flushed before the replication ends,
     * so that the peers get all writes, and again after the last writes of the SM's loop.
     */
    @Override
    public void close() {
        port.close();
        saWorkers.shutdownNow();
        // Not shutdownNow: an interrupted part of a parallel computation would be counted as a defect.
        prechecks.shutdown();
        routingPool.shutdown();
        sa.close();
        perf.close();
        simulation.close();
        disk.execute(state::flush);
        endReplication();
        sm.close();
        disk.execute(state::flush);
        disk.execute(changes::flush);
        EventFile file = events;
        if (file != null) {
            disk.execute(file::close);
        }
        disk.close();
        unlock();
    }

    private void unlock() {
        DirectoryLock lock = stateLock;
        if (lock != null) {
            lock.close();
        }
    }

    /**
     * Ends the replication after the last writes have passed from the loop of the disk to that of the SM, or after
     * {@link #LAST_WRITES_TIMEOUT_MS}.
     */
    private void endReplication() {
        if (replication != null && replicaLoop != null) {
            CountDownLatch handedOver = new CountDownLatch(1);
            disk.execute(() -> sm.execute(handedOver::countDown));
            try {
                if (!handedOver.await(LAST_WRITES_TIMEOUT_MS, TimeUnit.MILLISECONDS)) {
                    EVENTS.report(SmEvent.STATE_DIR_SLOW);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            replication.close();
            replicaLoop.close();
        }
    }
}
