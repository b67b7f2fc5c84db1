package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.DrPath;
import io.torussm.stage.Phase;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import io.torussm.transport.MadScope;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How long a local sweep waits for answers. The cables of a switch that dies go down one after the other: the sweep for the first of
 * them plans with that switch, and would then wait for it, and for others behind it, until all tries are over.
 *
 * <p>If nothing has come in for more than {@value #STILL_MS} ms from anybody that it waits for, {@link RouteCheck} looks whether cables were lost on
 * the way to these. And if there is a report, of whoever has it, of a change that the sweep has not seen, it gives way to the one that
 * looks into that. That is longer than any pause of the order of a change ({@link io.torussm.program.DrainTime}), so all packets that
 * old entries have directed left before the next sweep writes. While ports are configured it does not give way, since what they answer
 * has to be known, but waits no longer for who is silent. Before anything is written it gives way at once.
 *
 * <p>A whole sweep gives way only while it reads: it has written nothing then, and what it was to look at is left to another one. While
 * tables are written it waits.
 *
 * <p>One use. Owner thread: the loop.
 */
final class Patience {
    /** After the first report one sweep after the other may give way for so long, whatever is reported meanwhile. */
    private static final long LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int STILL_MS = 20;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Loop loop;
    private final MadClient client;
    private final StageRunner stages;
    private final Supplier<@Nullable Fabric> fabric;
    private final LongConsumer lost;
    private final Runnable giveWay;

    /** Routes that were looked at. */
    private final Set<DrPath> checked = new HashSet<>();

    private @Nullable MadScope check;

    /** When it begins to wait as long as it takes. */
    private long endlessNs = Long.MIN_VALUE;

    /** Whether all is read. */
    private boolean isWhole;

    private boolean isReported;
    private boolean isOvertaken;

    /**
     * Waits as long as it takes.
     *
     * @param fabric as it is known at the moment
     * @param lost takes NodeGUIDs of switches that were found to have lost a cable
     * @param giveWay ends the sweep
     */
    Patience(
            SweepContext parts,
            StageRunner stages,
            Supplier<@Nullable Fabric> fabric,
            LongConsumer lost,
            Runnable giveWay) {
        this.loop = parts.loop();
        this.client = parts.client();
        this.stages = stages;
        this.fabric = fabric;
        this.lost = lost;
        this.giveWay = giveWay;
    }

    /**
     * From now on it does not.
     *
     * @param reportedNs when the first change was reported that no sweep has dealt with; negative if none was
     */
    void begin(long reportedNs) {
        endlessNs = (reportedNs < 0 ? loop.nowNs() : reportedNs) + LIMIT_NS;
        lookLater();
    }

    /** The same while all is read, however long that takes. */
    void beginWhole() {
        isWhole = true;
        lookLater();
    }

    /**
     * A switch reported a change.
     *
     * @param isSeen whether the sweep will read that switch yet, if nobody else keeps it waiting
     */
    void reported(boolean isSeen) {
        isReported = true;
        isOvertaken |= !isSeen;
    }

    /** Whether a sweep that has written nothing yet should not begin to. */
    boolean isOver() {
        return isOvertaken && isLimited();
    }

    private boolean isLimited() {
        return loop.nowNs() < endlessNs;
    }

    /** The sweep is over. */
    void end() {
        MadScope open = check;
        check = null;
        if (open != null) {
            open.close();
        }
    }

    private void lookLater() {
        if (isWhole || isLimited()) {
            loop.schedule(LOOK_NS, stages.guarded(this::look));
        }
    }

    private void look() {
        if (stages.isStill(TimeUnit.MILLISECONDS.toNanos(STILL_MS))) {
            boolean isOutdated = isOvertaken || isReported && stages.phase() == Phase.DISCOVER;
            if (isOutdated && (isWhole ? stages.phase() == Phase.DISCOVER : stages.phase() != Phase.ACTIVATE)) {
                giveWay.run();
                return;
            }
            if (isOutdated && stages.phase() == Phase.ACTIVATE) {
                stages.expire();
            } else if (!isWhole) {
                check();
            }
        }
        lookLater();
    }

    private void check() {
        Fabric known = fabric.get();
        Set<DrPath> routes = stages.routes();
        routes.removeAll(checked);
        if (known != null && !routes.isEmpty()) {
            checked.addAll(routes);
            end();
            check = RouteCheck.start(client, known, routes, lost);
        }
    }
}
