package io.torussm.daemon.twin;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.mastership.SmState;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A rehearsal in virtual time of takeovers by a standby SM. On an embedded torus, an SM becomes master and is killed, a
 * standby SM takes over and is killed, and so on. So the JVM loads classes and compiles code before a real takeover.
 * The SMs have no real port, file or log.
 */
public final class StandbyRehearsal {
    /** The torus: large enough for rings with datelines, small enough for a few megabytes. */
    private static final String TORUS = "torus:4x4x1,hosts=1";

    private static final List<String> HOSTS = List.of("host-0-0-0-0", "host-2-2-0-0");

    /** Number of takeovers after which their code is compiled. */
    private static final int ROUNDS = 6;

    private static final long LIMIT_NS = TimeUnit.MINUTES.toNanos(5);

    private final SmOptions options;
    private final BooleanSupplier mayContinue;
    private final VirtualLoop clock = new VirtualLoop();
    private final SimFabric fabric = new SimFabric(TorusSpec.parse(TORUS).topology(), clock, FaultPlan.NONE);

    private StandbyRehearsal(SmOptions options, BooleanSupplier isContinued) {
        this.options = options;
        this.mayContinue = isContinued;
    }

    /**
     * Rehearses some takeovers in the thread of the caller, for about two seconds.
     *
     * @param engines engines of the SMs, as {@code routing_engine} names them
     * @param isContinued condition, checked repeatedly; if it is false, the rehearsal ends immediately
     * @return number of successful takeovers
     * @throws ConfigurationException if these engines do not work without files of their own
     */
    public static int run(String engines, BooleanSupplier isContinued) throws ConfigurationException {
        Map<Setting<?>, Configuration.CommandLineValue> values = Map.of(
                Settings.SIMULATE, commandLineValue(TORUS),
                Settings.ROUTING_ENGINE, commandLineValue(engines),
                Settings.QOS, commandLineValue("true"));
        return new StandbyRehearsal(Configuration.read(null, values), isContinued).takeovers();
    }

    private static Configuration.CommandLineValue commandLineValue(String value) {
        return new Configuration.CommandLineValue("rehearsal", value);
    }

    private int takeovers() throws ConfigurationException {
        VirtualSm master = startSm(0);
        boolean isGood = runUntil(master::isIdle);
        int takeovers = 0;
        while (isGood && takeovers < ROUNDS) {
            VirtualSm standby = startSm(takeovers + 1);
            isGood = runUntil(() -> standby.parts().mastership().state().state() == SmState.STANDBY);
            master.kill();
            isGood &= runUntil(standby::isIdle);
            takeovers += isGood ? 1 : 0;
            master = standby;
        }
        master.kill();
        return takeovers;
    }

    private VirtualSm startSm(int number) throws ConfigurationException {
        return VirtualSm.start(
                clock,
                fabric.attach(HOSTS.get(number % HOSTS.size()), 1),
                VirtualSm.Start.of(options),
                VirtualSm.Watcher.NONE);
    }

    /** Advances time until a condition is true. Returns false if it never is. */
    private boolean runUntil(BooleanSupplier then) {
        return clock.runUntil(() -> then.getAsBoolean() || !mayContinue.getAsBoolean(), LIMIT_NS)
                && mayContinue.getAsBoolean();
    }
}
