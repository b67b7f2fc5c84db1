package io.torussm.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The change to other settings at run time: the effective ones, those that wait for a restart, and their text. */
class ReconfigurationTest {
    private final SettingValues standard = SettingValues.defaults();

    @Test
    void namesWhatTakesEffectAndWhen() {
        Reconfiguration change = to(standard.with(Settings.TRANSACTION_TIMEOUT, "500")
                .with(Settings.TORUS_CONFIG, "/t.conf")
                .with(Settings.HEAD_OF_QUEUE_LIFETIME, "0x13"));
        assertThat(change.applied())
                .contains(
                        "immediately: transaction_timeout = 500 (was 200); with the next sweep: torus_config = /t.conf"
                                + " (was \"\"), head_of_queue_lifetime = 0x13 (was 0x12)");
        assertThat(change.waiting()).isEmpty();
        assertThat(change.active().mads().timeoutMs()).isEqualTo(500);
        assertThat(change.active().sweep().links().hoqLife()).isEqualTo(0x13);
    }

    @Test
    void keepsWhatNeedsARestartAndNamesItEachTime() {
        SettingValues read =
                standard.with(Settings.SUBNET_PREFIX, "0xfe80000000000001").with(Settings.LMC, "1");
        Reconfiguration change = to(read);
        assertThat(change.waiting())
                .contains("after a restart: subnet_prefix = 0xfe80000000000001 (was 0xfe80000000000000)");
        assertThat(change.active().sweep().gidPrefix()).isEqualTo(0xfe80_0000_0000_0000L);
        assertThat(change.active().sweep().lmc()).isEqualTo(1);
        Reconfiguration again = Reconfiguration.of(change.active(), SmOptions.of(read));
        assertThat(again.applied()).isEmpty();
        assertThat(again.waiting()).isEqualTo(change.waiting());
    }

    @Test
    void showsNoKey() {
        Reconfiguration change = to(standard.with(Settings.SM_KEY, "0x4242")
                .with(Settings.M_KEY, "0x4343")
                .with(Settings.TRUSTED_SM_KEYS, "0x4444"));
        assertThat(change.applied()).contains("immediately: trusted_sm_keys; with the next sweep: m_key");
        assertThat(change.waiting()).contains("after a restart: sm_key");
    }

    @Test
    void saysNothingWhereAValueIsWrittenOtherwise() {
        Reconfiguration change = to(standard.with(Settings.HEAD_OF_QUEUE_LIFETIME, "18"));
        assertThat(change.applied()).isEmpty();
        assertThat(change.waiting()).isEmpty();
    }

    private Reconfiguration to(SettingValues values) {
        return Reconfiguration.of(SmOptions.of(standard), SmOptions.of(values));
    }
}
