package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mastership.SmState;
import io.torussm.mastership.Trust;
import io.torussm.sim.SimTransport;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** SMs of {@link SeveralSmsCase} that do not trust each other or have other keys, and the information that SMs give. */
class SmsOfOtherOwnersTest extends SeveralSmsCase {
    /** Also of a master whose port had no LID yet when the standby met it. */
    @Test
    void aStandbyNamesTheHostOfItsMaster() throws Exception {
        FabricSm first = sm(FIRST, 5).start();
        FabricSm second = sm(SECOND, 3).start();
        settle();
        int lid = Objects.requireNonNull(first.sweeper.view()).subnet().smLid();
        assertThat(String.valueOf(second.mastership.state().master())).contains("\"" + FIRST + "\", LID " + lid + ",");
        assertThat(first.mastership.state().others()).singleElement().asString().contains(SECOND);
    }

    @Test
    void aStrangerIsIgnoredAndDoesNotStopTheMaster() throws Exception {
        FabricSm first = master(FIRST, 5);
        List<Object> before = clientVisibleState(first);
        first.settings.trust = new Trust(FabricSm.SM_KEY, Set.of(), Set.of(first.guid()));
        standby(SECOND, 9);
        settle();
        first.sweeper.sweepHeavy();
        settle();
        assertThat(first.isUp()).isTrue();
        assertThat(clientVisibleState(first)).isEqualTo(before);
    }

    /**
     * It was off while keys were drawn, for longer than the former ones are accepted, and the replication is not
     * connected.
     */
    @ParameterizedTest(name = "priority {0}")
    @ValueSource(ints = {1, 15})
    void aStandbyThatMissedNewKeysDoesNotRuleBesideTheMaster(int priority) throws Exception {
        FabricSm master = withKeys(FIRST, 8, 0x222, 0x2222);
        await("the master", NOTICED_NS, master::isUp);
        settle();
        FabricSm stale = withKeys(SECOND, priority, 0x111, 0x1111);
        for (int i = 0; i < 10; i++) {
            settle();
        }
        assertThat(master.isUp()).isTrue();
        assertThat(stale.state()).isEqualTo(SmState.STANDBY);
        assertThat(stale.ends).containsOnly("other master: 8");
    }

    /** A third host sends requests to the LID of the master. */
    @Test
    void answersAnotherHostByLidAndDirectedRouteWithoutItsSmKey() throws Exception {
        SmOptions guarded = options(Map.of(Settings.M_KEY, "0x77", Settings.M_KEY_PROTECTION_LEVEL, "1"));
        FabricSm first = new FabricSm(loop, fabric, FIRST, 5, guarded).start();
        await("the master", NOTICED_NS, first::isUp);
        SimTransport asker = fabric.attach(FIRST.replace("0-0-0-0", "1-0-0-0"), 1);
        List<SmInfo> heard = new ArrayList<>();
        asker.start(new MadTransport.Receiver() {
            @Override
            public void received(MadFrame frame) {
                assertThat(MadHeader.status(frame.mad())).isZero();
                heard.add(SmInfo.TYPE.read(frame.mad(), Smp.DATA_OFFSET));
            }

            @Override
            public void transportFailed(String reason) {
                throw new AssertionError(reason);
            }
        });
        int smLid = Objects.requireNonNull(first.sweeper.view()).subnet().smLid();
        for (long mKey : new long[] {0, 0x77}) {
            byte[] mad = Smp.lidRouted(Method.GET, 1, SmInfo.TYPE.id(), 0, mKey);
            asker.send(new MadFrame(new MadAddress(smLid, 0, 0, 0), mad), 100);
            loop.runFor(TimeUnit.SECONDS.toNanos(1));
        }
        assertThat(heard).extracting(info -> info.get(SmInfo.SM_KEY)).containsExactly(0L, 0L);
        assertThat(heard).allSatisfy(info -> assertThat(info.smState()).isEqualTo(SmInfo.MASTER));
    }

    /** Returns an SM with keys of its own, which has begun. */
    private FabricSm withKeys(String host, int priority, long mKey, long smKey) throws Exception {
        FabricSm sm = new FabricSm(
                loop,
                fabric,
                host,
                priority,
                options(Map.of(Settings.M_KEY, Long.toString(mKey), Settings.M_KEY_PROTECTION_LEVEL, "1")));
        sm.settings.trust = new Trust(smKey, Set.of(), Set.of());
        return sm.start();
    }
}
