package io.torussm.daemon.twin;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.fabric.Fabric;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.view.PublishedView;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A rehearsal in virtual time of failures under a master SM. An SM of its own is master of an embedded torus, in which
 * cables and switches fail and return. Each step runs from the trap to the last table and the checks after it. So the
 * JVM loads classes and compiles code before a real failure. The SM has no real port, file or log.
 */
public final class FailureRehearsal {
    /** The torus: large enough that loops over switches are compiled, small enough for a few megabytes. */
    private static final String TORUS = "torus:6x6x6,hosts=1";

    private static final String HOST = "host-0-0-0-0";

    /**
     * Number of failures after which the important code is compiled. Three losses of cables precede each loss
     * of a switch.
     */
    private static final int FAILURES = 16;

    /** Number of cables to other switches at each switch. They are at the first ports. */
    private static final int CABLES = 6;

    /** Distance between consecutive switches with a failure. */
    private static final long STRIDE = 83;

    /** Pause between failures, in ns. In it, the SM checks links that became active. */
    private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(12);

    private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(5);

    private final VirtualLoop clock = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(TorusSpec.parse(TORUS).topology(), clock, FaultPlan.NONE);
    private final VirtualSm sm;
    private Runnable repair = () -> {};
    private boolean isBroken;
    private int failures;
    private int stepsWithSubnetUp;

    /**
     * Starts an SM. Its first sweep is the first step.
     *
     * @param engines engines of the SM, as {@code routing_engine} names them
     * @throws ConfigurationException if these engines do not work without files of their own
     */
    public FailureRehearsal(String engines) throws ConfigurationException {
        Map<Setting<?>, Configuration.CommandLineValue> values = Map.of(
                Settings.SIMULATE, commandLineValue(TORUS),
                Settings.ROUTING_ENGINE, commandLineValue(engines),
                Settings.QOS, commandLineValue("true"),
                Settings.FAILURE_PRECHECKS, commandLineValue("0"));
        sm = VirtualSm.start(
                clock,
                fabric.attach(HOST, 1),
                VirtualSm.Start.of(Configuration.read(null, values)),
                VirtualSm.Watcher.NONE);
    }

    private static Configuration.CommandLineValue commandLineValue(String value) {
        return new Configuration.CommandLineValue("rehearsal", value);
    }

    /**
     * Runs the next step in the thread of the caller, which may differ from call to call. The first step takes some
     * tenths of a second, the others some hundredths.
     *
     * @return true if another step follows
     */
    public boolean step() {
        PublishedView previousView = sm.view();
        if (previousView != null) {
            failOrRepair(previousView.subnet().fabric());
        }
        boolean isUp = sm.runUntil(() -> sm.isIdle() && !isOf(sm.view(), previousView), LIMIT_NS);
        stepsWithSubnetUp += isUp ? 1 : 0;
        sm.runFor(PAUSE_NS);
        boolean isOver = !isUp || (failures == FAILURES && !isBroken);
        if (isOver) {
            sm.kill();
        }
        return !isOver;
    }

    /** Checks whether two views are of the same sweep. */
    private static boolean isOf(@Nullable PublishedView currentView, @Nullable PublishedView previousView) {
        return currentView != null && previousView != null && currentView.sweep() == previousView.sweep();
    }

    private void failOrRepair(Fabric seen) {
        isBroken = !isBroken;
        if (!isBroken) {
            repair.run();
            return;
        }
        int sw = (int) (++failures * STRIDE % seen.switchCount());
        long guid = seen.nodeGuid(sw);
        int portNum = 1 + failures % CABLES;
        if (failures % 4 == 0 && sw != seen.localSwitch()) {
            fabric.failSwitch(guid);
            repair = () -> fabric.restoreSwitch(guid);
        } else {
            fabric.unlink(guid, portNum);
            repair = () -> fabric.relink(guid, portNum);
        }
    }

    /** Returns the number of steps at whose end the subnet was up. */
    int stepsWithSubnetUp() {
        return stepsWithSubnetUp;
    }
}
