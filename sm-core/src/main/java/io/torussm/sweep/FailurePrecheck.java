package io.torussm.sweep;

import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Degradation;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.Subnet;
import io.torussm.transport.Loop;
import io.torussm.view.PublishedView;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Plays the loss of a few cables through while there is nothing else to do: routes, proves and finds the order of change
 * for the fabric with one cable less, and throws that away. Code that was run is compiled, so the first cable that is lost
 * in earnest is answered sooner; and a cable without which no engine has routes is named while it still works.
 *
 * <p>One cable at a time; when a sweep begins the one being played is the last. Owner thread: the loop.
 */
final class FailurePrecheck {
    private static final EventLog EVENTS = EventLog.of(FailurePrecheck.class);

    /** How long nothing may have been to do before a cable is played. */
    static final long QUIET_NS = TimeUnit.SECONDS.toNanos(1);

    /** Fabrics with more forwarding entries are left alone: the memory is better kept for what is needed. */
    private static final long MOST_ENTRIES = 1 << 26;

    private final Loop loop;
    private final Supplier<Known> known;
    private final BooleanSupplier isResting;

    /** Cables played so far, over all plans, so that each plan is tried with others. */
    private int played;

    private int left;
    private boolean isWaiting;
    private boolean isStopped;
    private @Nullable Plan subject;

    /**
     * Creates a precheck that waits to be asked for.
     *
     * @param known asked anew for each cable
     * @param isResting whether there is nothing else to do
     */
    FailurePrecheck(Loop loop, Supplier<Known> known, BooleanSupplier isResting) {
        this.loop = loop;
        this.known = known;
        this.isResting = isResting;
    }

    /**
     * Plays some cables of the subnet that is published, unless that was done for the same routes.
     *
     * @param cables at most so many
     * @param on where it is computed
     */
    void begin(int cables, RoutingOptions options, Executor on) {
        PublishedView view = known.get().view();
        Plan routed = view == null ? null : view.plan().asRouted();
        if (routed == null || routed == subject) {
            return;
        }
        subject = routed;
        long entries =
                (long) routed.subnet().fabric().switchCount() * routed.subnet().topLid();
        left = entries > MOST_ENTRIES ? 0 : cables;
        await(options, on);
    }

    /** No cable is played from now on, whoever asks: the executor may be gone. */
    void stop() {
        isStopped = true;
    }

    private void await(RoutingOptions options, Executor on) {
        if (left > 0 && !isWaiting) {
            isWaiting = true;
            loop.schedule(QUIET_NS, () -> {
                isWaiting = false;
                next(options, on);
            });
        }
    }

    private void next(RoutingOptions options, Executor on) {
        PublishedView view = known.get().view();
        Known.Policy policy = known.get().policy();
        if (isStopped || view == null || policy == null) {
            return;
        }
        if (!isResting.getAsBoolean()) {
            await(options, on);
            return;
        }
        left--;
        int turn = played++;
        isWaiting = true;
        on.execute(() -> {
            try {
                String problem = play(view, policy.chain(), options, turn);
                if (!problem.isEmpty()) {
                    EVENTS.report(SmEvent.SINGLE_FAILURE.says(problem));
                }
            } catch (RuntimeException bug) {
                EVENTS.report(SmEvent.PRECHECK_DEFECT, bug);
            } finally {
                loop.execute(() -> {
                    isWaiting = false;
                    await(options, on);
                });
            }
        });
    }

    /**
     * Plays the loss of one cable between switches. Pure.
     *
     * @param turn which: another one for each of several in a row
     * @return what would become of it, if that is bad; else empty
     */
    static String play(PublishedView view, RoutingChain engines, RoutingOptions options, int turn) {
        Fabric whole = view.subnet().fabric();
        int[] cables = cables(whole);
        if (cables.length == 0) {
            return "";
        }
        // far apart, and in different directions
        int port = cables[(int) (turn * 7919L % cables.length)];
        int sw = whole.nodeOf(port);
        FabricBuilder builder = FabricBuilder.of(whole);
        builder.unlink(whole.nodeGuid(sw), whole.portNum(port));
        builder.retrace();
        Fabric fabric = builder.build();
        Subnet subnet = view.subnet().on(fabric);
        RoutingChain.ChainResult result = engines.route(subnet, options);
        Plan plan = result.plan();
        if (plan == null) {
            return "if the cable from " + whole.portName(port) + " to " + whole.portName(whole.peer(port))
                    + " were lost, there would be no routes: " + errors(result.findings());
        }
        Degradation degradation = plan.degradation().orElse(null);
        if (degradation != null && view.plan().degradation().isEmpty()) {
            return "if the cable from " + whole.portName(port) + " to " + whole.portName(whole.peer(port))
                    + " were lost, routes would be degraded: " + degradation.summary() + "; " + degradation.reason();
        }
        PlanDifference.of(view, plan);
        Plan before = view.plan().asRouted();
        engines.transition(new Planned(before, fabric), before, result, options);
        return "";
    }

    private static String errors(List<Finding> findings) {
        return findings.stream()
                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                .map(Finding::text)
                .collect(Collectors.joining("; "));
    }

    /** Cables between switches, by the lower of their port indexes. */
    private static int[] cables(Fabric fabric) {
        return IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.peer(port) > port)
                .filter(port -> fabric.isSwitch(fabric.nodeOf(port)))
                .filter(port -> fabric.isSwitch(fabric.nodeOf(fabric.peer(port))))
                .toArray();
    }

    /** What switches hold that were written by a plan, in the indexes of another fabric. */
    private record Planned(Plan plan, Fabric fabric) implements HeldTables {
        private int before(int sw) {
            return plan.subnet().fabric().nodeByGuid(fabric.nodeGuid(sw));
        }

        @Override
        public byte[] lft(int sw) {
            return plan.lft(before(sw));
        }

        @Override
        public long sl2vl(int sw, int in, int out) {
            return plan.sl2vl(before(sw), in, out);
        }

        @Override
        public boolean isUp(int port) {
            PortInfo info = fabric.portInfo(port);
            return info == null || info.portState() > PortInfo.STATE_INITIALIZE || fabric.portNum(port) == 0;
        }
    }
}
