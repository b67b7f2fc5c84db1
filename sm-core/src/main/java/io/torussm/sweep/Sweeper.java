package io.torussm.sweep;

import io.torussm.event.Finding;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.Notice;
import io.torussm.mastership.MasterAuthority;
import io.torussm.mastership.SweepControl;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.program.LateReading;
import io.torussm.program.Programmers;
import io.torussm.quarantine.Quarantine;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.trap.LinkComplaints;
import io.torussm.trap.TrapCounts;
import io.torussm.trap.Traps;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Decides when there is a sweep, and of what: one at a time. Owner thread: the loop, except for {@link #view()} and the counters.
 *
 * <p>A sweep asked for while one runs is remembered and follows it. What each of them does is in {@link Sweep}, what one
 * leaves to the next in {@link Known}.
 */
public final class Sweeper implements SweepControl {
    private static final EventLog EVENTS = EventLog.of(Sweeper.class);

    private final SweepContext parts;
    private final Loop loop;
    private final Programmers programmers;
    private final SweepCounts counts = new SweepCounts();
    private final DueWork due = new DueWork();
    private final AwaitedSweeps awaited = new AwaitedSweeps();
    private final FollowUps followUps = new FollowUps();
    private final DeviceFaults faults;
    private final Traps traps;
    private final LightSweeps light;
    private final FailurePrecheck precheck;
    private final PlanPreparation preparation;
    private final DriftWatch drift;
    private final RunTimeChanges partitionChanges;

    /** Changed on the loop only; its view may be read by any thread. */
    private volatile Known known = Known.NOTHING;

    /** Changed on the loop only, and read by any thread. */
    private volatile FabricState state = FabricState.NOTHING;

    private MasterAuthority authority = MasterAuthority.ALONE;
    private Consumer<Notice> forwarding = notice -> {};
    private @Nullable Sweep running;

    /** When the first change was reported that no sweep has looked at yet; negative if there is none. */
    private long reportedNs = -1;

    private boolean isStopped;
    private volatile boolean isSuspended;
    private long sweeps;

    /** Creates a sweeper that does nothing until asked. */
    public Sweeper(SweepContext parts) {
        this.parts = parts;
        this.loop = parts.loop();
        this.programmers = new Programmers(
                parts.client(),
                loop,
                parts.pool(),
                parts.vlArbitration(),
                parts.memberships(),
                parts.aliases(),
                new GroupWrites());
        this.faults = DeviceFaults.none(loop, parts.memory().drains());
        this.light = new LightSweeps(parts, programmers, faults, counts, this::onLight);
        this.precheck = new FailurePrecheck(loop, () -> known, this::isResting, this::mistrustProof);
        this.preparation = new PlanPreparation(loop, () -> known, () -> isResting() && precheck.isDone());
        this.drift = new DriftWatch(
                parts.client(), loop, programmers, this::view, this::isResting, parts.driftPace(), this::sweepHeavy);
        this.traps = new Traps(parts.client(), loop, parts.memory(), new TrapEffects());
        this.partitionChanges = new RunTimeChanges(parts, programmers.partitions(), new PartitionGround());
    }

    /** What changes of partitions find published, and publish. */
    private final class PartitionGround implements RunTimeChanges.Ground {
        @Override
        public @Nullable PublishedView view() {
            return Sweeper.this.view();
        }

        @Override
        public boolean isMaster() {
            return authority.isMaster() && !isStopped;
        }

        @Override
        public void publish(PublishedView view, boolean isLeft) {
            Known now = known.repartitioned(view);
            known = isLeft ? now.incomplete() : now;
            state = state.on(view);
            parts.listener().partitionsChanged(view);
        }

        @Override
        public void next() {
            Sweeper.this.next();
        }
    }

    /** Takes note of what is written between sweeps. */
    private final class GroupWrites implements Programmers.GroupListener {
        @Override
        public void programmed() {
            parts.listener().multicastProgrammed();
        }

        @Override
        public void incomplete() {
            known = known.incomplete();
        }
    }

    /** What traps are judged by, and what they bring about. */
    private final class TrapEffects implements Traps.Effects {
        @Override
        public boolean isMaster() {
            return authority.isMaster();
        }

        @Override
        public @Nullable Subnet addressed() {
            return Sweeper.this.addressed();
        }

        @Override
        public @Nullable PublishedView view() {
            return Sweeper.this.view();
        }

        @Override
        public boolean mayDisablePorts() {
            return parts.settings().get().disablesBabblers();
        }

        @Override
        public void linkChanged(int lid) {
            sweepAround(lid);
        }

        @Override
        public void deviceChanged(UnaryOperator<Fabric> change) {
            learn(change);
        }

        @Override
        public void smChanged(DrPath path) {
            authority.smChanged(path);
        }

        @Override
        public void forward(Notice notice) {
            forwarding.accept(notice);
        }
    }

    /** Who decides from now on whether this SM may sweep and write; without this call it is alone. */
    public void under(MasterAuthority newAuthority) {
        loop.check();
        authority = newAuthority;
    }

    /** Who takes from now on the traps that were acted on, to forward them to subscribers. */
    public void forwardTo(Consumer<Notice> others) {
        loop.check();
        forwarding = others;
    }

    /** What is published; null until the first subnet is up. May be called from any thread. */
    public @Nullable PublishedView view() {
        return known.view();
    }

    /** What rules, what was found last, and their difference. May be called from any thread. */
    public FabricState state() {
        return state.on(known.view());
    }

    /**
     * Paths whose SL changed from one published subnet to the next, summed over all sweeps; should be 0. May be called
     * from any thread.
     */
    public long slChanges() {
        return counts.changedSls();
    }

    /** Complaints of ports that somebody shows a wrong M_Key (trap 256); may be called from any thread. */
    public long mKeyComplaints() {
        return traps.mKeyComplaints();
    }

    /** What became of the traps that came in; may be called from any thread. */
    public TrapCounts trapCounts() {
        return traps.counts();
    }

    /** Ports that complain of their links, by traps 129 to 131; may be called from any thread. */
    public LinkComplaints complaints() {
        return traps.complaints();
    }

    /** How often routes were computed. May be called from any thread. */
    public long routings() {
        return counts.routings();
    }

    /** What sweeps there were, and how they ended; may be read from any thread. */
    public SweepCounts counts() {
        return counts;
    }

    /** Devices and links that are left out of the subnet; may be called from any thread. */
    public List<Quarantine.Entry> leftOut() {
        return faults.quarantine().entries();
    }

    /** Reads back what devices hold. */
    public DriftWatch drift() {
        return drift;
    }

    /** Whether nothing runs and nothing is to follow; confined to the loop. */
    public boolean isResting() {
        return running == null && !light.isReading() && !partitionChanges.isWriting() && due.isNothing();
    }

    /**
     * Changes what was added to partitions at run time, between sweeps.
     *
     * @param then called once, on the loop
     */
    public void changePartitions(RunTimeChange.Request request, Consumer<RunTimeOutcome> then) {
        loop.check();
        partitionChanges.submit(request, then);
    }

    /**
     * Plays the loss of some cables of the published subnet through once there is nothing else to do, and reports those
     * without which there would be no routes. The code has been run then when a cable is lost in earnest.
     *
     * @param cables at most so many for the same routes
     * @param on where it is computed; not where sweeps wait for their routes
     */
    public void precheckFailures(int cables, Executor on) {
        loop.check();
        precheck.begin(cables, parts.settings().get().routingOptions(), on);
    }

    /**
     * Computes plans for single failures of the published subnet once there is nothing else to do, and keeps them for sweeps that
     * find one.
     *
     * @param limit of the memory that they take, in bytes; 0 for none
     * @param on where they are computed; not where sweeps wait for their routes
     */
    public void keepPlansReady(long limit, Executor on) {
        loop.check();
        preparation.begin(limit, parts.settings().get().routingOptions(), on);
    }

    /** How many plans are ready for single failures; may be called from any thread. */
    public ReadyReport readyPlans() {
        return preparation.report();
    }

    /**
     * Begins no sweep from now on, whatever is asked for or reported, until this is called again or another SM is master; a
     * sweep that runs goes on. What was asked for meanwhile is done then.
     */
    public void suspend(boolean isWanted) {
        loop.check();
        isSuspended = isWanted;
        next();
    }

    /** Whether sweeps are held back; may be called from any thread. */
    public boolean isSuspended() {
        return isSuspended;
    }

    /** Takes SMPs of others. */
    public void receive(MadFrame frame) {
        loop.check();
        traps.receive(frame);
    }

    /**
     * Tells how the sweep ends that is asked for next; of several that follow each other because the first found more to do, the first.
     *
     * @param isLight whether it is a light one, whose end is that of the sweep that follows if it finds a change
     * @param told called on the loop after the listener; without an end if there will be none, since this SM is not master or ends
     */
    public void awaitNext(boolean isLight, Consumer<Optional<SweepCounts.End>> told) {
        loop.check();
        awaited.await(isLight && running != null ? sweeps : sweeps + 1, isLight, told);
    }

    /** Sweeps the whole fabric, now or as soon as the sweep that runs is over. */
    @Override
    public void sweepHeavy() {
        loop.check();
        due.heavy();
        next();
    }

    /**
     * Reads again what is around a switch some port of which changed, now or as soon as the sweep that runs is over; and
     * routes anew if that has changed more than hosts. Sweeps the whole fabric if that is less work or nothing else will do.
     *
     * @param lid of the switch; with one that no switch has every switch is asked whether a port of it changed, since a stranger may
     *     complain for ever; with one that is left out nothing is done
     */
    public void sweepAround(int lid) {
        loop.check();
        if (faults.quarantine().hasLeftOut(lid)) {
            return;
        }
        Subnet subnet = addressed();
        int port = subnet == null ? Fabric.NONE : subnet.portOfLid(lid);
        if (subnet == null) {
            reportedNow();
            due.heavy();
        } else if (port == Fabric.NONE
                || !subnet.fabric().isSwitch(subnet.fabric().nodeOf(port))) {
            askSwitches();
            if (light.isReading()) {
                reportedNow();
            }
        } else {
            reported(subnet.fabric().nodeGuid(subnet.fabric().nodeOf(port)));
        }
        next();
    }

    /** A switch says that a port of it changed, or was found to have one that did. */
    private void reported(long guid) {
        reportedNow();
        notice(guid);
    }

    private void reportedNow() {
        reportedNs = reportedNs < 0 ? loop.nowNs() : reportedNs;
    }

    /** The subnet with the addresses that were given last, also by a sweep that is still writing. */
    private @Nullable Subnet addressed() {
        Sweep sweep = running;
        Subnet beingWritten = sweep == null ? null : sweep.addressed();
        return beingWritten == null ? known.subnet() : beingWritten;
    }

    /** A change that the discovery that runs will read by itself needs no other sweep. */
    private void notice(long guid) {
        Sweep sweep = running;
        if (sweep == null || !sweep.notice(guid)) {
            due.around(List.of(guid));
        } else {
            reportedNs = -1;
        }
    }

    private void next() {
        if (isStopped || running != null || !authority.maySweep()) {
            return;
        }
        boolean isSweepDue = !isSuspended && !due.isNothing();
        if (partitionChanges.isDue(isSweepDue)) {
            partitionChanges.write();
        } else if (isSweepDue && partitionChanges.giveWay()) {
            sweep();
        }
    }

    private void sweep() {
        Fabric fabric = known.fabric();
        boolean isLocal = due.isLocal(known);
        List<Long> around = due.take();
        around.forEach(programmers::changed);
        light.end();
        Sweep sweep = begin(isLocal);
        if (fabric != null && isLocal) {
            sweep.update(fabric, around);
        } else {
            sweep.start();
        }
    }

    private Sweep begin(boolean isLocal) {
        sweeps++;
        partitionChanges.interrupt();
        programmers.guids().hold();
        drift.hold();
        preparation.giveWay();
        Sweep sweep = new Sweep(
                parts,
                programmers,
                authority,
                counts,
                faults,
                known,
                preparation.ready(),
                sweeps,
                isLocal,
                this::reported,
                this::apply);
        sweep.reported(reportedNs);
        reportedNs = -1;
        running = sweep;
        return sweep;
    }

    /** A sweep is over: the one place where what it came to know becomes what is known. */
    private void apply(SweepResult result) {
        Sweep sweep = running;
        long number = sweeps;
        running = null;
        know(result);
        look(result, sweep);
        PublishedView published = known.view();
        if (published != null && result.isPublished()) {
            partitionChanges.swept(published);
        }
        due.around(result.changed());
        if (result.end() == SweepCounts.End.WIDENED) {
            due.heavy();
        }
        if (result.end().isContinued() && sweep != null && sweep.reportedNs() >= 0) {
            reportedNs = sweep.reportedNs();
        }
        followUp(result);
        due.takeLater().forEach(this::learn);
        programmers.groups().release();
        programmers.guids().release();
        loop.execute(this::next);
        result.report(parts.listener());
        awaited.ended(number, result.end());
    }

    private void look(SweepResult result, @Nullable Sweep sweep) {
        if (sweep != null && !result.end().isContinued()) {
            FabricState before = state;
            state = FabricStates.after(
                    before, result, sweep.seen(), faults.quarantine().entries(), parts.memory(), loop.timeOfDay());
            parts.listener().looked(before, state, loop.timeOfDay());
            List<Finding> changes = HostChanges.between(before, state);
            if (!changes.isEmpty()) {
                changes.forEach(EVENTS::report);
                parts.listener().hostsChanged(changes);
            }
        }
    }

    /** Sweeps that lead to a subnet without a bad device follow each other at once, but not for ever. */
    private void followUp(SweepResult result) {
        OptionalLong pauseNs = followUps.after(result.mustFollow());
        if (pauseNs.isPresent() && pauseNs.getAsLong() == 0) {
            due.heavy();
            return;
        }
        pauseNs.ifPresent(ns -> loop.schedule(ns, () -> {
            if (authority.maySweep()) {
                sweepHeavy();
            }
        }));
        if (result.isPublished()) {
            askWhatIsLeftOut();
            LateReading rest = result.late();
            if (rest != null && due.isNothing()) {
                light.read(rest, this::reroute); // what is not as it should be needs another pass over the tables
            }
            drift.published();
        }
    }

    private void askWhatIsLeftOut() {
        faults.quarantine().askAgain(parts.client(), released -> {
            programmers.forget(released);
            sweepHeavy();
        });
    }

    private void know(SweepResult result) {
        if (result.end() == SweepCounts.End.SUPERSEDED) {
            known = known.unfinished();
        } else {
            know(result.known(), result.isPublished());
        }
    }

    /** What groups left to do while a sweep ran is left to do unless it wrote everything. */
    private void know(Known newer, boolean isAllWritten) {
        known = known.left().isIncomplete() && !isAllWritten ? newer.incomplete() : newer;
    }

    /** What was read apart from a sweep is not lost in the one that runs, whose end publishes what it read itself. */
    private void learn(UnaryOperator<Fabric> change) {
        if (running == null) {
            known = known.renewed(change);
            state = state.on(known.view());
        } else {
            due.later(change);
        }
    }

    /** A sweep that only reads as yet is begun again, one that writes already is followed by another. */
    @Override
    public void sweepAnew() {
        loop.check();
        programmers.forgetDevices();
        Sweep sweep = running;
        if (sweep != null && sweep.isReading()) {
            cancel();
        } else if (sweep != null) {
            sweep.reregister();
        }
        known = known.reregistering();
        sweepHeavy();
    }

    @Override
    public void startOver() {
        loop.check();
        halt();
        programmers.forgetDevices();
        sweepHeavy();
    }

    /** Another SM is master, and whatever this one knows will be out of date when it is master again. */
    @Override
    public void rest() {
        loop.check();
        isSuspended = false;
        partitionChanges.endAll(RunTimeOutcome.Kind.NOT_MASTER, "another SM is master now; ask it");
        halt();
        programmers.giveWay();
        drift.forget();
        preparation.forget();
        known = known.givenWay();
        state = FabricState.NOTHING;
        faults.forget();
        due.clear();
        awaited.giveUp();
    }

    /** The next proof is a whole one, and made now. */
    private void mistrustProof() {
        Known.Policy policy = known.policy();
        if (policy != null) {
            known = known.with(policy.withoutProof());
        }
        reroute();
    }

    /**
     * Computes routes anew and programs what differs, without discovery; a whole sweep unless all that was read last is
     * published and nothing is left to do, for what was read before a failure may not be so any more.
     */
    public void reroute() {
        loop.check();
        PublishedView published = known.view();
        Fabric fabric = published == null ? null : published.subnet().fabric();
        boolean isLeft = known.left().isAnything() || !known.left().undone().isEmpty();
        boolean isCurrent = fabric != null && fabric.equals(known.fabric()) && !isLeft && due.isNothing();
        if (fabric == null || !isCurrent || running != null || isSuspended) {
            sweepHeavy();
        } else if (!isStopped) {
            begin(false).reroute(fabric);
        }
    }

    /**
     * Asks every switch whether a port changed; sweeps the whole fabric if one did, or if the last sweep left something. Does nothing while
     * a sweep runs: what that leaves, the next call finds.
     */
    @Override
    public void sweepLight() {
        loop.check();
        PublishedView published = known.view();
        faults.retries().tick();
        if (running != null) {
            return;
        }
        if (published == null || known.left().isAnything()) {
            sweepHeavy();
        } else if (known.left().undone().stream().anyMatch(faults.retries()::isDue)) {
            faults.retries().retried(known.left().undone());
            sweepHeavy();
        } else {
            askSwitches();
        }
    }

    /** Unless something runs that does, or will. */
    private void askSwitches() {
        PublishedView published = known.view();
        if (published == null || running != null || light.isReading() || isStopped || isSuspended) {
            return;
        }
        programmers.guids().release();
        askWhatIsLeftOut();
        light.start(published.subnet().fabric(), known.silent());
    }

    private void onLight(LightSweep.Result found) {
        if (found.isQuiet()) {
            reportedNs = due.isNothing() ? -1 : reportedNs;
            awaited.quiet();
            return;
        }
        known = known.heard(found.heard());
        due.around(found.changed());
        if (found.mustSweepAll()) {
            due.heavy();
        }
        next();
    }

    /** Ends: what runs is cancelled, nothing new is begun. */
    public void stop() {
        loop.check();
        isStopped = true;
        precheck.stop();
        preparation.stop();
        drift.forget();
        partitionChanges.endAll(RunTimeOutcome.Kind.ENDED, "this SM ends");
        halt();
        awaited.giveUp();
    }

    private void halt() {
        light.end();
        drift.hold();
        partitionChanges.interrupt();
        programmers.groups().stop();
        programmers.guids().rest();
        cancel();
    }

    private void cancel() {
        Sweep sweep = running;
        running = null;
        if (sweep != null) {
            know(sweep.cancel(), false);
        }
    }
}
