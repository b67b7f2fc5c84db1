package io.torussm.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.VirtualLoop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** SMInfo requests at a master: the identification of their senders, and its limits. */
class SmInfoRequestsTest {
    private static final long SECRET = 0x1234;
    private static final int MAX_WAITING = 64;
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(2);
    private static final DrPath PATH = DrPath.of(1, 4, 2);
    private static final DrPath OTHER_PATH = DrPath.of(1, 4, 3);

    private final VirtualLoop loop = new VirtualLoop();
    private final Wire wire = new Wire();
    private final List<DrPath> unknownSms = new ArrayList<>();

    /** SM_Keys in the responses. */
    private final List<Long> shownKeys = new ArrayList<>();

    private long smKey = SECRET;
    private Mastership state = master(new RemoteSm(0x77, 1, SmState.STANDBY, PATH, SmHost.UNKNOWN, true));

    private final OwnSmInfo own = new OwnSmInfo(
            () -> state,
            this::trust,
            mKey -> true,
            frame ->
                    shownKeys.add(SmInfo.TYPE.read(frame.mad(), Smp.DATA_OFFSET).get(SmInfo.SM_KEY)));
    private final TrustedSms trusted =
            new TrustedSms(0xabcd, this::trust, guid -> guid == 0x77, () -> false, loop::nowNs);
    private final SmInfoRequests requests = new SmInfoRequests(loop, wire, trusted, own, new Subject());

    private static Mastership master(RemoteSm other) {
        Mastership begun = MastershipRules.step(Mastership.initial(0xabcd, 3), new MastershipEvent.Started(false), 2)
                .next();
        Mastership master = MastershipRules.step(begun, new MastershipEvent.Discovered(List.of(), List.of()), 2)
                .next();
        return master.including(other);
    }

    private Trust trust() {
        return new Trust(smKey, Set.of(), Set.of());
    }

    private final class Subject implements SmInfoRequests.Subject {
        @Override
        public Mastership state() {
            return state;
        }

        @Override
        public boolean isMaster() {
            return state.mayProgram();
        }

        @Override
        public boolean isEnded() {
            return false;
        }

        @Override
        public MastershipSettings settings() {
            return new MastershipSettings(3, 1000, 2, 30, 0, trust(), false);
        }

        @Override
        public void onUnknownSm(DrPath path) {
            unknownSms.add(path);
        }

        @Override
        public void onSet(MadFrame frame, MastershipEvent.SetReceived event) {}
    }

    /** The agents of ports, which answer when the test says so. */
    private static final class Wire implements SmPeers {
        final List<Consumer<@Nullable Port>> identifications = new ArrayList<>();

        void answerAll() {
            List<Consumer<@Nullable Port>> all = List.copyOf(identifications);
            identifications.clear();
            all.forEach(then -> then.accept(new Port(0x77, true, 9, 0)));
        }

        @Override
        public Runnable poll(DrPath path, boolean showsKey, Consumer<Answer> then) {
            return () -> {};
        }

        @Override
        public void identify(DrPath path, Consumer<@Nullable Port> then) {
            identifications.add(then);
        }

        @Override
        public void locate(DrPath path, Consumer<SmHost> then) {}

        @Override
        public void set(DrPath path, SmInfo self, int modifier, Consumer<String> then) {}

        @Override
        public void trapPriorityChange() {}
    }

    private void get(long tid, DrPath path) {
        byte[] mad = Smp.directed(Method.GET, tid, SmInfo.TYPE.id(), 0, 0, path);
        for (int i = 1; i <= path.hops(); i++) {
            mad[Smp.RETURN_PATH + i] = (byte) path.port(path.hops() - i);
        }
        requests.receive(new MadFrame(MadAddress.DIRECTED, mad));
    }

    /** A port that does not answer must not make this SM collect requests without limit. */
    @Test
    void identifiesALimitedNumberOfSendersAtATime() {
        state = Mastership.initial(0xabcd, 3);
        for (int tid = 1; tid <= MAX_WAITING; tid++) {
            get(tid, OTHER_PATH);
        }
        assertThat(shownKeys).isEmpty();
        assertThat(wire.identifications).hasSize(MAX_WAITING);
        get(MAX_WAITING + 1, OTHER_PATH);
        assertThat(shownKeys).as("unproved").containsExactly(0L);
        wire.answerAll();
        assertThat(shownKeys).hasSize(1 + MAX_WAITING).endsWith(SECRET);
        get(MAX_WAITING + 2, OTHER_PATH);
        assertThat(wire.identifications).hasSize(1);
    }

    @Test
    void ignoresRepetitionsWhileItIdentifiesTheSender() {
        state = Mastership.initial(0xabcd, 3);
        get(1, OTHER_PATH);
        get(1, OTHER_PATH);
        wire.answerAll();
        assertThat(shownKeys).containsExactly(SECRET);
    }

    /** A host behind another port of the same switch is not the SM that a discovery found. */
    @Test
    void aKnownSmIsKnownAtItsOwnRouteOnly() {
        get(1, PATH);
        assertThat(shownKeys).containsExactly(SECRET);
        get(2, OTHER_PATH);
        assertThat(shownKeys).as("not before the port has answered").containsExactly(SECRET);
    }

    @Test
    void looksForAnUnknownSmOnceInAWhile() {
        smKey = 1;
        get(1, OTHER_PATH);
        loop.runFor(INTERVAL_NS - 1);
        get(2, OTHER_PATH);
        assertThat(wire.identifications).hasSize(1);
        loop.runFor(1);
        get(3, OTHER_PATH);
        assertThat(wire.identifications).hasSize(2);
        wire.answerAll();
        assertThat(unknownSms).containsExactly(OTHER_PATH, OTHER_PATH);
    }

    /** Programs of this host ask too; this SM would find itself. */
    @Test
    void looksForNoSmAtItsOwnPort() {
        smKey = 1;
        get(1, DrPath.LOCAL);
        assertThat(shownKeys).containsExactly(1L);
        assertThat(wire.identifications).isEmpty();
    }
}
