package io.torussm.daemon.shadow;

import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.shadow.ShadowRecord.NoticedFault;
import io.torussm.daemon.twin.VirtualSm;
import io.torussm.event.FatalErrors;
import io.torussm.mad.smp.PortInfo;
import io.torussm.names.Names;
import io.torussm.proof.FabricProof;
import io.torussm.shadow.FabricReader;
import io.torussm.shadow.HeldRoutes;
import io.torussm.shadow.PathSampler;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.SnapshotDifference;
import io.torussm.subnet.SubnetMemory;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of readings of a fabric under another master SM. It reads the whole fabric at intervals, and the states
 * of links more often. After a change of links it reads the forwarding tables repeatedly until they are complete. At
 * most one reading runs at a time. Owner thread: the loop. The analyses run on a pool.
 */
public final class ShadowDriver {
    /** Max time after the notice of a fault for which the tables are read until they are complete. */
    private static final long FAULT_LIMIT_NS = TimeUnit.MINUTES.toNanos(10);

    /** Time after a failed reading until the next one. */
    private static final long RETRY_NS = TimeUnit.SECONDS.toNanos(10);

    private final MadClient client;
    private final Loop loop;
    private final Executor pool;
    private final Supplier<SmOptions> options;
    private final Supplier<Names> names;
    private final Listener listener;
    private final FabricReader reader;
    private final PathSampler sampler;
    private final ShadowRecord record = new ShadowRecord();
    private final ShadowEvents events = new ShadowEvents();
    private volatile @Nullable ShadowReport report;
    private Loop.Timer nextReading = () -> {};
    private Loop.Timer nextLinkCheck = () -> {};

    /** Begin of the last reading without a fault, as time on the clock of the loop. */
    private long lastFaultFreeNs;

    private boolean hasEnded;

    /** A listener to the results of readings. Its methods are called on the loop. */
    public interface Listener {
        /**
         * Handles a report.
         *
         * @param seen reading that the report describes
         */
        void reported(ShadowReport report, FabricSnapshot seen);

        /** Handles the failure of a reading. */
        void readingFailed(String reason);

        /** Handles an unexpected exception in an analysis. */
        void defect(Throwable defect);
    }

    /**
     * A noticed fault whose tables are not complete yet.
     *
     * @param at time of day of the notice
     * @param sinceNs begin of the last reading without the fault, as time on the clock of the loop
     * @param noticedNs time of the notice on the clock of the loop
     * @param isReported true if the fault was logged
     */
    private record OpenFault(Instant at, long sinceNs, long noticedNs, boolean isReported) {}

    /**
     * Creates a driver.
     *
     * @param client MAD client of a read-only port; the received SA MADs are passed to {@link #received}
     * @param loop loop of the owner thread
     * @param memory memory with the M_Keys for the requests
     * @param pool sequential executor of analyses
     * @param options supplier of the options; called for each reading
     * @param names supplier of the configured names of nodes; called for each reading
     * @param seed first transaction ID of requests to the SA
     */
    public ShadowDriver(
            MadClient client,
            Loop loop,
            SubnetMemory memory,
            Executor pool,
            Supplier<SmOptions> options,
            Supplier<Names> names,
            int seed,
            Listener listener) {
        this.client = client;
        this.loop = loop;
        this.pool = pool;
        this.options = options;
        this.names = names;
        this.listener = listener;
        reader = new FabricReader(client, loop, memory);
        sampler = new PathSampler(client, loop, seed);
        lastFaultFreeNs = loop.nowNs();
    }

    /** Returns the last report; null before the first one. Thread-safe. */
    public @Nullable ShadowReport report() {
        return report;
    }

    /** Starts the driver with a reading of the whole fabric. */
    public void start() {
        loop.requireInLoop();
        readAll(null);
    }

    /** Starts a reading of the whole fabric, unless another reading runs. */
    public void readSoon() {
        loop.requireInLoop();
        if (!reader.isReading() && !hasEnded) {
            readAll(null);
        }
    }

    /** Ends the driver. No further request is sent. */
    public void end() {
        loop.requireInLoop();
        hasEnded = true;
        reader.cancel();
        nextReading.cancel();
        nextLinkCheck.cancel();
    }

    /** Handles a received SA MAD. Thread-safe. */
    public void received(MadFrame frame) {
        sampler.onMad(frame);
    }

    // --- the whole fabric ---

    private void readAll(@Nullable NoticedFault fault) {
        nextReading.cancel();
        nextLinkCheck.cancel();
        reader.cancel();
        long startNs = loop.nowNs();
        Names current = names.get();
        reader.read(current, result -> {
            FabricSnapshot seen = result.snapshot();
            if (seen == null) {
                readingFailed(result.problem());
            } else {
                lastFaultFreeNs = startNs;
                queryPaths(seen, granted -> study(seen, granted, seconds(startNs), fault, current));
            }
        });
    }

    private double seconds(long sinceNs) {
        return TimeUnit.NANOSECONDS.toMillis(loop.nowNs() - sinceNs) / 1_000.0;
    }

    private void readingFailed(String reason) {
        events.readingFailed(reason);
        listener.readingFailed(reason);
        nextReading = loop.schedule(RETRY_NS, () -> readAll(null));
    }

    private void queryPaths(FabricSnapshot seen, Consumer<ShadowStudy.PathGrants> then) {
        DeviceRegisters own = seen.device(seen.local().nodeGuid());
        PortInfo port = own == null ? null : own.portInfo(seen.local().portNum());
        List<PathSampler.Pair> pairs =
                ShadowPairs.sample(seen, options.get().shadow().shadowPaths());
        if (port == null || port.masterSmLid() == 0 || pairs.isEmpty()) {
            then.accept(ShadowStudy.PathGrants.NOT_QUERIED);
            return;
        }
        MadAddress sa = new MadAddress(port.masterSmLid(), 1, port.masterSmSl(), 0);
        sampler.query(pairs, sa, answers -> then.accept(new ShadowStudy.PathGrants(pairs.size(), answers)));
    }

    private void study(
            FabricSnapshot seen,
            ShadowStudy.PathGrants granted,
            double seconds,
            @Nullable NoticedFault fault,
            Names current) {
        if (hasEnded) {
            return;
        }
        FabricSnapshot previous = record.last();
        VirtualSm.Start start = VirtualSm.Start.of(options.get());
        compute(
                () -> {
                    ShadowStudy study = ShadowStudy.of(seen, granted, start, current);
                    SnapshotDifference change = previous == null ? null : SnapshotDifference.between(previous, seen);
                    ShadowReport.Response own = previous == null || change == null || change.isSameTopology()
                            ? null
                            : ShadowStudy.response(previous, seen, start);
                    return new ShadowRecord.Reading(
                            seen, seconds, client.stats().sent(), study, change, own, fault);
                },
                reading -> handleStudy(reading, current));
    }

    private void handleStudy(ShadowRecord.Reading reading, Names current) {
        ShadowReport newReport = record.add(reading, current);
        report = newReport;
        events.report(newReport);
        SnapshotDifference change = reading.change();
        boolean isFault = change != null && !change.isSameTopology();
        ShadowReport.Fault fault = isFault ? newReport.faults().get(0) : null;
        NoticedFault noticed = reading.noticed();
        if (fault != null && noticed == null) {
            events.fault(fault.what());
        }
        double seconds = fault != null ? fault.seconds() : noticed == null ? -1 : noticed.seconds();
        events.faultEnded(fault, seconds, newReport.proof().lost() == 0);
        listener.reported(newReport, reading.seen());
        nextReading =
                loop.schedule(TimeUnit.SECONDS.toNanos(options.get().shadow().shadowIntervalS()), () -> readAll(null));
        scheduleLinkCheck();
    }

    /**
     * Runs a computation on the pool. If it throws an exception, the listener is called, and the fabric is read again
     * later.
     *
     * @param then callback; called on the loop with the result
     */
    private <T> void compute(Supplier<T> work, Consumer<T> then) {
        pool.execute(() -> {
            try {
                T result = work.get();
                loop.execute(() -> {
                    if (!hasEnded) {
                        then.accept(result);
                    }
                });
            } catch (RuntimeException | Error defect) {
                loop.execute(() -> {
                    listener.defect(defect);
                    if (!hasEnded) {
                        nextReading = loop.schedule(RETRY_NS, () -> readAll(null));
                    }
                });
                FatalErrors.escalate(defect);
            }
        });
    }

    // --- readings of links, and actions after a change ---

    private void scheduleLinkCheck() {
        int periodS = options.get().shadow().shadowLookS();
        if (periodS > 0) {
            nextLinkCheck = loop.schedule(TimeUnit.SECONDS.toNanos(periodS), this::checkLinks);
        }
    }

    private void checkLinks() {
        if (reader.isReading() || hasEnded) {
            return;
        }
        long startNs = loop.nowNs();
        reader.checkForChanges(isChanged -> {
            if (isChanged) {
                nextReading.cancel();
                readFault(new OpenFault(loop.timeOfDay(), lastFaultFreeNs, loop.nowNs(), false));
            } else {
                lastFaultFreeNs = startNs;
                scheduleLinkCheck();
            }
        });
    }

    private void readFault(OpenFault fault) {
        if (hasEnded) {
            return;
        }
        Names current = names.get();
        FabricSnapshot previous = record.last();
        reader.readForwarding(current, result -> {
            FabricSnapshot seen = result.snapshot();
            if (seen == null || previous == null) {
                readingFailed(result.problem());
                return;
            }
            long readNs = loop.nowNs();
            compute(
                    () -> FabricProof.of(HeldRoutes.of(seen, current, HeldRoutes.Sls.constant(0))
                                    .tables())
                            .lost(),
                    lost -> handleFaultReading(fault, previous, seen, lost == 0, readNs));
        });
    }

    private void handleFaultReading(
            OpenFault fault, FabricSnapshot previous, FabricSnapshot seen, boolean isWhole, long readNs) {
        SnapshotDifference change = SnapshotDifference.between(previous, seen);
        boolean isSame = change.isSameTopology();
        if (!isSame && !fault.isReported) {
            events.fault(DifferenceTexts.ofChange(previous, seen, names.get()).topology(change));
        }
        OpenFault updated = new OpenFault(fault.at, fault.sinceNs, fault.noticedNs, fault.isReported || !isSame);
        if (isWhole && isSame && !updated.isReported && change.counts().isEmpty()) {
            lastFaultFreeNs = readNs; // no fault: only a bounced link, or a change in a counter
            nextReading = loop.schedule(
                    TimeUnit.SECONDS.toNanos(options.get().shadow().shadowIntervalS()), () -> readAll(null));
            scheduleLinkCheck();
        } else if (isWhole) {
            double tookS = TimeUnit.NANOSECONDS.toMillis(readNs - fault.sinceNs) / 1_000.0;
            readAll(new NoticedFault(fault.at, tookS));
        } else if (loop.nowNs() - fault.noticedNs > FAULT_LIMIT_NS) {
            readAll(new NoticedFault(fault.at, -1));
        } else {
            readFault(updated);
        }
    }
}
