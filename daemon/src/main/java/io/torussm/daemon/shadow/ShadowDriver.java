package io.torussm.daemon.shadow;

import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.shadow.ShadowRecord.Noticed;
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
 * The schedule of readings of a fabric under another master SM. It reads the whole fabric at intervals, and
 * links in between. After a change of links it reads forwarding tables repeatedly until they are complete.
 * There is one reading at a time. Owner thread: the loop; analyses run on a pool.
 */
public final class ShadowDriver {
    /** Time after a fault, virtual or real, at which the wait for complete tables ends. */
    private static final long FAULT_LIMIT_NS = TimeUnit.MINUTES.toNanos(10);

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
    private Loop.Timer nextLook = () -> {};
    private long quietNs;
    private boolean hasEnded;

    /** A listener to the results; on the loop. */
    public interface Listener {
        /** Handles a report, with the reading that it describes. */
        void reported(ShadowReport report, FabricSnapshot seen);

        /** Handles a reading that failed. */
        void unread(String reason);

        /** Handles a study that a defect ended. */
        void defect(Throwable defect);
    }

    /** A fault from its notice on. */
    private record Open(Instant at, long sinceNs, long noticedNs, boolean isTold) {}

    /**
     * Creates a driver.
     *
     * @param client on a read-only port that passes SA MADs to {@link #received}
     * @param pool executor of analyses, one at a time
     * @param options options of the operator; called for each reading
     * @param names names of nodes, from the operator; called for each reading
     * @param seed first transaction ID for the SA
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
        quietNs = loop.nowNs();
    }

    /** Returns the last report; null before the first. Any thread. */
    public @Nullable ShadowReport report() {
        return report;
    }

    /** Begins with a reading of the whole fabric. */
    public void start() {
        loop.check();
        readAll(null);
    }

    /** Reads the whole fabric as soon as no other reading is in progress. */
    public void readSoon() {
        loop.check();
        if (!reader.isReading() && !hasEnded) {
            readAll(null);
        }
    }

    /** Ends the driver; no request is sent any more. */
    public void end() {
        loop.check();
        hasEnded = true;
        reader.cancel();
        nextReading.cancel();
        nextLook.cancel();
    }

    /** Takes an SA MAD. Any thread. */
    public void received(MadFrame frame) {
        sampler.received(frame);
    }

    // --- the whole fabric ---

    private void readAll(@Nullable Noticed fault) {
        nextReading.cancel();
        nextLook.cancel();
        reader.cancel();
        long startNs = loop.nowNs();
        Names current = names.get();
        reader.read(current, result -> {
            FabricSnapshot seen = result.snapshot();
            if (seen == null) {
                unread(result.problem());
            } else {
                quietNs = startNs;
                askPaths(seen, granted -> study(seen, granted, seconds(startNs), fault, current));
            }
        });
    }

    private double seconds(long sinceNs) {
        return TimeUnit.NANOSECONDS.toMillis(loop.nowNs() - sinceNs) / 1_000.0;
    }

    private void unread(String reason) {
        events.unread(reason);
        listener.unread(reason);
        nextReading = loop.schedule(RETRY_NS, () -> readAll(null));
    }

    private void askPaths(FabricSnapshot seen, Consumer<ShadowStudy.Granted> then) {
        DeviceRegisters own = seen.device(seen.local().nodeGuid());
        PortInfo port = own == null ? null : own.portInfo(seen.local().portNum());
        List<PathSampler.Pair> pairs =
                ShadowPairs.sample(seen, options.get().shadow().shadowPaths());
        if (port == null || port.masterSmLid() == 0 || pairs.isEmpty()) {
            then.accept(ShadowStudy.Granted.NOT_ASKED);
            return;
        }
        MadAddress sa = new MadAddress(port.masterSmLid(), 1, port.masterSmSl(), 0);
        sampler.ask(pairs, sa, answers -> then.accept(new ShadowStudy.Granted(pairs.size(), answers)));
    }

    private void study(
            FabricSnapshot seen, ShadowStudy.Granted granted, double seconds, @Nullable Noticed fault, Names current) {
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
                reading -> studied(reading, current));
    }

    private void studied(ShadowRecord.Reading reading, Names current) {
        ShadowReport made = record.add(reading, current);
        report = made;
        events.report(made);
        SnapshotDifference change = reading.change();
        boolean isFault = change != null && !change.isSameTopology();
        ShadowReport.Fault fault = isFault ? made.faults().get(0) : null;
        Noticed noticed = reading.noticed();
        if (fault != null && noticed == null) {
            events.fault(fault.what());
        }
        double seconds = fault != null ? fault.seconds() : noticed == null ? -1 : noticed.seconds();
        events.faultOver(fault, seconds, made.proof().lost() == 0);
        listener.reported(made, reading.seen());
        nextReading =
                loop.schedule(TimeUnit.SECONDS.toNanos(options.get().shadow().shadowIntervalS()), () -> readAll(null));
        lookLater();
    }

    /** Runs a task on the pool and continues on the loop; a defect in it costs this reading. */
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

    private void lookLater() {
        int periodS = options.get().shadow().shadowLookS();
        if (periodS > 0) {
            nextLook = loop.schedule(TimeUnit.SECONDS.toNanos(periodS), this::look);
        }
    }

    private void look() {
        if (reader.isReading() || hasEnded) {
            return;
        }
        long startNs = loop.nowNs();
        reader.look(isChanged -> {
            if (isChanged) {
                nextReading.cancel();
                follow(new Open(loop.timeOfDay(), quietNs, loop.nowNs(), false));
            } else {
                quietNs = startNs;
                lookLater();
            }
        });
    }

    private void follow(Open fault) {
        if (hasEnded) {
            return;
        }
        Names current = names.get();
        FabricSnapshot previous = record.last();
        reader.readForwarding(current, result -> {
            FabricSnapshot seen = result.snapshot();
            if (seen == null || previous == null) {
                unread(result.problem());
                return;
            }
            long readNs = loop.nowNs();
            compute(
                    () -> FabricProof.of(HeldRoutes.of(seen, current, HeldRoutes.Sls.constant(0))
                                    .tables())
                            .lost(),
                    lost -> followed(fault, previous, seen, lost == 0, readNs));
        });
    }

    private void followed(Open fault, FabricSnapshot previous, FabricSnapshot seen, boolean isWhole, long readNs) {
        SnapshotDifference change = SnapshotDifference.between(previous, seen);
        boolean isSame = change.isSameTopology();
        if (!isSame && !fault.isTold) {
            events.fault(new DifferenceWords(previous, names.get()).topology(change));
        }
        Open updated = new Open(fault.at, fault.sinceNs, fault.noticedNs, fault.isTold || !isSame);
        if (isWhole && isSame && !updated.isTold && change.counts().isEmpty()) {
            quietNs = readNs; // a link bounced, or a device counted something
            nextReading = loop.schedule(
                    TimeUnit.SECONDS.toNanos(options.get().shadow().shadowIntervalS()), () -> readAll(null));
            lookLater();
        } else if (isWhole) {
            double tookS = TimeUnit.NANOSECONDS.toMillis(readNs - fault.sinceNs) / 1_000.0;
            readAll(new Noticed(fault.at, tookS));
        } else if (loop.nowNs() - fault.noticedNs > FAULT_LIMIT_NS) {
            readAll(new Noticed(fault.at, -1));
        } else {
            follow(updated);
        }
    }
}
