package io.torussm.mastership;

import static io.torussm.mastership.MastershipRules.ACKNOWLEDGE;
import static io.torussm.mastership.MastershipRules.DISABLE;
import static io.torussm.mastership.MastershipRules.DISCOVER;
import static io.torussm.mastership.MastershipRules.HANDOVER;
import static io.torussm.mastership.MastershipRules.TO_STANDBY;
import static io.torussm.mastership.SmState.DISCOVERING;
import static io.torussm.mastership.SmState.MASTER;
import static io.torussm.mastership.SmState.NOT_ACTIVE;
import static io.torussm.mastership.SmState.STANDBY;
import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.DrPath;
import io.torussm.mastership.MastershipAction.Acknowledge;
import io.torussm.mastership.MastershipAction.Answer;
import io.torussm.mastership.MastershipAction.End;
import io.torussm.mastership.MastershipAction.Govern;
import io.torussm.mastership.MastershipAction.HandOver;
import io.torussm.mastership.MastershipAction.Poll;
import io.torussm.mastership.MastershipAction.Rest;
import io.torussm.mastership.MastershipAction.StandAside;
import io.torussm.mastership.MastershipAction.Start;
import io.torussm.mastership.MastershipAction.Stop;
import io.torussm.mastership.MastershipAction.StopPolling;
import io.torussm.mastership.MastershipAction.Sweep;
import io.torussm.mastership.MastershipAction.Tell;
import io.torussm.mastership.MastershipAction.TrapPriorityChange;
import io.torussm.mastership.MastershipEvent.Asked;
import io.torussm.mastership.MastershipEvent.Discovered;
import io.torussm.mastership.MastershipEvent.EndAsked;
import io.torussm.mastership.MastershipEvent.HandoverAccepted;
import io.torussm.mastership.MastershipEvent.HandoverFailed;
import io.torussm.mastership.MastershipEvent.PollAnswered;
import io.torussm.mastership.MastershipEvent.PollFailed;
import io.torussm.mastership.MastershipEvent.PortDown;
import io.torussm.mastership.MastershipEvent.PriorityChanged;
import io.torussm.mastership.MastershipEvent.Seen;
import io.torussm.mastership.MastershipEvent.Started;
import io.torussm.mastership.MastershipEvent.TimedOut;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One test for each sentence of the state machine: who ranks, what leads from state to state, what is refused. */
class MastershipRulesTest {
    private static final long OWN_GUID = 100;
    private static final int OWN_PRIORITY = 5;
    private static final int RETRIES = 2;
    private static final Answer OK = new Answer(0);
    private static final Answer REFUSED = new Answer(0x1c);

    private Mastership state = Mastership.initial(OWN_GUID, OWN_PRIORITY);
    private List<MastershipAction> actions = List.of();

    private static RemoteSm sm(long guid, int priority, SmState state) {
        return new RemoteSm(guid, priority, state, DrPath.of(1));
    }

    private static RemoteSm higher(SmState state) {
        return sm(7, OWN_PRIORITY + 1, state);
    }

    private static RemoteSm lower(SmState state) {
        return sm(8, OWN_PRIORITY - 1, state);
    }

    /** Takes a step, and keeps what is to be done but for the lines to the operator and stopped timers. */
    private void when(MastershipEvent event) {
        MastershipRules.Step step = MastershipRules.step(state, event, RETRIES);
        state = step.next();
        actions = new ArrayList<>(step.actions());
        actions.removeIf(action -> action instanceof Tell || action instanceof Stop);
    }

    private void whenAsked(int modifier, RemoteSm sender) {
        when(new Asked(modifier, sender));
    }

    private void given(SmState wanted) {
        switch (wanted) {
            case NOT_ACTIVE -> when(new Started(true));
            case DISCOVERING -> when(new Started(false));
            case STANDBY -> {
                when(new Started(false));
                when(new Discovered(List.of(higher(MASTER))));
            }
            case MASTER -> {
                when(new Started(false));
                when(new Discovered(List.of()));
            }
        }
        then(wanted);
    }

    private void then(SmState expected, MastershipAction... expectedActions) {
        assertThat(state.state()).isEqualTo(expected);
        if (expectedActions.length > 0) {
            assertThat(actions).containsExactly(expectedActions);
        }
    }

    private void thenNothing(SmState expected) {
        then(expected);
        assertThat(actions).isEmpty();
    }

    private void misses(int count) {
        for (int i = 0; i < count; i++) {
            when(new TimedOut(MastershipTimer.POLL));
        }
    }

    @Nested
    class Ranking {
        @ParameterizedTest
        @CsvSource({"6,200,true", "4,1,false", "5,99,true", "5,101,false", "5,-1,false"})
        void theHigherPriorityWinsThenTheLowerGuid(int priority, long guid, boolean isHigher) {
            assertThat(sm(guid, priority, MASTER).outranks(OWN_PRIORITY, OWN_GUID))
                    .isEqualTo(isHigher);
            assertThat(state.outranks(sm(guid, priority, MASTER))).isEqualTo(!isHigher);
        }
    }

    @Nested
    class Discovering {
        @Test
        void isWhereAnSmStarts() {
            when(new Started(false));
            then(DISCOVERING, new Sweep(false));
        }

        @Test
        void becomesMasterWhenDiscoveryIsDoneAndNobodyIsHigher() {
            given(DISCOVERING);
            when(new Discovered(List.of(lower(STANDBY), lower(DISCOVERING), higher(NOT_ACTIVE))));
            then(MASTER, new Govern());
        }

        @Test
        void standsByAndPollsWhenThereIsAMaster() {
            given(DISCOVERING);
            when(new Discovered(List.of(higher(MASTER))));
            then(STANDBY, new StandAside(higher(MASTER)), new Poll(higher(MASTER)), new Start(MastershipTimer.POLL));
            assertThat(state.master()).isEqualTo(higher(MASTER));
        }

        @Test
        void standsByBehindALowerMasterTooButTellsItWithTrap144() {
            given(DISCOVERING);
            when(new Discovered(List.of(lower(MASTER))));
            then(
                    STANDBY,
                    new StandAside(lower(MASTER)),
                    new Poll(lower(MASTER)),
                    new Start(MastershipTimer.POLL),
                    new TrapPriorityChange());
        }

        @ParameterizedTest
        @EnumSource(names = {"DISCOVERING", "STANDBY"})
        void standsByWhenThereIsAHigherOne(SmState other) {
            given(DISCOVERING);
            when(new Discovered(List.of(higher(other))));
            then(STANDBY, new StandAside(higher(other)), new Poll(higher(other)), new Start(MastershipTimer.POLL));
        }

        @Test
        void prefersAMasterToAHigherStandbyAndTheHighestOfSeveral() {
            given(DISCOVERING);
            RemoteSm highest = sm(9, 14, MASTER);
            when(new Discovered(List.of(sm(1, 15, STANDBY), lower(MASTER), highest, higher(MASTER))));
            assertThat(state.master()).isEqualTo(highest);
        }

        @Test
        void sweepsAgainAndStaysWhenHandoverComes() {
            given(DISCOVERING);
            whenAsked(HANDOVER, higher(MASTER));
            then(DISCOVERING, OK, new Acknowledge(higher(MASTER)), new Sweep(true));
        }

        @Test
        void looksAgainAfterAWhileWhenItsPortIsDown() {
            given(DISCOVERING);
            when(new PortDown("down"));
            then(DISCOVERING, new Start(MastershipTimer.RETRY));
            when(new TimedOut(MastershipTimer.RETRY));
            then(DISCOVERING, new Sweep(false));
        }

        @ParameterizedTest
        @ValueSource(ints = {DISABLE, TO_STANDBY})
        void refusesDisableAndStandby(int modifier) {
            given(DISCOVERING);
            whenAsked(modifier, higher(MASTER));
            then(DISCOVERING, REFUSED);
        }

        @Test
        void refusesAnAcknowledge() {
            given(DISCOVERING);
            whenAsked(ACKNOWLEDGE, higher(STANDBY));
            then(DISCOVERING, REFUSED);
        }

        @Test
        void acceptsARepeatedDiscoverAsDone() {
            given(DISCOVERING);
            whenAsked(DISCOVER, higher(MASTER));
            then(DISCOVERING, OK);
        }
    }

    @Nested
    class Standby {
        @Test
        void pollsAndIsContentWithAMasterThatAnswers() {
            given(STANDBY);
            for (int i = 0; i < 100; i++) {
                when(new TimedOut(MastershipTimer.POLL));
                then(STANDBY, new Poll(higher(MASTER)), new Start(MastershipTimer.POLL));
                when(new PollAnswered(higher(MASTER)));
                thenNothing(STANDBY);
            }
        }

        @Test
        void discoversWhenMorePollsFailThanAreToBeRetried() {
            given(STANDBY);
            misses(RETRIES);
            then(STANDBY);
            misses(1);
            then(DISCOVERING, new StopPolling(), new Sweep(true));
        }

        @Test
        void countsAPollThatFailsAtOnceOnce() {
            given(STANDBY);
            for (int i = 0; i < RETRIES; i++) {
                when(new PollFailed());
                when(new TimedOut(MastershipTimer.POLL));
                then(STANDBY);
            }
            when(new PollFailed());
            then(DISCOVERING);
        }

        @Test
        void forgetsMissesWhenTheMasterAnswersAgain() {
            given(STANDBY);
            misses(RETRIES);
            when(new PollAnswered(higher(MASTER)));
            misses(RETRIES);
            then(STANDBY);
        }

        @ParameterizedTest
        @EnumSource(names = {"NOT_ACTIVE", "DISCOVERING", "STANDBY"})
        void discoversWhenThePolledOneAnswersButIsNoMaster(SmState other) {
            given(STANDBY);
            for (int i = 0; i < RETRIES; i++) {
                when(new PollAnswered(higher(other)));
                then(STANDBY);
            }
            when(new PollAnswered(higher(other)));
            then(DISCOVERING, new StopPolling(), new Sweep(true));
        }

        @Test
        void takesNoNoticeOfAnAnswerOfSomebodyElse() {
            given(STANDBY);
            when(new PollAnswered(lower(NOT_ACTIVE)));
            thenNothing(STANDBY);
        }

        @Test
        void discoversWhenDiscoverComes() {
            given(STANDBY);
            whenAsked(DISCOVER, higher(MASTER));
            then(DISCOVERING, OK, new StopPolling(), new Sweep(true));
        }

        @Test
        void becomesMasterAndAcknowledgesWhenHandoverComes() {
            given(STANDBY);
            whenAsked(HANDOVER, higher(MASTER));
            then(MASTER, OK, new Acknowledge(higher(MASTER)), new StopPolling(), new Sweep(true));
            assertThat(state.master()).isNull();
        }

        @Test
        void takesHandoverFromAnyMasterNotOnlyTheOneThatItPolls() {
            given(STANDBY);
            whenAsked(HANDOVER, lower(MASTER));
            then(MASTER);
        }

        @Test
        void becomesNotActiveAndPollsNoMoreWhenDisableComes() {
            given(STANDBY);
            whenAsked(DISABLE, higher(MASTER));
            then(NOT_ACTIVE, OK, new StopPolling());
            misses(10);
            thenNothing(NOT_ACTIVE);
        }

        @Test
        void takesAnAcknowledgeWithoutDoingAnything() {
            given(STANDBY);
            whenAsked(ACKNOWLEDGE, higher(STANDBY));
            then(STANDBY, OK);
        }

        @Test
        void acceptsARepeatedStandbyAsDone() {
            given(STANDBY);
            whenAsked(TO_STANDBY, higher(MASTER));
            then(STANDBY, OK);
        }

        @Test
        void tellsTheMasterWithTrap144WhenItsPriorityIsRaised() {
            given(STANDBY);
            when(new PriorityChanged(OWN_PRIORITY + 1));
            then(STANDBY, new TrapPriorityChange());
            when(new PriorityChanged(OWN_PRIORITY));
            thenNothing(STANDBY);
        }

        @Test
        void tellsAMasterThatItOutranksAgainAndAgainButEverMoreSeldom() {
            given(STANDBY);
            List<Integer> told = new ArrayList<>();
            for (int poll = 1; poll <= 100; poll++) {
                when(new PollAnswered(sm(7, 0, MASTER)));
                if (actions.contains(new TrapPriorityChange())) {
                    told.add(poll);
                }
            }
            assertThat(told).containsExactly(1, 2, 4, 8, 16, 32, 64, 96);
        }

        @Test
        void hearsOfAPortThatIsDownFromItsPollsOnly() {
            given(STANDBY);
            when(new PortDown("down"));
            thenNothing(STANDBY);
        }
    }

    @Nested
    class NotActive {
        @Test
        void isWhereAnSmStartsThatTheOperatorWantsInactive() {
            when(new Started(true));
            thenNothing(NOT_ACTIVE);
        }

        @Test
        void standsByAndPollsTheSenderWhenStandbyComes() {
            given(NOT_ACTIVE);
            whenAsked(TO_STANDBY, lower(MASTER));
            then(STANDBY, OK, new Poll(lower(MASTER)), new Start(MastershipTimer.POLL));
        }

        @Test
        void acceptsARepeatedDisableAsDone() {
            given(NOT_ACTIVE);
            whenAsked(DISABLE, higher(MASTER));
            then(NOT_ACTIVE, OK);
        }

        @ParameterizedTest
        @ValueSource(ints = {HANDOVER, DISCOVER})
        void refusesHandoverAndDiscover(int modifier) {
            given(NOT_ACTIVE);
            whenAsked(modifier, higher(MASTER));
            then(NOT_ACTIVE, REFUSED);
        }

        @Test
        void refusesAnAcknowledge() {
            given(NOT_ACTIVE);
            whenAsked(ACKNOWLEDGE, higher(STANDBY));
            then(NOT_ACTIVE, REFUSED);
        }
    }

    @Nested
    class Master {
        @Test
        void goesOnWhileNobodyIsHigher() {
            given(MASTER);
            when(new Discovered(List.of(lower(STANDBY), higher(NOT_ACTIVE), lower(DISCOVERING))));
            then(MASTER, new Govern());
        }

        @Test
        void handsOverToAHigherStandbyThatASweepFinds() {
            given(MASTER);
            when(new Discovered(List.of(higher(STANDBY), lower(STANDBY))));
            then(MASTER, new StandAside(higher(STANDBY)), new HandOver(higher(STANDBY)));
        }

        @Test
        void isToldToBeStandbyFromItsHandoverOnUnlessThatFails() {
            handOver(higher(STANDBY));
            assertThat(state.shown()).isEqualTo(STANDBY);
            when(new HandoverFailed("timeout"));
            assertThat(state.shown()).isEqualTo(MASTER);
        }

        @Test
        void waitsUntilAHigherOneHasDiscovered() {
            given(MASTER);
            when(new Discovered(List.of(higher(DISCOVERING))));
            then(MASTER, new Govern());
        }

        @Test
        void standsByAndPollsTheHeirWhenItAcknowledges() {
            handOver(higher(STANDBY));
            when(new HandoverAccepted());
            then(MASTER, new Start(MastershipTimer.ACKNOWLEDGE));
            whenAsked(ACKNOWLEDGE, higher(STANDBY));
            then(STANDBY, OK, new Rest(), new Poll(higher(STANDBY)), new Start(MastershipTimer.POLL));
        }

        @Test
        void takesAnAcknowledgeThatOvertakesTheAnswer() {
            handOver(higher(STANDBY));
            whenAsked(ACKNOWLEDGE, higher(STANDBY));
            then(STANDBY);
            when(new HandoverAccepted());
            thenNothing(STANDBY);
        }

        @Test
        void believesAnHeirThatAcceptsAndNeverAcknowledges() {
            handOver(higher(STANDBY));
            when(new HandoverAccepted());
            when(new TimedOut(MastershipTimer.ACKNOWLEDGE));
            then(STANDBY, new Rest(), new Poll(higher(STANDBY)), new Start(MastershipTimer.POLL));
        }

        @Test
        void isDiscoveringAgainWhenTheHeirVanishesAfterItAccepted() {
            believesAnHeirThatAcceptsAndNeverAcknowledges();
            misses(RETRIES + 1);
            then(DISCOVERING);
        }

        @Test
        void staysMasterWhenTheHeirVanishesBeforeItAcceptsAndLooksAgain() {
            handOver(higher(STANDBY));
            when(new HandoverFailed("timeout"));
            then(MASTER, new Start(MastershipTimer.RETRY));
            when(new TimedOut(MastershipTimer.RETRY));
            then(MASTER, new Sweep(false));
            when(new Discovered(List.of()));
            then(MASTER, new Govern());
        }

        @Test
        void leavesAStandbyAloneForAWhileThatKeepsRefusing() {
            handOver(higher(STANDBY));
            for (int i = 1; i < MastershipRules.MAX_HANDOVER_FAILURES; i++) {
                when(new HandoverFailed("status 0x001c"));
                when(new Discovered(List.of(higher(STANDBY))));
                then(MASTER, new StandAside(higher(STANDBY)), new HandOver(higher(STANDBY)));
            }
            when(new HandoverFailed("status 0x001c"));
            then(MASTER, new Start(MastershipTimer.EXCLUSION), new Sweep(false));
            when(new Discovered(List.of(higher(STANDBY))));
            then(MASTER, new Govern());
            when(new TimedOut(MastershipTimer.EXCLUSION));
            when(new Discovered(List.of(higher(STANDBY))));
            then(MASTER, new StandAside(higher(STANDBY)), new HandOver(higher(STANDBY)));
        }

        @Test
        void neverLeavesAHigherMasterAlone() {
            handOver(higher(MASTER));
            for (int i = 1; i < 10; i++) {
                when(new HandoverFailed("timeout"));
                then(MASTER, new Start(MastershipTimer.RETRY));
                when(new Discovered(List.of(higher(MASTER))));
                then(MASTER, new StandAside(higher(MASTER)), new HandOver(higher(MASTER)));
            }
        }

        @Test
        void handsOverToAHigherMasterWhenTwoSubnetsAreJoined() {
            given(MASTER);
            when(new Discovered(List.of(higher(MASTER))));
            then(MASTER, new StandAside(higher(MASTER)), new HandOver(higher(MASTER)));
        }

        @Test
        void waitsForALowerMasterAndPollsItWhenTwoSubnetsAreJoined() {
            given(MASTER);
            when(new Discovered(List.of(lower(MASTER))));
            then(MASTER, new StandAside(lower(MASTER)), new Poll(lower(MASTER)), new Start(MastershipTimer.POLL));
            when(new Discovered(List.of(lower(MASTER))));
            then(MASTER, new StandAside(lower(MASTER)));
        }

        @Test
        void sweepsAnewWhenTheLowerMasterHandsOver() {
            waitsForALowerMasterAndPollsItWhenTwoSubnetsAreJoined();
            whenAsked(HANDOVER, lower(MASTER));
            then(MASTER, OK, new Acknowledge(lower(MASTER)), new StopPolling(), new Sweep(true));
        }

        @Test
        void sweepsAnewWhenTheLowerMasterIsGone() {
            waitsForALowerMasterAndPollsItWhenTwoSubnetsAreJoined();
            misses(RETRIES + 1);
            then(MASTER, new StopPolling(), new Sweep(true));
        }

        @Test
        void sweepsAnewWhenTheLowerMasterIsNoneAnyMore() {
            waitsForALowerMasterAndPollsItWhenTwoSubnetsAreJoined();
            when(new PollAnswered(lower(STANDBY)));
            then(MASTER, new StopPolling(), new Sweep(true));
        }

        @Test
        void complainsOfALowerMasterThatDoesNotHandOver() {
            waitsForALowerMasterAndPollsItWhenTwoSubnetsAreJoined();
            int complaints = 0;
            for (int i = 0; i < 60; i++) {
                MastershipRules.Step step = MastershipRules.step(state, new PollAnswered(lower(MASTER)), RETRIES);
                state = step.next();
                complaints += step.actions().size();
            }
            assertThat(complaints).isEqualTo(2);
            then(MASTER);
        }

        @Test
        void takesAHandoverThatItDidNotWaitFor() {
            given(MASTER);
            whenAsked(HANDOVER, higher(MASTER));
            then(MASTER, OK, new Acknowledge(higher(MASTER)), new Sweep(true));
        }

        @Test
        void refusesAHandoverWhileItHandsOverItself() {
            handOver(higher(STANDBY));
            whenAsked(HANDOVER, lower(MASTER));
            then(MASTER, REFUSED);
        }

        @Test
        void discoversWhenDiscoverComes() {
            given(MASTER);
            whenAsked(DISCOVER, higher(MASTER));
            then(DISCOVERING, OK, new Rest(), new Sweep(true));
        }

        @ParameterizedTest
        @ValueSource(ints = {DISABLE, TO_STANDBY})
        void refusesDisableAndStandby(int modifier) {
            given(MASTER);
            whenAsked(modifier, higher(MASTER));
            then(MASTER, REFUSED);
        }

        @Test
        void takesAnAcknowledgeThatItDoesNotWaitForWithoutDoingAnything() {
            handOver(higher(STANDBY));
            whenAsked(ACKNOWLEDGE, lower(STANDBY));
            then(MASTER, OK);
        }

        @Test
        void isDiscoveringAndForgetsTheSubnetWhenItsPortIsDown() {
            given(MASTER);
            when(new PortDown("down"));
            then(DISCOVERING, new Rest(), new Start(MastershipTimer.RETRY));
        }

        @Test
        void sweepsWhenALightSweepSeesAMasterOrAHigherStandby() {
            given(MASTER);
            for (RemoteSm news : List.of(lower(MASTER), higher(MASTER), higher(STANDBY))) {
                when(new Seen(news));
                then(MASTER, new Sweep(false));
            }
            for (RemoteSm known : List.of(lower(STANDBY), higher(NOT_ACTIVE), higher(DISCOVERING))) {
                when(new Seen(known));
                thenNothing(MASTER);
            }
        }

        @Test
        void comparesRanksAnewWhenItsPriorityChanges() {
            given(MASTER);
            when(new PriorityChanged(OWN_PRIORITY - 2));
            then(MASTER, new Sweep(false));
            when(new Discovered(List.of(lower(STANDBY))));
            then(MASTER, new StandAside(lower(STANDBY)), new HandOver(lower(STANDBY)));
        }

        private void handOver(RemoteSm successor) {
            given(MASTER);
            when(new Discovered(List.of(successor)));
            then(MASTER, new StandAside(successor), new HandOver(successor));
        }
    }

    @Nested
    class Legality {
        @ParameterizedTest
        @CsvSource({
            "1,NOT_ACTIVE", "1,DISCOVERING", "1,STANDBY", "2,NOT_ACTIVE", "2,DISCOVERING", "2,MASTER",
            "3,NOT_ACTIVE", "3,DISCOVERING", "3,STANDBY", "4,NOT_ACTIVE", "4,DISCOVERING", "4,STANDBY",
            "5,NOT_ACTIVE", "5,DISCOVERING", "5,STANDBY"
        })
        void requestsOfASenderInAnIllegalStateAreRefusedInEveryState(int modifier, SmState senders) {
            for (SmState own : SmState.values()) {
                state = Mastership.initial(OWN_GUID, OWN_PRIORITY);
                given(own);
                Mastership before = state;
                whenAsked(modifier, higher(senders));
                assertThat(actions).containsExactly(REFUSED);
                assertThat(state).isEqualTo(before);
            }
        }

        @ParameterizedTest
        @ValueSource(ints = {0, 6, -1, 0x10001})
        void modifiersThatIbaDoesNotKnowAreRefused(int modifier) {
            given(STANDBY);
            whenAsked(modifier, higher(MASTER));
            then(STANDBY, REFUSED);
        }
    }

    @Nested
    class Ending {
        @Test
        void aMasterHandsOverToTheHighestStandbyWhateverItsRank() {
            given(MASTER);
            when(new Discovered(List.of(sm(1, 1, STANDBY), sm(2, 3, STANDBY), sm(3, 4, DISCOVERING))));
            when(new EndAsked());
            then(MASTER, new Rest(), new Start(MastershipTimer.END), new HandOver(sm(2, 3, STANDBY)));
            assertThat(state.shown())
                    .as("so that the successor does not hand back")
                    .isEqualTo(NOT_ACTIVE);
            when(new HandoverAccepted());
            whenAsked(ACKNOWLEDGE, sm(2, 3, STANDBY));
            assertThat(actions).containsExactly(OK, new End());
        }

        @Test
        void aMasterHandsOverToOneThatWasStillDiscoveringIfThereIsNoStandby() {
            given(MASTER);
            when(new Discovered(List.of(lower(DISCOVERING))));
            when(new EndAsked());
            assertThat(actions).contains(new HandOver(lower(DISCOVERING)));
        }

        @Test
        void aMasterKnowsWhatALightSweepSawLast() {
            given(MASTER);
            when(new Discovered(List.of(lower(DISCOVERING), sm(50, 1, STANDBY))));
            when(new Seen(lower(STANDBY)));
            when(new EndAsked());
            assertThat(actions).contains(new HandOver(lower(STANDBY)));
        }

        @Test
        void aMasterWithoutAStandbyEndsAtOnce() {
            given(MASTER);
            when(new EndAsked());
            assertThat(actions).containsExactly(new End());
        }

        @ParameterizedTest
        @EnumSource(names = {"NOT_ACTIVE", "DISCOVERING", "STANDBY"})
        void whoIsNoMasterEndsAtOnce(SmState own) {
            given(own);
            when(new EndAsked());
            assertThat(actions).endsWith(new End()).noneMatch(action -> action instanceof HandOver);
        }

        @Test
        void waitsNeitherForAnAcknowledgeNorForAnAnswerForEver() {
            for (MastershipEvent last : List.of(
                    new TimedOut(MastershipTimer.END),
                    new TimedOut(MastershipTimer.ACKNOWLEDGE),
                    new HandoverFailed("timeout"))) {
                state = Mastership.initial(OWN_GUID, OWN_PRIORITY);
                given(MASTER);
                when(new Discovered(List.of(lower(STANDBY))));
                when(new EndAsked());
                if (!(last instanceof HandoverFailed)) {
                    when(new HandoverAccepted());
                }
                when(last);
                assertThat(actions).endsWith(new End());
            }
        }

        @Test
        void nothingMovesItAnyMore() {
            given(MASTER);
            when(new Discovered(List.of(lower(STANDBY))));
            when(new EndAsked());
            when(new Seen(higher(MASTER)));
            assertThat(actions).isEmpty();
            whenAsked(HANDOVER, higher(MASTER));
            assertThat(actions).containsExactly(REFUSED);
            when(new Discovered(List.of(higher(MASTER))));
            assertThat(actions).doesNotContain(new Govern());
        }
    }

    @Test
    void everyTransitionIsToldWithBothSmsAndTheReason() {
        given(DISCOVERING);
        MastershipRules.Step step = MastershipRules.step(state, new Discovered(List.of(sm(0xabc, 9, MASTER))), RETRIES);
        assertThat(step.actions())
                .contains(new Tell(
                        false,
                        "DISCOVERING -> STANDBY: there is a master: port GUID 0x0000000000000abc, priority 9, MASTER"
                                + " (this SM: port GUID 0x0000000000000064, priority 5)"));
    }
}
