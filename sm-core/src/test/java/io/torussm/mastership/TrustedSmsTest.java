package io.torussm.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.LogRateLimiter;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.SmInfo;
import io.torussm.testing.LoggedEvents;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The knowledge about other SMs: trust and its reasons, their locations, and the limits that hostile SMs meet. */
class TrustedSmsTest {
    private static final long SM_KEY = 0x1234;
    private static final int MAX_KNOWN = 1024;
    private static final DrPath PATH = DrPath.of(1, 4);

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final TrustedSms sms = new TrustedSms(
            0xabcd, () -> new Trust(SM_KEY, Set.of(), Set.of()), guid -> false, () -> false, this::nextNs);

    private long nowNs;

    /** Returns a time so late that no line is suppressed for being too early. */
    private long nextNs() {
        nowNs += 2 * LogRateLimiter.MIN_INTERVAL_NS;
        return nowNs;
    }

    private static SmInfo info(long guid, long key) {
        return SmInfo.TYPE.zero().with(SmInfo.GUID, guid).with(SmInfo.SM_KEY, key);
    }

    /** A host that invents SMs does not fill the memory, nor does it keep known SMs from being renewed. */
    @Test
    void keepsTheSmInfoOfALimitedNumberOfSms() {
        for (long guid = 1; guid <= MAX_KNOWN + 1; guid++) {
            sms.read(info(guid, SM_KEY), PATH);
        }
        assertThat(sms.lastSmInfoOf(MAX_KNOWN)).isPresent();
        assertThat(sms.lastSmInfoOf(MAX_KNOWN + 1)).isEmpty();
        SmInfo renewed = info(1, SM_KEY).with(SmInfo.PRIORITY, 9);
        sms.read(renewed, PATH);
        assertThat(sms.lastSmInfoOf(1)).contains(renewed);
    }

    @Test
    void reportsALimitedNumberOfUntrustedSms() {
        for (long guid = 1; guid <= 2 * MAX_KNOWN; guid++) {
            assertThat(sms.read(info(guid, 5), PATH)).isNull();
        }
        assertThat(log.of(SmEvent.SM_IGNORED)).hasSize(MAX_KNOWN);
    }

    @Test
    void theReportSaysWhetherThePortOfASetHasAnSm() {
        SmInfo info = info(0x77, SM_KEY);
        assertThat(sms.senderOfSet(info, PATH, new SmPeers.Port(0x78, true, 9, 0)))
                .isNull();
        assertThat(sms.senderOfSet(info, PATH, new SmPeers.Port(0x77, false, 9, 0)))
                .isNull();
        List<String> reasons = log.of(SmEvent.SM_IGNORED).stream()
                .map(ignored -> ignored.get(EventField.REASON))
                .toList();
        assertThat(reasons).hasSize(2);
        assertThat(reasons.get(0)).contains("0x0000000000000078").doesNotContain("no SM");
        assertThat(reasons.get(1)).contains("which has no SM");
        assertThat(Objects.requireNonNull(sms.senderOfSet(info, PATH, new SmPeers.Port(0x77, true, 9, 0)))
                        .guid())
                .isEqualTo(0x77);
    }

    /** docs/operator/mastership.md: the operator may set the same key, or list the key of the other SM. */
    @ParameterizedTest
    @CsvSource({"0,the same sm_key", "5,trusted_sm_keys"})
    void theReasonNamesTheSettingThatDecides(long trustedKey, String setting) {
        Trust trust = new Trust(SM_KEY, trustedKey == 0 ? Set.of() : Set.of(trustedKey), Set.of());
        assertThat(trust.objection(0x77, 6)).contains(setting);
        assertThat(trust.objection(0x77, 6).contains("the same sm_key")).isEqualTo(trustedKey == 0);
        assertThat(trust.objection(0x77, SM_KEY)).isEmpty();
    }

    @Test
    void aLocationIsCompletedFromThePreviousOne() {
        SmHost whole = new SmHost("host-1", 9);
        assertThat(SmHost.UNKNOWN.isKnown()).isFalse();
        assertThat(new SmHost("host-1", 0).isKnown()).isFalse();
        assertThat(new SmHost("", 9).isKnown()).isFalse();
        assertThat(whole.isKnown()).isTrue();
        assertThat(SmHost.UNKNOWN.orPrevious(whole)).isEqualTo(whole);
        assertThat(new SmHost("host-2", 0).orPrevious(whole)).isEqualTo(new SmHost("host-2", 9));
        assertThat(new SmHost("", 8).orPrevious(whole)).isEqualTo(new SmHost("host-1", 8));
        assertThat(whole).hasToString(" \"host-1\", LID 9");
        assertThat(SmHost.UNKNOWN).hasToString("");
        assertThat(new RemoteSm(0x77, 3, SmState.MASTER, PATH, whole, true))
                .hasToString("port GUID 0x0000000000000077 \"host-1\", LID 9, priority 3, MASTER");
    }

    /** IBA 3.5.10: a port has 2^LMC LIDs, which differ in the lowest LMC bits. */
    @ParameterizedTest
    @CsvSource({"8,0,8,true", "8,0,9,false", "8,2,11,true", "8,2,12,false", "8,2,7,false", "0,0,0,false"})
    void aPortHasTheLidsOfItsLmc(int lid, int lmc, int other, boolean isOwn) {
        assertThat(new SmPeers.Port(0x77, true, lid, lmc).hasLid(other)).isEqualTo(isOwn);
    }

    /** docs/operator/mastership.md: a standstill counts from P R on; one poll at least may be missed. */
    @ParameterizedTest
    @CsvSource({"1000,2,2000000000", "1000,0,1000000000", "3000000,1000,3000000000000000"})
    void theTimeOfATakeoverIsThatOfThePolls(int pollMs, int retries, long takeoverNs) {
        MastershipSettings settings =
                new MastershipSettings(3, pollMs, retries, 30, 0, new Trust(1, Set.of(), Set.of()), false);
        assertThat(settings.takeoverNs()).isEqualTo(takeoverNs);
    }

    @Test
    void anSmThatIsAloneMayAlwaysSweepAndBeMaster() {
        assertThat(MasterAuthority.ALONE.isMaster()).isTrue();
        assertThat(MasterAuthority.ALONE.maySweep()).isTrue();
        assertThat(MasterAuthority.ALONE.mayBecomeMaster()).isTrue();
    }

    /** A standby that asks for the M_Key of many ports does not make each light sweep longer without limit. */
    @Test
    void aLimitedNumberOfSilentRoutesIsKept() {
        SilentSms silent = new SilentSms();
        for (int port = 1; port <= 65; port++) {
            silent.add(DrPath.of(port));
        }
        assertThat(silent.routes()).hasSize(64).doesNotContain(DrPath.of(65));
    }
}
