package io.torussm.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;
import io.torussm.testing.LoggedEvents;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Polls, HANDOVER and ACKNOWLEDGE, and the events that their outcomes become. */
class SmExchangesTest {
    private static final DrPath PATH = DrPath.of(1, 4, 2);
    private static final SmInfo MASTER = SmInfo.TYPE
            .zero()
            .with(SmInfo.GUID, 0x77)
            .with(SmInfo.SM_KEY, 1)
            .with(SmInfo.SM_STATE, SmState.MASTER.code());

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final Wire wire = new Wire();
    private final List<MastershipEvent> events = new ArrayList<>();
    private final Mastership state = Mastership.initial(0xabcd, 3);
    private final OwnSmInfo own =
            new OwnSmInfo(() -> state, () -> new Trust(1, Set.of(), Set.of()), mKey -> true, frame -> {});
    private final TrustedSms trusted =
            new TrustedSms(0xabcd, () -> new Trust(1, Set.of(), Set.of()), guid -> false, () -> false, () -> 0);
    private final SmExchanges exchanges =
            new SmExchanges(wire, trusted, own, new SmIdentities(wire, trusted, () -> 0, () -> state), events::add);

    /** The requests, which the test answers. */
    private static final class Wire implements SmPeers {
        final List<Consumer<Answer>> polls = new ArrayList<>();
        final List<DrPath> locations = new ArrayList<>();
        int cancelled;
        String setProblem = "";

        @Override
        public Runnable poll(DrPath path, boolean showsKey, Consumer<Answer> then) {
            polls.add(then);
            return () -> cancelled++;
        }

        @Override
        public void identify(DrPath path, Consumer<@Nullable Port> then) {
            then.accept(new Port(0x77, true, 9, 0));
        }

        @Override
        public void locate(DrPath path, Consumer<SmHost> then) {
            locations.add(path);
            then.accept(new SmHost("host-1", 9));
        }

        @Override
        public void set(DrPath path, SmInfo self, int modifier, Consumer<String> then) {
            then.accept(setProblem);
        }

        @Override
        public void trapPriorityChange() {}
    }

    private static RemoteSm master(@Nullable DrPath path, SmHost host) {
        return new RemoteSm(0x77, 0, SmState.MASTER, path, host, true);
    }

    /** A request came by LID from an SM that no sweep has found: there is no route to it yet. */
    @Test
    void aPollAndAHandoverWithoutARouteFailImmediately() {
        RemoteSm unreachable = master(null, SmHost.UNKNOWN);
        exchanges.poll(unreachable);
        exchanges.handOver(unreachable);
        exchanges.acknowledge(unreachable);
        assertThat(events)
                .containsExactly(
                        new MastershipEvent.PollFailed(false),
                        new MastershipEvent.HandoverFailed("the way to it is not known"));
        assertThat(wire.polls).isEmpty();
    }

    @Test
    void theNextPollCancelsTheOneThatRuns() {
        exchanges.poll(master(PATH, SmHost.UNKNOWN));
        assertThat(wire.cancelled).isZero();
        exchanges.poll(master(PATH, SmHost.UNKNOWN));
        assertThat(wire.cancelled).isEqualTo(1);
        exchanges.stopPolling();
        exchanges.stopPolling();
        assertThat(wire.cancelled).isEqualTo(2);
    }

    /** The log and the list of SMs name the host of the master, also if a request and no sweep has found it. */
    @Test
    void theFirstAnswerOfAnUnknownHostLocatesIt() {
        for (int i = 0; i < 3; i++) {
            exchanges.poll(master(PATH, SmHost.UNKNOWN));
            wire.polls.get(i).accept(new SmPeers.Answer(MASTER, false));
        }
        SmHost known = new SmHost("host-1", 9);
        assertThat(events)
                .containsExactly(
                        new MastershipEvent.PollAnswered(master(PATH, SmHost.UNKNOWN)),
                        new MastershipEvent.PollAnswered(master(PATH, known)),
                        new MastershipEvent.PollAnswered(master(PATH, known)));
        assertThat(wire.locations).containsExactly(PATH);
    }

    @Test
    void anAnswerOfAnotherSmIsNone() {
        exchanges.poll(master(PATH, SmHost.UNKNOWN));
        wire.polls.get(0).accept(new SmPeers.Answer(MASTER.with(SmInfo.GUID, 0x78), false));
        exchanges.poll(master(PATH, SmHost.UNKNOWN));
        wire.polls.get(1).accept(new SmPeers.Answer(null, true));
        assertThat(events).containsExactly(new MastershipEvent.PollFailed(false), new MastershipEvent.PollFailed(true));
        assertThat(wire.locations).isEmpty();
    }

    @Test
    void aRefusedAcknowledgeIsReported() {
        exchanges.acknowledge(master(PATH, SmHost.UNKNOWN));
        assertThat(log.of(SmEvent.ACKNOWLEDGE_REFUSED)).isEmpty();
        wire.setProblem = "status 0x001c";
        exchanges.acknowledge(master(PATH, SmHost.UNKNOWN));
        assertThat(log.only(SmEvent.ACKNOWLEDGE_REFUSED).get(EventField.REASON)).isEqualTo("status 0x001c");
        assertThat(events).isEmpty();
    }

    @Test
    void aRefusedHandoverFailsWithItsReason() {
        wire.setProblem = "timeout";
        exchanges.handOver(master(PATH, SmHost.UNKNOWN));
        assertThat(events).containsExactly(new MastershipEvent.HandoverFailed("timeout"));
    }
}
