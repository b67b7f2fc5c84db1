package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mastership.MasterAuthority;
import io.torussm.mastership.SweepControl;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.program.Programmers;
import io.torussm.program.table.LateReading;
import io.torussm.quarantine.Quarantine;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.stages.DeviceFaults;
import io.torussm.sweep.stages.SweepContext;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.sweep.state.SweepResult;
import io.torussm.sweep.state.SweepState;
import io.torussm.transport.Loop;
import io.torussm.trap.Traps;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The schedule of sweeps: decides when to sweep, and in which scope. One sweep runs at a time. Owner thread: the loop,
 * except for methods that say otherwise.
 *
 * <p>A sweep that is requested while one is running follows it. {@link Sweep} is a single sweep; {@link SweepState} is
 * the state between sweeps.
 */
public final class Sweeper implements SweepControl {
    private final SweepContext parts;
    private final Loop loop;
    private final Programmers programmers;
    private final SweepCounts counts = new SweepCounts();
    private final DueWork due = new DueWork();
    private final AwaitedSweeps awaited = new AwaitedSweeps();
    private final FollowUps followUps;
    private final DeviceFaults faults;
    private final Traps traps;
    private final LightSweeps light;
    private final IdleWork idle;
    private final RunTimeChanges partitionChanges;
    private final Knowledge knowledge;

    private MasterAuthority authority = MasterAuthority.ALONE;
    private @Nullable Sweep running;
    private boolean isStopped;
    private volatile boolean isSuspended;
    private long sweeps;

    /** Creates a sweeper; it starts on request. */
    public Sweeper(SweepContext parts) {
        this.parts = parts;
        this.loop = parts.loop();
        this.knowledge = new Knowledge(parts);
        this.programmers = new Programmers(
                parts.client(),
                loop,
                parts.pool(),
                parts.vlArbitration(),
                parts.memberships(),
                parts.aliases(),
                knowledge);
        this.faults = DeviceFaults.none(loop, parts.memory().drains());
        this.light = new LightSweeps(this, parts, programmers, faults, counts);
        this.followUps = new FollowUps(loop, this::sweepIfMaster);
        this.idle = new IdleWork(parts, programmers, knowledge, this::isResting, this::proveWhole, this::sweepHeavy);
        this.traps = new Traps(parts.client(), loop, parts.memory(), new TrapEffects(this, parts, () -> authority));
        this.partitionChanges = new RunTimeChanges(
                parts, programmers, knowledge, faults.pKeys(), () -> authority.isMaster() && !isStopped, this::next);
    }

    /** Sets the authority that decides whether this SM may sweep and write (default: it may). */
    public void setAuthority(MasterAuthority newAuthority) {
        loop.requireInLoop();
        authority = newAuthority;
    }

    /** Returns the published view; null until the first subnet is up. May be called from any thread. */
    public @Nullable PublishedView view() {
        return knowledge.view();
    }

    /** Returns the fabric state: active routes, last discovery, their difference. May be called from any thread. */
    public FabricState state() {
        return knowledge.state();
    }

    /** Returns the handling of SMPs of other devices, with its counters; {@link Traps#receive} on the loop only. */
    public Traps traps() {
        return traps;
    }

    /** Returns the counters of sweeps; may be read from any thread. */
    public SweepCounts counts() {
        return counts;
    }

    /** Returns devices and links that are excluded from the subnet; may be called from any thread. */
    public List<Quarantine.Entry> excludedParts() {
        return faults.quarantine().entries();
    }

    /** Returns the work that is done while no sweep is running or due. */
    public IdleWork idle() {
        return idle;
    }

    /** Checks whether no work is in progress or due; confined to the loop. */
    public boolean isResting() {
        return running == null && !light.isReading() && !partitionChanges.isWriting() && due.isEmpty();
    }

    /**
     * Changes the run-time members of partitions between sweeps.
     *
     * @param then callback, called once, on the loop
     */
    public void changePartitions(RunTimeChange.Request request, Consumer<RunTimeOutcome> then) {
        loop.requireInLoop();
        partitionChanges.submit(request, then);
    }

    /**
     * Suspends or resumes sweeps, requested or for reported changes. A running sweep continues. Sweeps that become due
     * meanwhile begin when sweeps resume. The end of the mastership resumes them, too.
     *
     * @param isWanted true to suspend, false to resume
     */
    public void suspend(boolean isWanted) {
        loop.requireInLoop();
        isSuspended = isWanted;
        next();
    }

    /** Checks whether sweeps are suspended; may be called from any thread. */
    public boolean isSuspended() {
        return isSuspended;
    }

    /**
     * Calls back at the end of the next requested sweep. Further sweeps that it requires are not awaited.
     *
     * @param isLight whether the requested sweep is a light one; if it finds a change, the sweep that follows counts
     * @param completion callback, called on the loop after the listener; empty if the wait ends without a sweep
     */
    public void awaitNext(boolean isLight, Consumer<Optional<SweepCounts.SweepEnd>> completion) {
        loop.requireInLoop();
        // sweepLight does nothing while a sweep runs, so the end of the running sweep counts.
        awaited.await(isLight && running != null ? sweeps : sweeps + 1, isLight, completion);
    }

    /** Sweeps the whole fabric, now or at the end of the running sweep. */
    @Override
    public void sweepHeavy() {
        loop.requireInLoop();
        due.requestHeavySweep();
        next();
    }

    /**
     * Reads the neighbourhood of a switch with a changed port again, now or at the end of the running sweep. If more
     * than hosts changed, routes are computed again. A whole sweep replaces this if it is necessary or less work.
     *
     * @param lid LID of the switch. If no switch has it, a light sweep follows; not a whole one, because an unknown
     *     device may send traps without end. If the switch is excluded, nothing is done.
     */
    public void sweepNeighbourhood(int lid) {
        loop.requireInLoop();
        if (faults.quarantine().isLidExcluded(lid)) {
            return;
        }
        Subnet subnet = addressedSubnet();
        parts.remembered().onPortChange(lid, subnet != null);
        int node = subnet == null ? Fabric.NONE : subnet.switchWithLid(lid);
        if (subnet == null) {
            due.addReportedChange(loop.nowNs());
            due.requestHeavySweep();
        } else if (node == Fabric.NONE) {
            askSwitches(false);
            if (light.isReading()) {
                due.addReportedChange(loop.nowNs());
            }
        } else {
            onPortChange(subnet.fabric().nodeGuid(node));
        }
        next();
    }

    /** Handles a change of a port of the switch with this NodeGUID, which a trap reported or a sweep found. */
    private void onPortChange(long guid) {
        due.addReportedChange(loop.nowNs(), guid, running);
    }

    /** Returns the subnet with the last assigned LIDs, also those of a sweep that is still writing. */
    @Nullable
    Subnet addressedSubnet() {
        Subnet beingWritten = running == null ? null : running.addressed();
        return beingWritten == null ? knowledge.sweepState().subnet() : beingWritten;
    }

    private void next() {
        if (isStopped || running != null || !authority.maySweep()) {
            return;
        }
        boolean isSweepDue = !isSuspended && !due.isEmpty();
        if (partitionChanges.isDue(isSweepDue)) {
            partitionChanges.write();
        } else if (isSweepDue && partitionChanges.interruptForSweep()) {
            sweep();
        }
    }

    private void sweep() {
        SweepState known = knowledge.sweepState();
        Fabric fabric = known.fabric();
        boolean isInDoubt = parts.client().isRefusingSets(); // Only a whole sweep shows whether this SM is master.
        boolean isLocal = due.isLocal(known) && !isInDoubt;
        List<Long> changed = due.takeChangedSwitches();
        changed.forEach(programmers::onPortChange);
        light.end();
        Sweep sweep = begin(isLocal);
        if (fabric != null && isLocal) {
            sweep.readSwitches(fabric, changed, due.preemptions());
        } else {
            sweep.start(known.allowsLocalSweep() && !due.isWholeSweepOutstanding() && !isInDoubt);
        }
    }

    private Sweep begin(boolean isLocal) {
        sweeps++;
        partitionChanges.interrupt();
        programmers.guids().hold();
        idle.suspend();
        Sweep sweep = new Sweep(
                parts,
                programmers,
                authority,
                counts,
                faults,
                knowledge.start(idle.ready(), sweeps, isLocal),
                this::onPortChange,
                this::apply);
        sweep.reported(due.takeReportedNs());
        running = sweep;
        return sweep;
    }

    /** Handles the end of a sweep: the only place where its state becomes the known state. */
    private void apply(SweepResult result) {
        Sweep sweep = running;
        long number = sweeps;
        running = null;
        knowledge.onSweepEnd(result, sweep == null ? null : sweep.seen(), faults.quarantine()::isLeftOut);
        PublishedView published = view();
        if (published != null && result.isPublished()) {
            light.onSweepEnd(published.subnet().fabric());
            partitionChanges.onSweepEnd(published);
        }
        if (sweep != null && !sweep.isWhole()) {
            light.readHostLidsOf(sweep.switchesWithChanges());
        }
        due.onSweepEnd(result, sweep != null && sweep.isWhole(), sweep == null ? -1 : sweep.reportedNs());
        followUp(result);
        due.takeDeferredChanges().forEach(this::applyReadAttributes);
        programmers.groups().release();
        programmers.guids().release();
        loop.execute(this::next);
        result.report(parts.listener(), state());
        if (!due.isWholeSweepOutstanding()) {
            awaited.onSweepEnd(number, result.end());
        }
    }

    /** Makes the required next sweep due if {@link FollowUps} permits it; otherwise begins the reads between sweeps. */
    private void followUp(SweepResult result) {
        if (followUps.onSweepEnd(result.mustFollow())) {
            due.requestHeavySweep();
            return;
        }
        if (result.isPublished()) {
            light.retryExcluded();
            LateReading rest = result.late();
            if (rest != null && due.isEmpty()) {
                light.read(rest, this::reroute); // If a table differs, a sweep without discovery writes it.
            }
            idle.published();
        }
    }

    private void sweepIfMaster() {
        if (authority.maySweep()) {
            sweepHeavy();
        }
    }

    /**
     * Applies attributes that were read outside a sweep. If a sweep is running, they are applied after its end, which
     * publishes the attributes that the sweep read.
     */
    void applyReadAttributes(UnaryOperator<Fabric> change) {
        if (running == null) {
            knowledge.onAttributesRead(change);
        } else {
            due.defer(change);
        }
    }

    /** Restarts the running sweep if it has written nothing; otherwise another sweep follows it. */
    @Override
    public void sweepAsNewMaster() {
        loop.requireInLoop();
        programmers.forgetDevices();
        Sweep sweep = running;
        if (sweep != null && sweep.isReading()) {
            cancel();
        } else if (sweep != null) {
            sweep.reregister();
        }
        knowledge.requestReregistration();
        sweepHeavy();
    }

    @Override
    public void restartSweep() {
        loop.requireInLoop();
        halt();
        programmers.forgetDevices();
        sweepHeavy();
    }

    /** Ends the mastership; the state will be outdated when this SM is master again. */
    @Override
    public void withdraw() {
        loop.requireInLoop();
        isSuspended = false;
        partitionChanges.endAll(RunTimeOutcome.ChangeStatus.NOT_MASTER, "another SM is master now; ask it");
        halt();
        programmers.forgetAll();
        idle.forget();
        light.forget();
        knowledge.onMastershipEnd();
        traps.onMastershipEnd();
        faults.forget();
        due.clear();
        awaited.cancelAll();
    }

    /** Computes and proves the routes again, with a whole proof. */
    private void proveWhole() {
        knowledge.requireWholeProof();
        reroute();
    }

    /**
     * Computes routes again and programs the differences, without discovery. If the last discovery is not published, or
     * work is left, a whole sweep replaces this, because the discovery may be outdated.
     */
    public void reroute() {
        loop.requireInLoop();
        Fabric fabric = knowledge.sweepState().completedFabric();
        boolean isInDoubt = parts.client().isRefusingSets();
        if (fabric == null || !due.isEmpty() || running != null || isSuspended || isInDoubt) {
            sweepHeavy();
        } else if (!isStopped) {
            begin(false).reroute(fabric);
        }
    }

    /**
     * Reads SwitchInfo of every switch, and begins a sweep if a port changed. If the last sweep left work, begins a
     * whole sweep instead. Does nothing while a sweep runs; the next call finds the work that the running sweep leaves.
     */
    @Override
    public void sweepLight() {
        loop.requireInLoop();
        faults.retries().countLightSweep();
        if (running != null) {
            return;
        }
        SweepState.OpenWork left = knowledge.sweepState().openWork();
        if (view() == null || left.isWholeSweepRequired() || parts.client().isRefusingSets()) {
            sweepHeavy();
        } else if (left.failedKeys().stream().anyMatch(faults.retries()::isDue)) {
            faults.retries().onRetry(left.failedKeys());
            sweepHeavy();
        } else {
            askSwitches(true);
        }
    }

    /**
     * Reads SwitchInfo of every switch: whether a port changed, and whether it has its tables. Soon after the first
     * subnet is up, this finds switches that restarted during the first sweep. During that sweep neither they nor their
     * neighbours had an SM to which they could send a trap.
     */
    public void startLightSweep() {
        loop.requireInLoop();
        askSwitches(false);
    }

    /** Starts a light sweep, unless a sweep or a read is in progress. */
    private void askSwitches(boolean isFull) {
        PublishedView published = view();
        if (published != null && running == null && !light.isReading() && !isStopped && !isSuspended) {
            light.start(published.subnet(), knowledge.sweepState().unansweredRequests(), isFull);
        }
    }

    void onLightSweepEnd(LightSweep.LightOutcome found) {
        due.onSweepEnd(found);
        knowledge.onLightSweepEnd(found);
        if (found.isQuiet()) {
            awaited.onQuietLightSweep();
        } else {
            next();
        }
    }

    /** Ends the sweeper: cancels the running sweep, and begins no other. */
    public void stop() {
        loop.requireInLoop();
        isStopped = true;
        idle.stop();
        partitionChanges.endAll(RunTimeOutcome.ChangeStatus.ENDED, "this SM ends");
        halt();
        awaited.cancelAll();
    }

    private void halt() {
        light.end();
        idle.suspend();
        partitionChanges.interrupt();
        programmers.groups().stop();
        programmers.guids().suspend();
        cancel();
    }

    private void cancel() {
        Sweep sweep = running;
        running = null;
        if (sweep != null) {
            knowledge.onSweepCancelled(sweep.cancel());
        }
    }
}
