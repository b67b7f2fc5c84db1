package io.torussm.mastership;

import io.torussm.sim.VirtualLoop;
import io.torussm.testing.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A few hosts with an {@link SmProcess} each, and a network between them, in virtual time. Each host has its own
 * switch. The network loses and delays messages, and can be separated into two islands. A seed determines all random
 * values.
 */
final class SmWorld {
    static final long LIGHT_SWEEP_NS = TimeUnit.SECONDS.toNanos(10);

    /** Failed polls after which torus-sm takes over. */
    static final int RETRIES = 2;

    /** Failed polls after which OpenSM takes over. */
    static final int OPENSM_RETRIES = 4;

    private static final long MIN_RESPONSIVE_NS = TimeUnit.SECONDS.toNanos(8);

    final VirtualLoop loop = new VirtualLoop();
    final ModelTrace trace = new ModelTrace(this);
    final Random random;
    final Host[] hosts;

    /** Probability of the loss of a message, 0 to 1. */
    double loss;

    /** Time of the routing of a sweep. From one second on, the SM is unresponsive during it. */
    LongSupplier routing = () -> millis(5, 500);

    private long nextTid = 1;

    private final Islands islands;

    SmWorld(long seed, int hostCount) {
        random = Seeds.unmixed(seed);
        hosts = new Host[hostCount];
        islands = new Islands(hostCount);
        for (int i = 0; i < hostCount; i++) {
            hosts[i] = new Host(i, 0x1000 + 16L * random.nextInt(0x1000) + i, random.nextInt(3));
        }
        join();
    }

    /** A host and its port, which continue to work without an SM. */
    final class Host {
        final int number;
        final long guid;
        final SmHost smHost;
        int priority;
        boolean isPortUp = true;

        /** Behaves like OpenSM: polls each 10 s, takes over after 50 s, reads no IsSM, and sends no ACKNOWLEDGE. */
        boolean isOpenSm;

        /** End of the time in which its SM sends no answers. Its port reports IsSM during it. */
        long unresponsiveUntilNs = -MIN_RESPONSIVE_NS;

        /** PortStateChange of its switch, which a sweep clears. */
        boolean hasPortStateChange;

        long changedNs;

        /** The host of MasterSMLID of its port; null before the first sweep. */
        @Nullable
        Host masterSm;

        /** Null while no SM runs. */
        @Nullable
        SmProcess sm;

        /** Makes its SM unresponsive, unless the last such time ended less than {@link #MIN_RESPONSIVE_NS} ago. */
        void makeUnresponsive(long ns) {
            if (loop.nowNs() >= unresponsiveUntilNs + MIN_RESPONSIVE_NS) {
                unresponsiveUntilNs = loop.nowNs() + ns;
            }
        }

        Host(int number, long guid, int priority) {
            this.number = number;
            this.guid = guid;
            this.smHost = new SmHost("host-" + number, number + 1);
            this.priority = priority;
        }

        void start(boolean isInactive) {
            SmProcess started = new SmProcess(SmWorld.this, this, isInactive);
            sm = started;
            started.driver.start();
            started.scheduleLightSweeps();
        }

        void kill() {
            if (sm != null) {
                sm.processLoop.die();
                sm = null;
            }
        }

        boolean isMaster() {
            return sm != null && sm.driver.state().state() == SmState.MASTER;
        }
    }

    long millis(int from, int to) {
        return TimeUnit.MILLISECONDS.toNanos(from + random.nextInt(to - from + 1));
    }

    boolean reaches(Host from, Host to) {
        return from.isPortUp && to.isPortUp && islands.connects(from.number, to.number);
    }

    long takeTid() {
        return nextTid++;
    }

    /** Delivers a message after a random delay, if it is not lost and the hosts are connected at both times. */
    void transfer(Host from, Host to, Runnable arrival) {
        if (!reaches(from, to) || random.nextDouble() < loss) {
            return;
        }
        long delayNs = random.nextInt(50) == 0 ? millis(50, 500) : millis(0, 3);
        trace.schedule(delayNs, () -> {
            if (reaches(from, to)) {
                arrival.run();
            }
        });
    }

    /** Checks whether a host is in the second of the two islands. */
    boolean isEast(Host host) {
        return islands.isEast(host.number);
    }

    /** Separates the network into two islands. */
    void split() {
        islands.split(random);
        setPortStateChanges();
    }

    /** Connects all hosts again. */
    void join() {
        islands.join();
        setPortStateChanges();
    }

    /** Sets PortStateChange of all switches. Each sends a trap to its master with probability one half. */
    void setPortStateChanges() {
        for (Host host : hosts) {
            host.hasPortStateChange = true;
            host.changedNs = loop.nowNs();
            Host master = host.masterSm;
            if (master != null && random.nextBoolean()) {
                transfer(host, master, () -> onTrap(master));
            }
        }
    }

    /** Handles a trap at a host: its SM sweeps if it is master. */
    void onTrap(Host host) {
        if (host.sm != null && host.sm.driver.isMaster()) {
            host.sm.sweepHeavy();
        }
    }

    List<Host> masters() {
        return Arrays.stream(hosts).filter(Host::isMaster).toList();
    }

    String describe() {
        return "at " + TimeUnit.NANOSECONDS.toMillis(loop.nowNs()) + " ms:"
                + Arrays.stream(hosts)
                        .map(host -> "\n  " + host.number + ": " + (host.sm == null ? "no SM" : host.sm.driver.state()))
                        .collect(Collectors.joining());
    }
}
