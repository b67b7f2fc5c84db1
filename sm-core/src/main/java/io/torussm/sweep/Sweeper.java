package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.DrPath;
import io.torussm.mastership.MasterAuthority;
import io.torussm.mastership.SweepControl;
import io.torussm.partition.RunTimeChange;
import io.torussm.partition.RunTimeOutcome;
import io.torussm.program.LateReading;
import io.torussm.program.Programmers;
import io.torussm.quarantine.Quarantine;
import io.torussm.subnet.Subnet;
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
 * Decides when there is a sweep, and of what: one at a time. Owner thread: the loop, except for {@link #view()} and the counters.
 *
 * <p>A sweep asked for while one runs is remembered and follows it. What each of them does is in {@link Sweep}, what one
 * leaves to the next in {@link Known}.
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

    /** Creates a sweeper that does nothing until asked. */
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
        this.light = new LightSweeps(parts, programmers, faults, counts, this::onLight, this::sweepHeavy);
        this.followUps = new FollowUps(loop, this::sweepIfMaster);
        this.idle = new IdleWork(parts, programmers, knowledge, this::isResting, this::mistrustProof, this::sweepHeavy);
        this.traps = new Traps(parts.client(), loop, parts.memory(), new TrapEffects());
        this.partitionChanges = new RunTimeChanges(
                parts, programmers.partitions(), knowledge, () -> authority.isMaster() && !isStopped, this::next);
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
    }

    /** Who decides from now on whether this SM may sweep and write; without this call it is alone. */
    public void under(MasterAuthority newAuthority) {
        loop.check();
        authority = newAuthority;
    }

    /** What is published; null until the first subnet is up. May be called from any thread. */
    public @Nullable PublishedView view() {
        return knowledge.view();
    }

    /** What rules, what was found last, and their difference. May be called from any thread. */
    public FabricState state() {
        return knowledge.state();
    }

    /** Takes SMPs of others, and counts traps; {@link Traps#receive} on the loop only. */
    public Traps traps() {
        return traps;
    }

    /** What sweeps there were, and how they ended; may be read from any thread. */
    public SweepCounts counts() {
        return counts;
    }

    /** Devices and links that are left out of the subnet; may be called from any thread. */
    public List<Quarantine.Entry> leftOut() {
        return faults.quarantine().entries();
    }

    /** What is done while nothing else is to do. */
    public IdleWork idle() {
        return idle;
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
            due.reported(loop.nowNs());
            due.heavy();
        } else if (port == Fabric.NONE
                || !subnet.fabric().isSwitch(subnet.fabric().nodeOf(port))) {
            askSwitches(false);
            if (light.isReading()) {
                due.reported(loop.nowNs());
            }
        } else {
            reported(subnet.fabric().nodeGuid(subnet.fabric().nodeOf(port)));
        }
        next();
    }

    /** A switch says that a port of it changed, or was found to have one that did. */
    private void reported(long guid) {
        due.reported(loop.nowNs(), guid, running);
    }

    /** The subnet with the addresses that were given last, also by a sweep that is still writing. */
    private @Nullable Subnet addressed() {
        Sweep sweep = running;
        Subnet beingWritten = sweep == null ? null : sweep.addressed();
        return beingWritten == null ? knowledge.now().subnet() : beingWritten;
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
        Known known = knowledge.now();
        Fabric fabric = known.fabric();
        boolean isLocal = due.isLocal(known);
        List<Long> around = due.take();
        around.forEach(programmers::changed);
        light.end();
        Sweep sweep = begin(isLocal);
        if (fabric != null && isLocal) {
            sweep.update(fabric, around);
        } else {
            boolean isReactionLocal =
                    known.view() != null && fabric != null && !known.left().isIncomplete();
            sweep.start(isReactionLocal && !due.isWholeOwed());
        }
    }

    private Sweep begin(boolean isLocal) {
        sweeps++;
        partitionChanges.interrupt();
        programmers.guids().hold();
        idle.giveWay();
        Sweep sweep = new Sweep(
                parts,
                programmers,
                authority,
                counts,
                faults,
                knowledge.now(),
                knowledge.state(),
                idle.ready(),
                sweeps,
                isLocal,
                this::reported,
                this::apply);
        sweep.reported(due.takeReported());
        running = sweep;
        return sweep;
    }

    /** A sweep is over: the one place where what it came to know becomes what is known. */
    private void apply(SweepResult result) {
        Sweep sweep = running;
        long number = sweeps;
        running = null;
        knowledge.ended(result, sweep == null ? null : sweep.seen(), faults.quarantine()::isLeftOut);
        PublishedView published = view();
        if (published != null && result.isPublished()) {
            light.swept(published.subnet().fabric());
            partitionChanges.swept(published);
        }
        if (sweep != null && !sweep.isWhole()) {
            light.lookBehind(sweep.switchesWithChanges());
        }
        due.after(result, sweep != null && sweep.isWhole(), sweep == null ? -1 : sweep.reportedNs());
        followUp(result);
        due.takeLater().forEach(this::learn);
        programmers.groups().release();
        programmers.guids().release();
        loop.execute(this::next);
        result.report(parts.listener());
        if (!due.isWholeOwed()) {
            awaited.ended(number, result.end());
        }
    }

    /** Sweeps that lead to a subnet without a bad device follow each other at once, but not for ever. */
    private void followUp(SweepResult result) {
        if (followUps.ended(result.mustFollow())) {
            due.heavy();
            return;
        }
        if (result.isPublished()) {
            light.askWhatIsLeftOut();
            LateReading rest = result.late();
            if (rest != null && due.isNothing()) {
                light.read(rest, this::reroute); // what is not as it should be needs another pass over the tables
            }
            idle.published();
        }
    }

    private void sweepIfMaster() {
        if (authority.maySweep()) {
            sweepHeavy();
        }
    }

    /** What was read apart from a sweep is not lost in the one that runs, whose end publishes what it read itself. */
    private void learn(UnaryOperator<Fabric> change) {
        if (running == null) {
            knowledge.renewed(change);
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
        knowledge.reregistering();
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
        idle.forget();
        light.forget();
        knowledge.givenWay();
        faults.forget();
        due.clear();
        awaited.giveUp();
    }

    /** The next proof is a whole one, and made now. */
    private void mistrustProof() {
        knowledge.distrustProof();
        reroute();
    }

    /**
     * Computes routes anew and programs what differs, without discovery; a whole sweep unless all that was read last is
     * published and nothing is left to do, for what was read before a failure may not be so any more.
     */
    public void reroute() {
        loop.check();
        Known known = knowledge.now();
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
        faults.retries().tick();
        if (running != null) {
            return;
        }
        Known.Left left = knowledge.now().left();
        if (view() == null || left.isAnything()) {
            sweepHeavy();
        } else if (left.undone().stream().anyMatch(faults.retries()::isDue)) {
            faults.retries().retried(left.undone());
            sweepHeavy();
        } else {
            askSwitches(true);
        }
    }

    /**
     * Asks every switch whether a port changed, and whether it holds its tables. Soon after the first subnet is up that finds who restarted
     * while it was brought up, and knew of no SM to which it, or those beside it, could report that.
     */
    public void look() {
        loop.check();
        askSwitches(false);
    }

    /** Unless something runs that does, or will. */
    private void askSwitches(boolean isFull) {
        PublishedView published = view();
        if (published != null && running == null && !light.isReading() && !isStopped && !isSuspended) {
            light.start(published.subnet(), knowledge.now().silent(), isFull);
        }
    }

    private void onLight(LightSweep.Result found) {
        due.after(found);
        knowledge.heard(found.heard());
        if (!found.displaced().isEmpty()) {
            knowledge.renewed(found::withLids);
        }
        if (found.isQuiet()) {
            awaited.quiet();
        } else {
            next();
        }
    }

    /** Ends: what runs is cancelled, nothing new is begun. */
    public void stop() {
        loop.check();
        isStopped = true;
        idle.stop();
        partitionChanges.endAll(RunTimeOutcome.Kind.ENDED, "this SM ends");
        halt();
        awaited.giveUp();
    }

    private void halt() {
        light.end();
        idle.giveWay();
        partitionChanges.interrupt();
        programmers.groups().stop();
        programmers.guids().rest();
        cancel();
    }

    private void cancel() {
        Sweep sweep = running;
        running = null;
        if (sweep != null) {
            knowledge.cancelled(sweep.cancel());
        }
    }
}
