package io.torussm.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.VirtualLoop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** The driver between a wire and a sweeper that only note what they are asked. */
class MastershipDriverTest {
    private static final long GUID = 0xabcd;
    private static final long OTHER = 0x77;
    private static final long SM_KEY = 0x1234;
    private static final long M_KEY = 99;
    private static final DrPath WAY = DrPath.of(1, 4, 2);

    private final VirtualLoop loop = new VirtualLoop();
    private final Wire wire = new Wire();
    private final Sweeping sweeping = new Sweeping();
    private final List<MadFrame> answers = new ArrayList<>();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    /** Keys of the own port; none if it is open. */
    private Set<Long> mKeys = Set.of();

    private MastershipDriver.Settings settings = settings(0, new Trust(SM_KEY, Set.of(), Set.of()));
    private final MastershipDriver driver = new MastershipDriver(
            loop, wire, sweeping, answers::add, GUID, key -> mKeys.isEmpty() || mKeys.contains(key), () -> settings);

    private static MastershipDriver.Settings settings(int protectBits, Trust trust) {
        return new MastershipDriver.Settings(3, 1000, 2, protectBits, trust, false);
    }

    @Test
    void tellsOfItselfAndOfWhomItKnowsAsTheyShowedThemselvesLast() {
        driver.start();
        SmInfo first = SmInfo.TYPE
                .zero()
                .with(SmInfo.GUID, OTHER)
                .with(SmInfo.SM_KEY, SM_KEY)
                .with(SmInfo.ACT_COUNT, 5)
                .with(SmInfo.SM_STATE, SmInfo.STANDBY);
        driver.decision(List.of(new DiscoveredSm(first, OTHER, WAY)), List.of(), true);
        List<SmInfo> known = driver.subnetManagers();
        assertThat(known).hasSize(2).contains(first);
        assertThat(known.get(0).guid()).isEqualTo(GUID);
        assertThat(known.get(0).smState()).isEqualTo(SmInfo.MASTER);
        assertThat(known.get(0).get(SmInfo.SM_KEY)).isEqualTo(SM_KEY);

        wire.answer = first.with(SmInfo.ACT_COUNT, 6);
        driver.sweepLight();
        assertThat(driver.subnetManagers()).hasSize(2).contains(first.with(SmInfo.ACT_COUNT, 6));

        driver.decision(List.of(), List.of(), true);
        assertThat(driver.subnetManagers()).extracting(SmInfo::guid).containsExactly(GUID);
    }

    /** Notes what is sent; whoever is asked has the SMInfo set here. */
    private static final class Wire implements SmPeers {
        final List<String> sent = new ArrayList<>();

        @Nullable
        SmInfo answer;

        @Override
        public Runnable ask(DrPath path, Consumer<@Nullable SmInfo> then) {
            sent.add("get " + path);
            then.accept(answer);
            return () -> {};
        }

        @Override
        public void set(DrPath path, SmInfo self, int modifier, Consumer<String> then) {
            sent.add("set " + modifier + " " + path + " state " + self.smState() + " key " + self.get(SmInfo.SM_KEY));
            then.accept("");
        }

        @Override
        public void trapPriorityChange() {
            sent.add("trap 144");
        }
    }

    private static final class Sweeping implements SweepControl {
        final List<String> asked = new ArrayList<>();

        @Override
        public void sweepHeavy() {
            asked.add("heavy");
        }

        @Override
        public void sweepAnew() {
            asked.add("anew");
        }

        @Override
        public void sweepLight() {
            asked.add("light");
        }

        @Override
        public void rest() {
            asked.add("rest");
        }
    }

    @BeforeEach
    void listen() {
        log.start();
        ((Logger) LoggerFactory.getLogger(MastershipDriver.class.getPackageName())).addAppender(log);
    }

    @AfterEach
    void listenNoMore() {
        ((Logger) LoggerFactory.getLogger(MastershipDriver.class.getPackageName())).detachAppender(log);
    }

    private List<String> warnings() {
        return log.list.stream()
                .filter(event -> event.getLevel().equals(ch.qos.logback.classic.Level.WARN))
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static SmInfo info(long guid, int priority, SmState state, long smKey) {
        return SmInfo.TYPE
                .zero()
                .with(SmInfo.GUID, guid)
                .with(SmInfo.PRIORITY, priority)
                .with(SmInfo.SM_STATE, state.code())
                .with(SmInfo.SM_KEY, smKey);
    }

    private static DiscoveredSm found(long guid, int priority, SmState state, long smKey) {
        return new DiscoveredSm(info(guid, priority, state, smKey), guid, WAY);
    }

    private static MadFrame get(long mKey) {
        return new MadFrame(
                new MadAddress(9, 0, 2, 0), Smp.lidRouted(Method.GET, 0x1234_5678L, SmInfo.TYPE.id(), 0, mKey));
    }

    /** By directed route; the return path leads back along {@link #WAY}. */
    private static MadFrame set(int modifier, SmInfo sender, long mKey) {
        byte[] mad = Smp.directed(Method.SET, 5, SmInfo.TYPE.id(), modifier, mKey, DrPath.of(1, 1, 1));
        for (int i = 1; i <= 3; i++) {
            mad[Smp.RETURN_PATH + i] = (byte) WAY.port(3 - i);
        }
        sender.write(mad, Smp.DATA);
        return new MadFrame(MadAddress.DIRECTED, mad);
    }

    private byte[] onlyAnswer() {
        assertThat(answers).hasSize(1);
        return answers.remove(0).mad();
    }

    private SmInfo answerToGet(long mKey) {
        driver.receive(get(mKey));
        return SmInfo.TYPE.read(onlyAnswer(), Smp.DATA);
    }

    private void standBy() {
        driver.start();
        driver.decision(List.of(found(OTHER, 9, SmState.MASTER, SM_KEY)), List.of(), true);
        assertThat(driver.state().state()).isEqualTo(SmState.STANDBY);
    }

    private void rule() {
        driver.start();
        driver.decision(List.of(), List.of(), true);
        assertThat(driver.isMaster()).isTrue();
    }

    // --- SMInfo ---

    @Test
    void tellsWhoItIsAndThatItIsAlive() {
        standBy();
        driver.receive(get(0));
        MadFrame frame = answers.get(0);
        byte[] answer = onlyAnswer();
        SmInfo first = SmInfo.TYPE.read(answer, Smp.DATA);
        assertThat(MadHeader.method(answer)).isEqualTo(Method.GET_RESP);
        assertThat(MadHeader.status(answer)).isZero();
        assertThat(MadHeader.tid(answer)).isEqualTo(0x1234_5678L);
        assertThat(frame.peer().lid()).isEqualTo(9);
        assertThat(first.guid()).isEqualTo(GUID);
        assertThat(first.priority()).isEqualTo(3);
        assertThat(first.smState()).isEqualTo(SmInfo.STANDBY);
        assertThat(answerToGet(0).get(SmInfo.ACT_COUNT)).isGreaterThan(first.get(SmInfo.ACT_COUNT));
    }

    @Test
    void showsItsSmKeyOnlyToThoseWhoKnowTheMKey() {
        assertThat(answerToGet(0).get(SmInfo.SM_KEY)).as("there is no M_Key").isEqualTo(SM_KEY);
        mKeys = Set.of(M_KEY);
        assertThat(answerToGet(0).get(SmInfo.SM_KEY)).isZero();
        assertThat(answerToGet(M_KEY + 1).get(SmInfo.SM_KEY)).isZero();
        assertThat(answerToGet(M_KEY).get(SmInfo.SM_KEY)).isEqualTo(SM_KEY);
    }

    @Test
    void doesNotAnswerAGetWithoutTheMKeyIfItsProtectionKeepsGetsAway() {
        for (int protection : new int[] {2, 3}) {
            mKeys = Set.of(M_KEY);
            settings = settings(protection, settings.trust());
            assertThat(driver.receive(get(0))).isTrue();
            assertThat(answers).isEmpty();
            assertThat(answerToGet(M_KEY).guid()).isEqualTo(GUID);
        }
    }

    @Test
    void doesNotAnswerASetWithoutTheMKey() {
        mKeys = Set.of(M_KEY);
        standBy();
        driver.receive(set(MastershipRules.HANDOVER, info(OTHER, 9, SmState.MASTER, SM_KEY), 0));
        assertThat(answers).isEmpty();
        assertThat(driver.isMaster()).isFalse();
        driver.receive(set(MastershipRules.HANDOVER, info(OTHER, 9, SmState.MASTER, SM_KEY), M_KEY));
        assertThat(MadHeader.status(onlyAnswer())).isZero();
        assertThat(driver.isMaster()).isTrue();
    }

    @Test
    void obeysBothKeysWhileThatOfItsPortIsChanged() {
        mKeys = Set.of(M_KEY, M_KEY + 1);
        settings = settings(3, settings.trust());
        assertThat(answerToGet(M_KEY).guid()).isEqualTo(GUID);
        assertThat(answerToGet(M_KEY + 1).get(SmInfo.SM_KEY)).isEqualTo(SM_KEY);
        driver.receive(get(M_KEY + 2));
        assertThat(answers).isEmpty();
    }

    @Test
    void turnsADirectedRouteRound() {
        standBy();
        driver.receive(set(MastershipRules.TO_STANDBY, info(OTHER, 9, SmState.MASTER, SM_KEY), 0));
        byte[] answer = onlyAnswer();
        assertThat(MadHeader.DIRECTION.get(answer, 0)).isOne();
        assertThat(MadHeader.status(answer)).isZero();
        assertThat(MadHeader.method(answer)).isEqualTo(Method.GET_RESP);
    }

    @Test
    void refusesWith1C() {
        standBy();
        driver.receive(set(MastershipRules.DISABLE, info(OTHER, 9, SmState.STANDBY, SM_KEY), 0));
        assertThat(MadHeader.status(onlyAnswer())).isEqualTo(0x1c);
    }

    @Test
    void acknowledgesAHandoverAsAStandbyAlongTheWayThatItCame() {
        standBy();
        wire.sent.clear();
        driver.receive(set(MastershipRules.HANDOVER, info(0x55, 1, SmState.MASTER, SM_KEY), 0));
        assertThat(MadHeader.status(onlyAnswer())).isZero();
        assertThat(wire.sent).containsExactly("set 2 " + WAY + " state 2 key " + SM_KEY);
        loop.runFor(1);
        assertThat(sweeping.asked).endsWith("anew");
    }

    @Test
    void handsOverAsMasterWithItsKeyAlsoWhenItEnds() {
        driver.start();
        driver.decision(List.of(found(OTHER, 1, SmState.STANDBY, SM_KEY)), List.of(), true);
        List<String> ended = new ArrayList<>();
        driver.end(() -> ended.add("end"));
        assertThat(wire.sent).containsExactly("set 1 " + WAY + " state 3 key " + SM_KEY);
        assertThat(answerToGet(0).smState()).isEqualTo(SmInfo.NOT_ACTIVE);
        assertThat(ended).isEmpty();
        loop.runFor(TimeUnit.SECONDS.toNanos(3));
        assertThat(ended).containsExactly("end");
        driver.receive(get(0));
        assertThat(answers).as("there is nobody any more").isEmpty();
    }

    @Test
    void leavesOtherMadsToOthers() {
        byte[] mad = Smp.lidRouted(Method.GET, 1, NodeInfo.TYPE.id(), 0, 0);
        assertThat(driver.receive(new MadFrame(new MadAddress(1, 0, 0, 0), mad)))
                .isFalse();
        byte[] trap = Smp.lidRouted(Method.TRAP, 1, SmInfo.TYPE.id(), 0, 0);
        assertThat(driver.receive(new MadFrame(new MadAddress(1, 0, 0, 0), trap)))
                .isFalse();
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void neverThrowsAndNeverBelievesNoise(long seed) {
        Random random = new Random(seed);
        rule();
        for (int i = 0; i < 5_000; i++) {
            byte[] mad = new byte[MadHeader.MAD_SIZE];
            random.nextBytes(mad);
            MadHeader.MGMT_CLASS.set(mad, 0, random.nextBoolean() ? MgmtClass.SUBN_LID : MgmtClass.SUBN_DIRECTED_ROUTE);
            MadHeader.METHOD.set(mad, 0, random.nextInt(3));
            MadHeader.ATTRIBUTE_ID.set(mad, 0, SmInfo.TYPE.id());
            MadHeader.ATTRIBUTE_MODIFIER.set(mad, 0, random.nextInt(7));
            driver.receive(new MadFrame(new MadAddress(random.nextInt(0x10000), 0, 0, 0), mad));
            loop.runFor(1);
        }
        assertThat(answers).hasSizeGreaterThan(2_000);
        assertThat(driver.isMaster()).isTrue();
        assertThat(log.list).as("strangers do not fill the log").hasSizeLessThan(1_100);
    }

    // --- who is trusted ---

    @Test
    void ignoresAnSmWithAnotherKeyAndSaysSoOnce() {
        driver.start();
        DiscoveredSm stranger = found(OTHER, 15, SmState.MASTER, SM_KEY + 1);
        assertThat(driver.decision(List.of(stranger), List.of(), true).isGranted())
                .isTrue();
        driver.decision(List.of(stranger), List.of(), true);
        assertThat(warnings())
                .singleElement()
                .asString()
                .startsWith(SmEvent.SM_IGNORED.code())
                .contains("0x0000000000000077", "its SM_Key is another", "trusted_sm_keys");
    }

    @Test
    void believesAnSmThatShowsNoKeyUnlessThereIsAListOfKeys() {
        driver.start();
        assertThat(driver.decision(List.of(found(OTHER, 9, SmState.MASTER, 0)), List.of(), true)
                        .isGranted())
                .isFalse();
        Trust strict = new Trust(SM_KEY, Set.of(5L), Set.of());
        assertThat(strict.objection(OTHER, 0)).contains("shows no SM_Key that is");
        assertThat(strict.objection(OTHER, 5)).isEmpty();
        assertThat(strict.objection(OTHER, SM_KEY)).isEmpty();
        assertThat(strict.objection(OTHER, 6)).isNotEmpty();
        assertThat(strict.toString()).doesNotContain("5").doesNotContain(Long.toString(SM_KEY));
    }

    @Test
    void ignoresAnSmWhoseGuidIsNotAmongThoseThatAreTrusted() {
        settings = settings(0, new Trust(SM_KEY, Set.of(), Set.of(OTHER)));
        driver.start();
        assertThat(driver.decision(List.of(found(0x78, 15, SmState.MASTER, SM_KEY)), List.of(), true)
                        .isGranted())
                .isTrue();
        assertThat(warnings()).singleElement().asString().contains("0x0000000000000078", "trusted_sm_guids");
    }

    @Test
    void ignoresAnSmThatLiesAboutItsGuid() {
        driver.start();
        DiscoveredSm liar = new DiscoveredSm(info(1, 15, SmState.MASTER, SM_KEY), OTHER, WAY);
        DiscoveredSm double1 = found(GUID, 15, SmState.MASTER, SM_KEY);
        assertThat(driver.decision(List.of(liar, double1), List.of(), true).isGranted())
                .isTrue();
        assertThat(warnings()).hasSize(2);
    }

    @Test
    void takesNoHandoverFromAStranger() {
        standBy();
        driver.receive(set(MastershipRules.HANDOVER, info(0x55, 15, SmState.MASTER, SM_KEY + 1), 0));
        assertThat(MadHeader.status(onlyAnswer())).isEqualTo(0x1c);
        assertThat(driver.state().state()).isEqualTo(SmState.STANDBY);
        assertThat(warnings()).hasSize(1);
    }

    // --- time ---

    @Test
    void noticesADeadMasterWithinFiveSeconds() {
        wire.answer = info(OTHER, 9, SmState.MASTER, SM_KEY);
        standBy();
        loop.runFor(TimeUnit.SECONDS.toNanos(60));
        assertThat(driver.state().state()).isEqualTo(SmState.STANDBY);
        wire.answer = null;
        loop.runFor(TimeUnit.SECONDS.toNanos(5));
        assertThat(driver.state().state()).isEqualTo(SmState.DISCOVERING);
        assertThat(sweeping.asked).endsWith("anew");
    }

    @Test
    void aMasterThatBecomesAStrangerIsNoneAnyMore() {
        wire.answer = info(OTHER, 9, SmState.MASTER, SM_KEY);
        standBy();
        wire.answer = info(OTHER, 9, SmState.MASTER, SM_KEY + 1);
        loop.runFor(TimeUnit.SECONDS.toNanos(5));
        assertThat(driver.state().state()).isEqualTo(SmState.DISCOVERING);
    }

    @Test
    void asksTheOthersAndTheSilentOnesInALightSweep() {
        driver.start();
        DrPath silent = DrPath.of(3);
        driver.decision(List.of(found(OTHER, 1, SmState.STANDBY, SM_KEY)), List.of(silent), true);
        loop.runFor(1);
        sweeping.asked.clear();
        driver.sweepLight();
        assertThat(wire.sent).containsExactly("get " + WAY, "get " + silent);
        assertThat(sweeping.asked).containsExactly("light");
        wire.answer = info(0x79, 1, SmState.STANDBY, SM_KEY);
        driver.sweepLight();
        loop.runFor(1);
        assertThat(sweeping.asked).as("who was silent speaks").containsExactly("light", "light", "heavy");
    }

    @Test
    void asksAnSmThatAppearsAndAgainIfItDoesNotAnswerYet() {
        rule();
        loop.runFor(1);
        sweeping.asked.clear();
        wire.sent.clear();
        driver.smChanged(WAY);
        assertThat(wire.sent).containsExactly("get " + WAY);
        assertThat(sweeping.asked).isEmpty();
        driver.sweepLight();
        assertThat(wire.sent).as("it was silent").hasSize(2);
        wire.answer = info(OTHER, 1, SmState.STANDBY, SM_KEY);
        driver.smChanged(WAY);
        loop.runFor(1);
        assertThat(driver.state().others()).extracting(RemoteSm::guid).containsExactly(OTHER);
        assertThat(sweeping.asked).as("a lower standby is no reason to sweep").containsExactly("light");
        wire.answer = info(OTHER, 9, SmState.STANDBY, SM_KEY);
        driver.smChanged(WAY);
        loop.runFor(1);
        assertThat(sweeping.asked).as("its priority was raised").containsExactly("light", "heavy");
    }

    @Test
    void aStandbyDoesNotLookForSms() {
        standBy();
        wire.sent.clear();
        driver.smChanged(DrPath.of(3));
        assertThat(wire.sent).isEmpty();
    }

    @Test
    void aSweepOfAPartOfTheFabricTakesNoSmAway() {
        driver.start();
        driver.decision(List.of(found(OTHER, 1, SmState.STANDBY, SM_KEY)), List.of(DrPath.of(3)), true);
        driver.decision(List.of(found(0x55, 1, SmState.STANDBY, SM_KEY)), List.of(DrPath.of(3)), false);
        assertThat(driver.state().others()).extracting(RemoteSm::guid).containsExactlyInAnyOrder(OTHER, 0x55L);
        driver.decision(List.of(found(OTHER, 2, SmState.STANDBY, SM_KEY)), List.of(), false);
        assertThat(driver.state().others()).extracting(RemoteSm::priority).containsExactlyInAnyOrder(1, 2);
        wire.sent.clear();
        driver.sweepLight();
        assertThat(wire.sent).hasSize(3);
        driver.decision(List.of(), List.of(), true);
        assertThat(driver.state().others()).isEmpty();
    }

    /** Two masters, of which the lower one has missed the other. */
    @Test
    void asksWhoAsksAlongARouteThatItDoesNotKnow() {
        rule();
        loop.runFor(1);
        sweeping.asked.clear();
        MadFrame question = set(0, info(OTHER, 9, SmState.MASTER, SM_KEY), 0);
        MadHeader.METHOD.set(question.mad(), 0, Method.GET);
        wire.answer = info(OTHER, 9, SmState.MASTER, SM_KEY);
        driver.receive(question);
        driver.receive(question);
        loop.runFor(1);
        assertThat(wire.sent).as("once in a while").containsExactly("get " + WAY);
        assertThat(sweeping.asked).containsExactly("heavy");
        loop.runFor(TimeUnit.SECONDS.toNanos(5));
        driver.receive(question);
        assertThat(wire.sent).as("known by now").hasSize(1);
    }

    @Test
    void sweepsNothingWhileItIsStandby() {
        standBy();
        sweeping.asked.clear();
        driver.sweepLight();
        driver.sweepHeavy();
        assertThat(sweeping.asked).isEmpty();
        assertThat(driver.maySweep()).isFalse();
    }
}
