package io.torussm.mastership;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.VirtualLoop;
import io.torussm.testing.MortalLoop;
import io.torussm.testing.Seeds;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A few hosts, each on a switch of its own, with the real rules and the real driver on each; between them a network
 * that loses messages, falls apart and heals, in virtual time. Sweeps only read who is there and take their time.
 */
final class SmWorld {
    static final long LIGHT_SWEEP_NS = TimeUnit.SECONDS.toNanos(10);

    /** Polls that an SM of each kind forgives. */
    static final int RETRIES = 2;

    static final int OPENSM_RETRIES = 4;

    private static final long SHORT_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long HEARING_NS = TimeUnit.SECONDS.toNanos(8);

    final VirtualLoop loop = new VirtualLoop();
    final ModelTrace trace = new ModelTrace(this);
    final Random random;
    final Host[] hosts;
    double loss;

    /** How long routing takes; who takes long is deaf meanwhile. */
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

    /** One host; it lives on when its SM dies. */
    final class Host {
        final int number;
        final long guid;
        final SmHost at;
        int priority;
        boolean isPortUp = true;

        /**
         * Polls every 10 s, gives a master up after 50 s, asks no port whether its SM lives, and never acknowledges.
         */
        boolean isOpenSm;

        /** Until when its SM answers nobody; its port says all the while that it is there. */
        long deafUntilNs = -HEARING_NS;

        /** PortStateChange of its switch: something changed that no sweep has looked at. */
        boolean isChanged;

        long changedNs;
        /** MasterSMLID of its port: who wrote it last. */
        @Nullable
        Host masterSm;

        @Nullable
        Sm sm;

        /** Its SM hears nobody for a while, and then does for a while. */
        void deafen(long ns) {
            if (loop.nowNs() >= deafUntilNs + HEARING_NS) {
                deafUntilNs = loop.nowNs() + ns;
            }
        }

        Host(int number, long guid, int priority) {
            this.number = number;
            this.guid = guid;
            this.at = new SmHost("host-" + number, number + 1);
            this.priority = priority;
        }

        void start(boolean isInactive) {
            Sm fresh = new Sm(this, isInactive);
            sm = fresh;
            fresh.driver.start();
            fresh.sweepInTime();
        }

        void kill() {
            if (sm != null) {
                sm.life.die();
                sm = null;
            }
        }

        boolean isMaster() {
            return sm != null && sm.driver.state().state() == SmState.MASTER;
        }
    }

    /** One life of an SM. */
    final class Sm implements SmPeers, SweepControl {
        private final Host host;
        final MastershipDriver driver;
        final MortalLoop life = new MortalLoop(trace);
        private final RetriedRequests requests = new RetriedRequests(life);
        private int reading;
        private long readingSinceNs;
        private boolean isSweeping;
        private boolean isReading;
        private boolean isWanted;
        private boolean isIncomplete = true;
        private boolean hasWritten;

        Sm(Host host, boolean isInactive) {
            this.host = host;
            driver = new MastershipDriver(
                    life,
                    this,
                    this,
                    this::answer,
                    host.guid,
                    mKey -> true,
                    guid -> false,
                    () -> new MastershipSettings(
                            host.priority,
                            host.isOpenSm ? 10_000 : 1000,
                            host.isOpenSm ? OPENSM_RETRIES : RETRIES,
                            host.isOpenSm ? 0 : 30,
                            0,
                            new Trust(1, Set.of(), Set.of()),
                            isInactive));
        }

        void sweepInTime() {
            life.schedule(LIGHT_SWEEP_NS, () -> {
                driver.sweepLight();
                sweepInTime();
            });
        }

        // --- messages ---

        @Override
        public Runnable poll(DrPath path, boolean showsKey, Consumer<Answer> then) {
            long tid = get(path, mad -> {
                if (mad == null) {
                    then.accept(new Answer(null, false));
                } else {
                    trace.arrived(ModelTrace.Kind.ANSWER, mad);
                    SmInfo info = read(mad);
                    then.accept(new Answer(info, info == null));
                    trace.step(ModelTrace.Kind.POLLED, host);
                }
            });
            return () -> requests.end(tid);
        }

        @Override
        public Runnable ask(DrPath path, boolean showsKey, Consumer<@Nullable SmInfo> then) {
            long tid = get(path, mad -> then.accept(mad == null ? null : read(mad)));
            return () -> requests.end(tid);
        }

        private long get(DrPath path, Consumer<byte @Nullable []> then) {
            long tid = nextTid++;
            requests.open(tid, then);
            send(path, Smp.directed(Method.GET, tid, SmInfo.TYPE.id(), 0, 0, path));
            return tid;
        }

        private @Nullable SmInfo read(byte[] mad) {
            return MadHeader.status(mad) == MadStatus.OK ? SmInfo.TYPE.read(mad, Smp.DATA) : null;
        }

        @Override
        public void set(DrPath path, SmInfo self, int modifier, Consumer<String> then) {
            if (host.isOpenSm && modifier == MastershipRules.ACKNOWLEDGE) {
                return;
            }
            long tid = nextTid++;
            requests.open(
                    tid,
                    mad -> then.accept(
                            mad == null
                                    ? "timeout"
                                    : MadHeader.status(mad) == MadStatus.OK ? "" : "status " + MadHeader.status(mad)));
            byte[] mad = Smp.directed(Method.SET, tid, SmInfo.TYPE.id(), modifier, 0, path);
            self.write(mad, Smp.DATA);
            send(path, mad);
        }

        /** The agent of a port answers whatever its SM does. */
        @Override
        public void identify(DrPath path, Consumer<@Nullable Port> then) {
            long tid = nextTid++;
            Host to = hosts[path.port(0) - 1];
            requests.open(tid, mad -> then.accept(mad == null ? null : new Port(to.guid, to.sm != null, 0, 0)));
            requests.send(tid, () -> transfer(host, to, () -> transfer(to, host, () -> answered(tid, new byte[0]))));
        }

        @Override
        public void locate(DrPath path, Consumer<SmHost> then) {
            then.accept(hosts[path.port(0) - 1].at);
        }

        private void answered(long tid, byte[] mad) {
            Consumer<byte @Nullable []> then = requests.end(tid);
            if (then != null && !life.isDead()) {
                then.accept(mad);
            }
        }

        private void send(DrPath path, byte[] mad) {
            Host to = hosts[path.port(0) - 1];
            requests.send(
                    MadHeader.tid(mad),
                    () -> transfer(host, to, () -> {
                        if (to.sm == null) {
                            byte[] answer = mad.clone();
                            MadHeader.STATUS.set(answer, 0, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
                            trace.answersWithoutSm(to, host, answer);
                            transfer(to, host, () -> answered(MadHeader.tid(mad), answer)); // as the kernel there does
                        } else if (loop.nowNs() >= to.deafUntilNs) {
                            byte[] arrived = mad.clone();
                            arrived[Smp.RETURN_PATH + 1] = (byte) (host.number + 1);
                            to.sm.driver.receive(new MadFrame(new MadAddress(host.number, 0, 0, 0), arrived));
                        }
                    }));
        }

        private void answer(MadFrame frame) {
            Host to = hosts[frame.peer().lid()];
            trace.answers(host, to, frame.mad());
            transfer(host, to, () -> {
                if (to.sm != null) {
                    Consumer<byte @Nullable []> then = to.sm.requests.end(MadHeader.tid(frame.mad()));
                    if (then != null) {
                        then.accept(frame.mad());
                    }
                }
            });
        }

        @Override
        public void trapPriorityChange() {
            Host to = host.masterSm;
            if (to != null) {
                transfer(host, to, () -> onTrap(to));
            }
        }

        // --- sweeps ---

        @Override
        public void sweepHeavy() {
            if (!driver.maySweep()) {
                return;
            }
            if (isSweeping) {
                isWanted = true;
                return;
            }
            isSweeping = true;
            isReading = true;
            readingSinceNs = loop.nowNs();
            isWanted = false;
            int mine = ++reading;
            life.schedule(millis(1, 300), () -> {
                if (mine == reading) {
                    read(mine);
                }
            });
        }

        private void read(int mine) {
            trace.sweeps(host);
            if (!host.isPortUp) {
                end();
                driver.portDown("the local port is down");
                trace.step(ModelTrace.Kind.PORT_DOWN, host);
                return;
            }
            List<DiscoveredSm> found = new ArrayList<>();
            List<SilentSm> silent = new ArrayList<>();
            int[] open = {1};
            Runnable done = () -> {
                open[0]--;
                if (open[0] == 0 && mine == reading) {
                    judge(mine, found, silent);
                }
            };
            for (Host other : hosts) {
                if (other != host && other.sm != null && reaches(host, other)) {
                    open[0]++;
                    DrPath path = DrPath.of(other.number + 1);
                    get(path, mad -> {
                        SmInfo info = mad == null ? null : read(mad);
                        if (mine != reading) {
                            return;
                        }
                        if (mad == null || info == null) {
                            silent.add(new SilentSm(other.guid, path, false));
                            trace.sawNothing(host, other);
                        } else {
                            found.add(new DiscoveredSm(info, other.guid, path, other.at));
                            trace.arrived(ModelTrace.Kind.SEES, mad);
                        }
                        done.run();
                    });
                }
            }
            done.run();
        }

        private void judge(int mine, List<DiscoveredSm> found, List<SilentSm> silent) {
            isReading = false;
            boolean isGranted = driver.decision(found, silent, true).isGranted();
            trace.judges(host, isGranted);
            if (!isGranted) {
                isIncomplete = true;
                hasWritten = false;
                end();
                return;
            }
            long routingNs = routing.getAsLong();
            if (routingNs >= SHORT_NS) {
                host.deafen(routingNs);
            }
            life.schedule(routingNs, () -> {
                if (mine == reading) {
                    write();
                }
            });
        }

        /** Checks whether it is a master that has written, and may write again at any time. */
        boolean rules() {
            Mastership state = driver.state();
            return hasWritten && driver.isMaster() && state.handover().successor() == null;
        }

        /**
         * As the sweeper, which looks for ports that came up after it had read them, while it clears PortStateChange.
         */
        private void write() {
            if (!driver.isMaster()) {
                throw new AssertionError("writes without being master: " + driver.state());
            }
            trace.step(ModelTrace.Kind.WRITES, host);
            isIncomplete = false;
            hasWritten = true;
            for (Host other : hosts) {
                if (other == host || reaches(host, other)) {
                    isIncomplete |= other.changedNs >= readingSinceNs;
                    other.isChanged = false;
                    other.masterSm = host;
                }
            }
            end();
        }

        private void end() {
            isSweeping = false;
            isReading = false;
            if (isWanted) {
                life.execute(this::sweepHeavy);
            }
        }

        @Override
        public void sweepAnew() {
            if (isReading) {
                cancel();
            }
            sweepHeavy();
        }

        @Override
        public void startOver() {
            sweepHeavy();
        }

        @Override
        public void sweepLight() {
            boolean isNews = isIncomplete;
            for (Host other : hosts) {
                isNews |= other.isChanged && (other == host || reaches(host, other));
            }
            if (isNews) {
                sweepHeavy();
            }
        }

        @Override
        public void rest() {
            cancel();
            hasWritten = false;
            isWanted = false;
            isIncomplete = true;
        }

        private void cancel() {
            reading++;
            isSweeping = false;
            isReading = false;
        }
    }

    // --- the network ---

    long millis(int from, int to) {
        return TimeUnit.MILLISECONDS.toNanos(from + random.nextInt(to - from + 1));
    }

    boolean reaches(Host from, Host to) {
        return from.isPortUp && to.isPortUp && islands.connects(from.number, to.number);
    }

    private void transfer(Host from, Host to, Runnable arrival) {
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

    /** Checks in which of two islands a host is. */
    boolean isEast(Host host) {
        return islands.isEast(host.number);
    }

    /** Separates the network into two islands. */
    void fallApart() {
        islands.fallApart(random);
        changed();
    }

    /** Connects all hosts again. */
    void join() {
        islands.join();
        changed();
    }

    /** Switches note it, and send traps, which may get lost. */
    void changed() {
        for (Host host : hosts) {
            host.isChanged = true;
            host.changedNs = loop.nowNs();
            Host master = host.masterSm;
            if (master != null && random.nextBoolean()) {
                transfer(host, master, () -> onTrap(master));
            }
        }
    }

    private void onTrap(Host host) {
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
