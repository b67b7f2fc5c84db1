package io.torussm.daemon.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.Configuration;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The pause between light sweeps, which is at most half of the lease period of the M_Key. */
class SweepPaceTest {
    /** Half the lease at most, if there is one; 0 stands for no sweeps at all. */
    @ParameterizedTest
    @CsvSource({
        "10, 0, 2, 60, 10000, false", "10, 7, 0, 5, 10000, false", "10, 7, 2, 0, 10000, false",
        "10, 7, 2, 60, 10000, false", "10, 7, 2, 20, 10000, false", "10, 7, 2, 12, 6000, true",
        "10, 7, 1, 1, 500, true", "0, 7, 2, 60, 30000, true", "0, 0, 0, 0, 0, false"
    })
    void staysBelowTheLease(int intervalS, long key, int bits, int leaseS, long delayMs, boolean isHurried)
            throws ConfigurationException {
        Map<Setting<?>, Configuration.CommandLineValue> values = new TreeMap<>();
        values.put(Settings.SWEEP_INTERVAL, new Configuration.CommandLineValue("test", String.valueOf(intervalS)));
        values.put(Settings.M_KEY, new Configuration.CommandLineValue("test", String.valueOf(key)));
        values.put(Settings.M_KEY_PROTECTION_LEVEL, new Configuration.CommandLineValue("test", String.valueOf(bits)));
        values.put(Settings.M_KEY_LEASE_PERIOD, new Configuration.CommandLineValue("test", String.valueOf(leaseS)));
        SweepPace pace = SweepPace.of(Configuration.read(null, values));
        assertThat(pace.isShortened()).isEqualTo(isHurried);
        assertThat(pace.isSweeping()).isEqualTo(delayMs > 0);
        if (delayMs > 0) {
            assertThat(pace.delayNs()).isEqualTo(delayMs * 1_000_000);
        }
    }
}
