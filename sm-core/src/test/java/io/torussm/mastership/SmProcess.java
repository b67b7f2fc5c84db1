package io.torussm.mastership;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mastership.SmWorld.Host;
import io.torussm.testing.MortalLoop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An SM process on a host: the real mastership rules and driver. Its sweep reads the SMs of the other hosts and writes
 * {@link Host#masterSm} of each reachable port; all other work of a sweep is a delay.
 */
final class SmProcess implements SmPeers, SweepControl {
    private static final long SHORT_NS = TimeUnit.SECONDS.toNanos(1);

    private final SmWorld world;
    private final Host host;
    final MastershipDriver driver;
    final MortalLoop processLoop;
    private final RetriedRequests requests;

    /** Number of the current discovery. A callback with an older number is ignored. */
    private int discovery;

    private long discoveryStartNs;
    private boolean isSweeping;

    /** The sweep still reads, so a change restarts it. */
    private boolean isDiscovering;

    /** Another sweep follows the current one. */
    private boolean isSweepPending;

    /** A port changed after the discovery began, so the next light sweep starts a heavy one. */
    private boolean isIncomplete = true;

    private boolean hasWritten;

    SmProcess(SmWorld world, Host host, boolean isInactive) {
        this.world = world;
        this.host = host;
        processLoop = new MortalLoop(world.trace);
        requests = new RetriedRequests(processLoop);
        driver = new MastershipDriver(
                processLoop,
                this,
                this,
                this::answer,
                host.guid,
                mKey -> true,
                guid -> false,
                () -> new MastershipSettings(
                        host.priority,
                        host.isOpenSm ? 10_000 : 1000,
                        host.isOpenSm ? SmWorld.OPENSM_RETRIES : SmWorld.RETRIES,
                        host.isOpenSm ? 0 : 30,
                        0,
                        new Trust(1, Set.of(), Set.of()),
                        isInactive));
    }

    /** Schedules light sweeps without end. */
    void scheduleLightSweeps() {
        processLoop.schedule(SmWorld.LIGHT_SWEEP_NS, () -> {
            driver.sweepLight();
            scheduleLightSweeps();
        });
    }

    @Override
    public Runnable poll(DrPath path, boolean showsKey, Consumer<Answer> then) {
        long tid = get(path, mad -> {
            if (mad == null) {
                then.accept(new Answer(null, false));
            } else {
                world.trace.markArrived(ModelTrace.StepType.ANSWER, mad);
                SmInfo info = read(mad);
                then.accept(new Answer(info, info == null));
                world.trace.step(ModelTrace.StepType.POLLED, host);
            }
        });
        return () -> requests.end(tid);
    }

    @Override
    public Runnable requestSmInfo(DrPath path, boolean showsKey, Consumer<@Nullable SmInfo> then) {
        long tid = get(path, mad -> then.accept(mad == null ? null : read(mad)));
        return () -> requests.end(tid);
    }

    private long get(DrPath path, Consumer<byte @Nullable []> then) {
        long tid = world.takeTid();
        requests.open(tid, then);
        send(path, Smp.directed(Method.GET, tid, SmInfo.TYPE.id(), 0, 0, path));
        return tid;
    }

    private @Nullable SmInfo read(byte[] mad) {
        return MadHeader.status(mad) == MadStatus.OK ? SmInfo.TYPE.read(mad, Smp.DATA_OFFSET) : null;
    }

    @Override
    public void set(DrPath path, SmInfo self, int modifier, Consumer<String> then) {
        if (host.isOpenSm && modifier == MastershipRules.ACKNOWLEDGE) {
            return;
        }
        long tid = world.takeTid();
        requests.open(
                tid,
                mad -> then.accept(
                        mad == null
                                ? "timeout"
                                : MadHeader.status(mad) == MadStatus.OK ? "" : "status " + MadHeader.status(mad)));
        byte[] mad = Smp.directed(Method.SET, tid, SmInfo.TYPE.id(), modifier, 0, path);
        self.write(mad, Smp.DATA_OFFSET);
        send(path, mad);
    }

    /** Identifies the SM at the end of a path. The agent of a port also responds if its SM is dead or unresponsive. */
    @Override
    public void identify(DrPath path, Consumer<@Nullable Port> then) {
        long tid = world.takeTid();
        Host to = world.hosts[path.port(0) - 1];
        requests.open(tid, mad -> then.accept(mad == null ? null : new Port(to.guid, to.sm != null, 0, 0)));
        requests.send(
                tid, () -> world.transfer(host, to, () -> world.transfer(to, host, () -> onAnswer(tid, new byte[0]))));
    }

    @Override
    public void locate(DrPath path, Consumer<SmHost> then) {
        then.accept(world.hosts[path.port(0) - 1].smHost);
    }

    private void onAnswer(long tid, byte[] mad) {
        Consumer<byte @Nullable []> then = requests.end(tid);
        if (then != null && !processLoop.isDead()) {
            then.accept(mad);
        }
    }

    private void send(DrPath path, byte[] mad) {
        Host to = world.hosts[path.port(0) - 1];
        requests.send(
                MadHeader.tid(mad),
                () -> world.transfer(host, to, () -> {
                    if (to.sm == null) {
                        byte[] answer = mad.clone();
                        MadHeader.STATUS.set(answer, 0, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
                        world.trace.answersWithoutSm(to, host, answer);
                        // by the kernel of that host
                        world.transfer(to, host, () -> onAnswer(MadHeader.tid(mad), answer));
                    } else if (world.loop.nowNs() >= to.unresponsiveUntilNs) {
                        byte[] arrived = mad.clone();
                        arrived[Smp.RETURN_PATH + 1] = (byte) (host.number + 1);
                        to.sm.driver.receive(new MadFrame(new MadAddress(host.number, 0, 0, 0), arrived));
                    }
                }));
    }

    private void answer(MadFrame frame) {
        Host to = world.hosts[frame.peer().lid()];
        world.trace.answers(host, to, frame.mad());
        world.transfer(host, to, () -> {
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
            world.transfer(host, to, () -> world.onTrap(to));
        }
    }

    @Override
    public void sweepHeavy() {
        if (!driver.maySweep()) {
            return;
        }
        if (isSweeping) {
            isSweepPending = true;
            return;
        }
        isSweeping = true;
        isDiscovering = true;
        discoveryStartNs = world.loop.nowNs();
        isSweepPending = false;
        int number = ++discovery;
        processLoop.schedule(world.millis(1, 300), () -> {
            if (number == discovery) {
                discover(number);
            }
        });
    }

    private void discover(int number) {
        world.trace.addReading(host);
        if (!host.isPortUp) {
            end();
            driver.onPortDown("the local port is down");
            world.trace.step(ModelTrace.StepType.PORT_DOWN, host);
            return;
        }
        List<DiscoveredSm> found = new ArrayList<>();
        List<SilentSm> silent = new ArrayList<>();
        int[] pending = {1};
        Runnable countAnswer = () -> {
            pending[0]--;
            if (pending[0] == 0 && number == discovery) {
                decide(number, found, silent);
            }
        };
        for (Host other : world.hosts) {
            if (other != host && other.sm != null && world.reaches(host, other)) {
                pending[0]++;
                DrPath path = DrPath.of(other.number + 1);
                get(path, mad -> {
                    SmInfo info = mad == null ? null : read(mad);
                    if (number != discovery) {
                        return;
                    }
                    if (mad == null || info == null) {
                        silent.add(new SilentSm(other.guid, path, false));
                        world.trace.addMissingSm(host, other);
                    } else {
                        found.add(new DiscoveredSm(info, other.guid, path, other.smHost));
                        world.trace.markArrived(ModelTrace.StepType.SEES, mad);
                    }
                    countAnswer.run();
                });
            }
        }
        countAnswer.run();
    }

    private void decide(int number, List<DiscoveredSm> found, List<SilentSm> silent) {
        isDiscovering = false;
        boolean isGranted = driver.decision(found, silent, true).isGranted();
        world.trace.addDecision(host, isGranted);
        if (!isGranted) {
            isIncomplete = true;
            hasWritten = false;
            end();
            return;
        }
        long routingNs = world.routing.getAsLong();
        if (routingNs >= SHORT_NS) {
            host.makeUnresponsive(routingNs);
        }
        processLoop.schedule(routingNs, () -> {
            if (number == discovery) {
                write();
            }
        });
    }

    /** Checks whether this is a master that has written and hands over to no other SM, so it may write at any time. */
    boolean mayWrite() {
        Mastership state = driver.state();
        return hasWritten && driver.isMaster() && state.handover().successor() == null;
    }

    /** Ends the sweep like the real one: clears PortStateChange, and notes ports that changed after they were read. */
    private void write() {
        if (!driver.isMaster()) {
            throw new AssertionError("writes without being master: " + driver.state());
        }
        world.trace.step(ModelTrace.StepType.WRITES, host);
        isIncomplete = false;
        hasWritten = true;
        for (Host other : world.hosts) {
            if (other == host || world.reaches(host, other)) {
                isIncomplete |= other.changedNs >= discoveryStartNs;
                other.hasPortStateChange = false;
                other.masterSm = host;
            }
        }
        end();
    }

    private void end() {
        isSweeping = false;
        isDiscovering = false;
        if (isSweepPending) {
            processLoop.execute(this::sweepHeavy);
        }
    }

    @Override
    public void sweepAsNewMaster() {
        if (isDiscovering) {
            cancel();
        }
        sweepHeavy();
    }

    @Override
    public void restartSweep() {
        sweepHeavy();
    }

    @Override
    public void sweepLight() {
        boolean isChanged = isIncomplete;
        for (Host other : world.hosts) {
            isChanged |= other.hasPortStateChange && (other == host || world.reaches(host, other));
        }
        if (isChanged) {
            sweepHeavy();
        }
    }

    @Override
    public void withdraw() {
        cancel();
        hasWritten = false;
        isSweepPending = false;
        isIncomplete = true;
    }

    private void cancel() {
        discovery++;
        isSweeping = false;
        isDiscovering = false;
    }
}
