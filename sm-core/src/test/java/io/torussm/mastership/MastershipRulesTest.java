package io.torussm.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.Conversation;
import java.util.List;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The state machine: the scenes of {@code src/test/resources/mastership} in the words of {@link MastershipScript}, and
 * tables of cases.
 */
class MastershipRulesTest {
    private static final int REQUESTS = 5;

    @TestFactory
    List<DynamicContainer> scenes() throws Exception {
        return Conversation.scenes(
                MastershipScript::new,
                "mastership/not-active.txt",
                "mastership/discovering.txt",
                "mastership/standby.txt",
                "mastership/master.txt",
                "mastership/ending.txt");
    }

    /** IBA 14.4.1: the higher priority, then the lower port GUID. */
    @ParameterizedTest
    @CsvSource({"6,200,true", "4,1,false", "5,99,true", "5,100,false", "5,101,false", "5,-1,false"})
    void theHigherPriorityWinsThenTheLowerGuid(int priority, long guid, boolean isHigher) {
        RemoteSm other = new RemoteSm(guid, priority, SmState.MASTER, null, SmHost.UNKNOWN, true);
        assertThat(other.outranks(5, 100)).isEqualTo(isHigher);
        assertThat(Mastership.initial(100, 5).outranks(other)).isEqualTo(!isHigher);
    }

    /** A standby discovers nothing: the state of its successor before the handover stayed for ever. */
    @Test
    void aPollRenewsTheKnownStateOfItsSm() {
        RemoteSm standby = new RemoteSm(7, 6, SmState.STANDBY, null, SmHost.UNKNOWN, true);
        RemoteSm master = new RemoteSm(7, 6, SmState.MASTER, null, SmHost.UNKNOWN, true);
        Mastership sm = Mastership.initial(100, 5);
        for (MastershipEvent event : List.of(
                new MastershipEvent.Started(false),
                new MastershipEvent.Discovered(List.of(), List.of()),
                new MastershipEvent.Discovered(List.of(standby), List.of()),
                new MastershipEvent.SetReceived(MastershipRules.ACKNOWLEDGE, standby),
                new MastershipEvent.PollAnswered(master))) {
            sm = MastershipRules.step(sm, event, 2).next();
        }
        assertThat(sm.state()).isEqualTo(SmState.STANDBY);
        assertThat(sm.others()).containsExactly(master);
    }

    /** IBA 14.4.1: ACKNOWLEDGE comes from a STANDBY, the other four requests from a MASTER. */
    @ParameterizedTest
    @EnumSource
    void requestsOfASenderInAnIllegalStateAreRefusedInEveryState(SmState own) {
        for (int modifier = 1; modifier <= REQUESTS; modifier++) {
            SmState legal = modifier == MastershipRules.ACKNOWLEDGE ? SmState.STANDBY : SmState.MASTER;
            for (SmState senders : SmState.values()) {
                if (senders != legal) {
                    MastershipScript sm = new MastershipScript();
                    sm.on("become " + own);
                    List<String> caused = sm.on(modifier + " from 7/6/" + senders);
                    assertThat(caused.get(0)).isEqualTo("Answer status=28");
                    assertThat(caused).hasSize(2).last().asString().endsWith(", nothing changed");
                }
            }
        }
    }
}
