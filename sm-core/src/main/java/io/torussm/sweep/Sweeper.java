package io.torussm.sweep;

import io.torussm.discovery.DeviceRefresher;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.Notice;
import io.torussm.mastership.MasterAuthority;
import io.torussm.mastership.SweepControl;
import io.torussm.program.SweepSettings;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadScope;
import io.torussm.trap.BabblingPorts;
import io.torussm.trap.LinkComplaints;
import io.torussm.trap.MKeyMonitor;
import io.torussm.trap.TrapCounts;
import io.torussm.trap.TrapHandler;
import io.torussm.trap.TrapReceiver;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides when there is a sweep, and of what: one at a time. Owner thread:
 * the loop, except for {@link #view()} and the counters.
 *
 * <p>A sweep asked for while one runs is remembered and follows it. What each of them does is in {@link Sweep}, what one
 * leaves to the next in {@link SweepState}.
 */
public final class Sweeper implements SweepControl {
    private static final Logger LOG = LoggerFactory.getLogger(Sweeper.class);

    private final SweepContext parts;
    private final Loop loop;
    private final SweepState standing;
    private final MKeyMonitor keyWatch;
    private final TrapHandler traps;
    private final TrapReceiver agent;
    private final FailurePrecheck rehearsal;

    private Consumer<Notice> forwarding = notice -> {};
    private @Nullable Sweep running;
    private @Nullable MadScope light;
    private boolean isStopped;
    private volatile boolean isSuspended;
    private long sweeps;

    /** A sweeper that does nothing until asked. */
    public Sweeper(SweepContext parts) {
        this.parts = parts;
        this.loop = parts.loop();
        this.standing = new SweepState(parts);
        this.rehearsal = new FailurePrecheck(loop, standing, this::isResting);
        this.keyWatch = new MKeyMonitor(parts.memory(), this::view, loop::nowNs);
        this.traps = new TrapHandler(
                loop,
                () -> standing.assigned,
                keyWatch,
                new DeviceRefresher(parts.client(), this::learn, path -> standing.authority.smChanged(path)),
                new BabblingPorts(parts.client(), () -> parts.settings().get().disablesBabblers()),
                this::sweepAround,
                notice -> forwarding.accept(notice));
        this.agent = new TrapReceiver(parts.client()::send, () -> standing.authority.isMaster(), keyWatch, traps::take);
    }

    /** Who decides from now on whether this SM may sweep and write; without this call it rules alone. */
    public void under(MasterAuthority newAuthority) {
        loop.check();
        standing.authority = newAuthority;
    }

    /** Who takes from now on the traps that were acted on, to tell others of them. */
    public void forwardTo(Consumer<Notice> others) {
        loop.check();
        forwarding = others;
    }

    /** What is published; null until the first subnet is up. May be called from any thread. */
    public @Nullable PublishedView view() {
        return standing.view;
    }

    /**
     * Paths whose SL changed from one published subnet to the next, summed over all sweeps; should be 0. May be called
     * from any thread.
     */
    public long slChanges() {
        return standing.slChanges.get();
    }

    /** Complaints of ports that somebody shows a wrong M_Key (trap 256); may be called from any thread. */
    public long mKeyComplaints() {
        return keyWatch.complaints();
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
        return standing.routings.get();
    }

    /** What sweeps there were, and how they ended; may be read from any thread. */
    public SweepCounts counts() {
        return standing.counts;
    }

    /** Whether nothing runs and nothing is to follow; confined to the loop. */
    public boolean isResting() {
        return running == null && light == null && !standing.isHeavyDue && standing.changed.isEmpty();
    }

    /**
     * Plays the loss of some cables of the published subnet through once there is nothing else to do, and tells of those
     * without which there would be no routes. The code has been run then when a cable is lost in earnest.
     *
     * @param cables at most so many for the same routes
     * @param on where it is computed; not where sweeps wait for their routes
     */
    public void rehearse(int cables, Executor on) {
        loop.check();
        SweepSettings now = parts.settings().get();
        rehearsal.begin(cables, now.routingOptions(), on);
    }

    /**
     * Begins no sweep from now on, whatever is asked for or reported, until this is called again or another SM rules; a
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
        agent.receive(frame);
    }

    /** Sweeps the whole fabric, now or as soon as the sweep that runs is over. */
    @Override
    public void sweepHeavy() {
        loop.check();
        standing.isHeavyDue = true;
        next();
    }

    /**
     * Reads again what is around a switch some port of which changed, now or as soon as the sweep that runs is over; and
     * routes anew if that has changed more than hosts. Sweeps the whole fabric if that is less work or nothing else will
     * do.
     *
     * @param lid of the switch; one that nobody has is nobody's word for anything, hence the whole fabric
     */
    public void sweepAround(int lid) {
        loop.check();
        Subnet subnet = standing.assigned;
        int sw = subnet == null ? Fabric.NONE : subnet.portOfLid(lid);
        if (subnet == null
                || sw == Fabric.NONE
                || !subnet.fabric().isSwitch(subnet.fabric().nodeOf(sw))) {
            standing.isHeavyDue = true;
        } else {
            notice(subnet.fabric().nodeGuid(subnet.fabric().nodeOf(sw)));
        }
        next();
    }

    /** A change of which the discovery that runs will hear by itself wants no other sweep. */
    private void notice(long guid) {
        Sweep sweep = running;
        if (sweep == null || !sweep.notice(guid)) {
            standing.changed.add(guid);
        }
    }

    private void next() {
        if (isStopped
                || isSuspended
                || running != null
                || !standing.authority.maySweep()
                || !standing.isHeavyDue && standing.changed.isEmpty()) {
            return;
        }
        Fabric fabric = standing.known;
        boolean isLocal = fabric != null
                && !standing.isHeavyDue
                && !standing.isIncomplete
                && standing.changed.size() <= fabric.switchCount() / 8 + 4;
        List<Long> around = List.copyOf(standing.changed);
        around.forEach(standing::suspectWhatRoseAt);
        standing.isHeavyDue = false;
        standing.changed.clear();
        endLight();
        Sweep sweep = begin(isLocal);
        if (fabric != null && isLocal) {
            sweep.update(fabric, around);
        } else {
            sweep.start();
        }
    }

    /** What was read apart from a sweep is not lost in the one that runs, whose end publishes what it read itself. */
    private void learn(UnaryOperator<Fabric> change) {
        if (running == null) {
            standing.renew(change);
        } else {
            standing.renewLater(change);
        }
    }

    private Sweep begin(boolean isLocal) {
        sweeps++;
        standing.guids.hold();
        Sweep sweep = new Sweep(parts, standing, sweeps, isLocal, this::ended);
        running = sweep;
        return sweep;
    }

    /** A sweep that only reads as yet is begun again, one that writes already is followed by another. */
    @Override
    public void sweepAnew() {
        loop.check();
        standing.mustReregister = true;
        standing.forgetDevices();
        Sweep sweep = running;
        if (sweep != null && sweep.isReading()) {
            cancel();
        }
        sweepHeavy();
    }

    @Override
    public void rest() {
        loop.check();
        isSuspended = false;
        endLight();
        standing.groups.stop();
        standing.guids.rest();
        cancel();
        standing.giveWay();
        parts.memberships().forget();
    }

    /**
     * Computes routes anew and programs what differs, without discovery; a whole sweep unless all that was read last is
     * published and nothing is left to do, for what was read before a failure may not be so any more.
     */
    public void reroute() {
        loop.check();
        PublishedView published = standing.view;
        Fabric fabric = published == null ? null : published.subnet().fabric();
        boolean isCurrent = fabric != null
                && fabric.equals(standing.known)
                && !standing.isIncomplete
                && !standing.isHeavyDue
                && standing.changed.isEmpty();
        if (fabric == null || !isCurrent || running != null || standing.isHeld || isSuspended) {
            sweepHeavy();
        } else if (!isStopped) {
            begin(false).reroute(fabric);
        }
    }

    /** Asks every switch whether a port changed; sweeps the whole fabric if one did, or if the last sweep left something. */
    @Override
    public void sweepLight() {
        loop.check();
        PublishedView published = standing.view;
        if (published == null || standing.isIncomplete) {
            sweepHeavy();
        } else if (running == null && light == null && !isStopped && !isSuspended) {
            standing.guids.release();
            SweepSettings now = parts.settings().get();
            OptionalInt leased = now.isLeased() ? OptionalInt.of(now.mKeyProtectBits()) : OptionalInt.empty();
            light = LightSweep.start(
                    parts.client(),
                    published.subnet().fabric(),
                    standing.programmer,
                    standing.silent,
                    leased,
                    this::onLight);
        }
    }

    /** Ends: what runs is cancelled, nothing new is begun. */
    public void stop() {
        loop.check();
        isStopped = true;
        endLight();
        standing.groups.stop();
        standing.guids.rest();
        cancel();
    }

    private void cancel() {
        Sweep sweep = running;
        running = null;
        if (sweep != null) {
            sweep.cancel();
        }
    }

    private void onLight(LightSweep.Result found) {
        light = null;
        found.steady().forEach(standing.risen::seen);
        boolean isQuiet = found.told().isEmpty();
        standing.counts.ended(SweepCounts.Kind.LIGHT, isQuiet ? SweepCounts.End.QUIET : SweepCounts.End.CHANGED);
        if (!isQuiet) {
            LOG.info(
                    "light sweep: {} devices changed or do not answer any more, first {}",
                    found.told().size(),
                    found.told().get(0));
            standing.changed.addAll(found.changed());
            standing.isHeavyDue |= found.mustSweepAll();
            next();
        }
    }

    private void endLight() {
        MadScope scope = light;
        light = null;
        if (scope != null) {
            scope.close();
        }
    }

    private void ended() {
        running = null;
        standing.renewNow();
        standing.groups.release();
        standing.guids.release();
        loop.execute(this::next);
    }
}
