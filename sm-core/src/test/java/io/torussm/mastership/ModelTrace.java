package io.torussm.mastership;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mastership.SmWorld.Host;
import io.torussm.transport.Loop;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The steps of the SMs of a world, as packaging/proof/trace.pml reads them. As the loop of all processes it finds,
 * after each task, changes that no other method reports: expired timers, responses to HANDOVER, orderly ends.
 */
final class ModelTrace implements Loop {
    /** A step of packaging/proof/mastership.pml, with its number in trace.pml. */
    enum StepType {
        STARTS_UP(0),
        DIES(1),
        RANKS(2),
        LINK(3),
        ISLAND(4),
        SWEEPS(5),
        SEES(6),
        JUDGES(7),
        PORT_DOWN(8),
        WRITES(9),
        ANSWER(10),
        POLLED(11),
        HANDOVER(12),
        ACK(13),
        ENDS_ORDERLY(14),
        CHANGES(15);

        final int number;

        StepType(int number) {
            this.number = number;
        }
    }

    private static final int SMS = 3;
    private static final int NONE = SMS;
    private static final int NOT_ACTIVE = 4;
    private static final int SILENT = 5;
    private static final int ABSENT = 6;
    private static final int REFUSED = 1;
    private static final int ACCEPTED = 2;
    private static final int ENDING = 11;
    private static final int STATE_FIELDS = 12;

    /** The state of a host in the trace so far. */
    private static final class TracedHost {
        @Nullable
        SmProcess sm;

        int rank;
        boolean isDown;
        boolean isEast;
        int[] state = new int[STATE_FIELDS];
    }

    /** A line; the kind of an answer is null until it has arrived, as others have no effect. */
    private static final class Line {
        @Nullable
        StepType kind;

        final int[] fields;

        Line(@Nullable StepType kind, int[] fields) {
            this.kind = kind;
            this.fields = fields;
        }
    }

    private final SmWorld world;
    private final TracedHost[] known = {new TracedHost(), new TracedHost(), new TracedHost()};
    private final List<Line> lines = new ArrayList<>();
    private final IdentityHashMap<byte[], Line> answers = new IdentityHashMap<>();

    ModelTrace(SmWorld world) {
        this.world = world;
    }

    /** Returns a line for each step: its kind, SM, other SM, value, rank, and the state of the SM after it. */
    String text() {
        update(null);
        return lines.stream()
                .filter(line -> line.kind != null)
                .map(line -> line.kind.number + " "
                        + Arrays.stream(line.fields).mapToObj(Integer::toString).collect(Collectors.joining(" ")))
                .collect(Collectors.joining("\n", "", "\n"));
    }

    // --- steps ---

    /** Begins a reading; SMs that it does not ask are absent. */
    void addReading(Host host) {
        step(StepType.SWEEPS, host, 0, 0, 0);
        for (int i = 0; i < SMS; i++) {
            boolean isAsked =
                    i < world.hosts.length && world.hosts[i].sm != null && world.reaches(host, world.hosts[i]);
            if (i != host.number && !isAsked) {
                add(StepType.SEES, host.number, i, ABSENT, 0, new int[STATE_FIELDS]);
            }
        }
    }

    void addMissingSm(Host host, Host other) {
        update(null);
        add(StepType.SEES, host.number, other.number, SILENT, 0, new int[STATE_FIELDS]);
    }

    void addDecision(Host host, boolean isGranted) {
        step(StepType.JUDGES, host, 0, 0, isGranted ? 2 : 0);
    }

    void step(StepType kind, Host host) {
        step(kind, host, 0, 0, 0);
    }

    private void step(StepType kind, Host host, int other, int value, int rank) {
        update(host);
        if (host.sm != null) {
            known[host.number].state = encode(host.sm.driver.state());
            add(kind, host.number, other, value, rank, known[host.number].state);
        }
    }

    /** Notes a response that an SM sends. */
    void answers(Host from, Host to, byte[] mad) {
        int modifier = MadHeader.attributeModifier(mad);
        if (modifier != 0) {
            boolean isAccepted = MadHeader.status(mad) == MadStatus.OK;
            StepType kind = modifier == MastershipRules.HANDOVER ? StepType.HANDOVER : StepType.ACK;
            step(kind, from, to.number, isAccepted ? ACCEPTED : REFUSED, 0);
            return;
        }
        update(null);
        SmInfo info = SmInfo.TYPE.read(mad, Smp.DATA_OFFSET);
        answer(from, to, mad, code(SmState.of(info)), rank(info.priority(), from));
    }

    /** Notes the response of a host without an SM. */
    void answersWithoutSm(Host from, Host to, byte[] mad) {
        update(null);
        answer(from, to, mad, ABSENT, 0);
    }

    private void answer(Host from, Host to, byte[] mad, int shown, int rank) {
        answers.put(mad, add(null, to.number, from.number, shown, rank, new int[STATE_FIELDS]));
    }

    /** Notes that a response arrived and counts. */
    void markArrived(StepType kind, byte[] mad) {
        Line line = answers.remove(mad);
        if (line != null) {
            line.kind = kind;
        }
    }

    private Line add(@Nullable StepType kind, int sm, int other, int value, int rank, int[] state) {
        int[] fields = IntStream.concat(IntStream.of(sm, other, value, rank), Arrays.stream(state))
                .toArray();
        Line line = new Line(kind, fields);
        lines.add(line);
        return line;
    }

    // --- changes that no method reports ---

    /** Notes the changes since the last line, except those of the state of one SM. */
    private void update(@Nullable Host except) {
        for (Host host : world.hosts) {
            updateLinks(host, known[host.number]);
        }
        for (Host host : world.hosts) {
            updateSm(host, known[host.number], host == except);
        }
    }

    private void updateLinks(Host host, TracedHost last) {
        if (last.isDown == host.isPortUp) {
            last.isDown = !host.isPortUp;
            add(StepType.LINK, host.number, 0, last.isDown ? 1 : 0, 0, new int[STATE_FIELDS]);
        }
        if (last.isEast != world.isEast(host)) {
            last.isEast = !last.isEast;
            add(StepType.ISLAND, host.number, 0, last.isEast ? 1 : 0, 0, new int[STATE_FIELDS]);
        }
    }

    private void updateSm(Host host, TracedHost last, boolean isExcepted) {
        if (host.sm != last.sm && last.sm != null) {
            add(StepType.DIES, host.number, 0, 0, 0, new int[STATE_FIELDS]);
        }
        boolean isNew = host.sm != last.sm;
        last.sm = host.sm;
        if (host.sm == null) {
            return;
        }
        Mastership current = host.sm.driver.state();
        int[] state = encode(current);
        int rank = rank(current.priority(), host);
        if (isNew) {
            add(
                    StepType.STARTS_UP,
                    host.number,
                    host.isOpenSm ? SmWorld.OPENSM_RETRIES : SmWorld.RETRIES,
                    0,
                    rank,
                    state);
            last.state = state;
        } else if (rank != last.rank) {
            add(StepType.RANKS, host.number, 0, 0, rank, last.state);
        }
        last.rank = rank;
        if (!isExcepted && !Arrays.equals(state, last.state)) {
            boolean isEnd = state[ENDING] != last.state[ENDING];
            add(isEnd ? StepType.ENDS_ORDERLY : StepType.CHANGES, host.number, 0, 0, 0, state);
            last.state = state;
        }
    }

    // --- the numbers of the model ---

    private int[] encode(Mastership state) {
        int missing = 0;
        for (SilentSm silent : state.peers().silent()) {
            missing |= 1 << number(silent.portGuid());
        }
        Mastership.Watch watch = state.watch();
        Mastership.Handover handover = state.handover();
        return new int[] {
            code(state.state()),
            number(state.peers().silenceWait()),
            missing,
            number(watch.sm()),
            watch.misses(),
            watch.isAwaiting() ? 1 : 0,
            watch.silences() > 0 ? 1 : 0,
            number(handover.successor()),
            Math.min(MastershipRules.MAX_HANDOVER_FAILURES, handover.failures()),
            number(state.excludedGuid()),
            handover.isAccepted() ? 1 : 0,
            state.isEnding() ? 1 : 0
        };
    }

    private int number(@Nullable RemoteSm sm) {
        return sm == null ? NONE : number(sm.guid());
    }

    private int number(long guid) {
        return Arrays.stream(world.hosts)
                .filter(host -> host.guid == guid)
                .mapToInt(host -> host.number)
                .findFirst()
                .orElse(NONE);
    }

    private static int number(Mastership.SilenceWait patience) {
        return switch (patience) {
            case UNUSED -> 0;
            case CAREFUL -> 1;
            case WAITING -> 2;
            case LOOKING_AGAIN -> 3;
            case OVER -> 4;
        };
    }

    private static int code(SmState state) {
        return state == SmState.NOT_ACTIVE ? NOT_ACTIVE : state.code();
    }

    /** Returns the rank of an SM: of equal priorities, the lowest GUID is highest. */
    private int rank(int priority, Host host) {
        int lower = (int) Arrays.stream(world.hosts)
                .filter(other -> Long.compareUnsigned(other.guid, host.guid) > 0)
                .count();
        return priority * SMS + lower;
    }

    // --- the loop ---

    private Runnable observed(Runnable task) {
        return () -> {
            task.run();
            update(null);
        };
    }

    @Override
    public void execute(Runnable task) {
        world.loop.execute(observed(task));
    }

    @Override
    public Timer schedule(long delayNs, Runnable task) {
        return world.loop.schedule(delayNs, observed(task));
    }

    @Override
    public long nowNs() {
        return world.loop.nowNs();
    }

    @Override
    public boolean isInLoop() {
        return world.loop.isInLoop();
    }
}
