package io.torussm.sweep;

import io.torussm.discovery.Unanswered;
import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.smp.DrPath;
import io.torussm.program.LateReading;
import io.torussm.program.Programmers;
import io.torussm.program.SweepSettings;
import io.torussm.subnet.Subnet;
import io.torussm.transport.MadScope;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is read between sweeps, one thing at a time, and ends when a sweep begins. Owner thread: the loop. */
final class LightSweeps {
    private static final EventLog EVENTS = EventLog.of(LightSweeps.class);

    private final SweepContext parts;
    private final Programmers programmers;
    private final DeviceFaults faults;
    private final SweepCounts counts;
    private final Consumer<LightSweep.Result> whenOver;
    private final Runnable whenBack;
    private @Nullable MadScope running;

    /** What the last one found changed; not reported again while a refused routing leaves it as it is. */
    private List<DeviceText> changedLast = List.of();

    /** NodeGUIDs of switches whose hosts are to be asked for their LIDs. */
    private final Set<Long> behind = new HashSet<>();

    private final Confirmations confirmations = new Confirmations();

    /**
     * Creates what reads nothing until asked.
     *
     * @param whenOver called when a light sweep is over, on the loop
     * @param whenBack called when a device that was left out may be taken in again, on the loop
     */
    LightSweeps(
            SweepContext parts,
            Programmers programmers,
            DeviceFaults faults,
            SweepCounts counts,
            Consumer<LightSweep.Result> whenOver,
            Runnable whenBack) {
        this.parts = parts;
        this.programmers = programmers;
        this.faults = faults;
        this.counts = counts;
        this.whenOver = whenOver;
        this.whenBack = whenBack;
    }

    /** The next light sweep asks the hosts behind switches for their LIDs: a local sweep has read the report of a change, and no host. */
    void lookBehind(Set<Long> switches) {
        behind.addAll(switches);
    }

    /** A sweep is over, after which the fabric is known like this: the next ones ask again for what is new in it. */
    void swept(Fabric now) {
        confirmations.swept(now);
    }

    /** Another SM is master. */
    void forget() {
        confirmations.forget();
    }

    /** Whether something is being read. */
    boolean isReading() {
        return running != null;
    }

    /**
     * Starts a light sweep; nothing may be being read.
     *
     * @param subnet that is published
     * @param silent what devices did not tell
     * @param isFull whether it asks again for what is new since the last sweeps, too
     */
    void start(Subnet subnet, List<Unanswered> silent, boolean isFull) {
        programmers.guids().release();
        askWhatIsLeftOut();
        SweepSettings now = parts.settings().get();
        OptionalInt leased = now.isLeased() ? OptionalInt.of(now.mKeyProtectBits()) : OptionalInt.empty();
        Set<NodePort> unconfirmed = isFull ? confirmations.due() : Set.of();
        running = LightSweep.start(
                parts.client(),
                subnet,
                programmers.tables(),
                new LinkedHashSet<>(behind),
                silentButNotLeftOut(silent),
                unconfirmed,
                leased,
                found -> {
                    confirmations.asked(unconfirmed, found.contradicted());
                    onLight(found, silent);
                });
        behind.clear();
    }

    /** Asks devices that are left out whether they obey now. */
    void askWhatIsLeftOut() {
        faults.quarantine().askAgain(parts.client(), released -> {
            programmers.forget(released);
            whenBack.run();
        });
    }

    /** What is left out has questions of its own to answer. */
    private List<Unanswered> silentButNotLeftOut(List<Unanswered> silent) {
        Set<DrPath> leftOut = faults.quarantine().paths();
        return silent.stream()
                .filter(what ->
                        !leftOut.contains(what.path()) && faults.retries().isAsked(what.key()))
                .toList();
    }

    private void onLight(LightSweep.Result found, List<Unanswered> silent) {
        running = null;
        if (found.isRetry() && found.mustSweepAll()) {
            faults.retries().retried(silent.stream().map(Unanswered::key).toList());
        }
        found.steady().forEach(programmers::steady);
        counts.ended(SweepCounts.Kind.LIGHT, found.isQuiet() ? SweepCounts.End.QUIET : SweepCounts.End.CHANGED);
        List<DeviceText> changed = found.described();
        if (!found.isQuiet() && !changed.equals(changedLast)) {
            EVENTS.report(
                    SmEvent.DEVICES_CHANGED, EventField.COUNT.of(changed.size()), EventField.NAME.of(changed.get(0)));
        }
        changedLast = changed;
        whenOver.accept(found);
    }

    /** Reads the rest of what devices hold, unless something is being read; calls back on the loop if it is not as it should be. */
    void read(LateReading rest, Runnable whenWrong) {
        if (running == null && !rest.isEmpty()) {
            running = rest.start(parts.client(), parts.loop(), isWrong -> {
                running = null;
                if (isWrong) {
                    whenWrong.run();
                }
            });
        }
    }

    /** Ends what is being read, if anything is. */
    void end() {
        MadScope scope = running;
        running = null;
        if (scope != null) {
            scope.close();
        }
    }
}
