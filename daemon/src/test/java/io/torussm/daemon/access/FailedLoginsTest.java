package io.torussm.daemon.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** The rate limit of failed logins by address. The clock begins shortly before it overflows. */
class FailedLoginsTest {
    private long nowNs = Long.MAX_VALUE - 5;
    private final FailedLogins logins = new FailedLogins(() -> nowNs);

    @Test
    void tenAreFreeAndThenOneEachSixSeconds() {
        fail("10.0.0.1", FailedLogins.MAX_BURST - 1);
        assertThat(logins.waitS(address("10.0.0.1"))).isZero();
        fail("10.0.0.1", 1);
        assertThat(logins.waitS(address("10.0.0.1"))).isBetween(6L, 7L);
        assertThat(logins.waitS(address("10.0.0.2"))).as("another address").isZero();
        nowNs += FailedLogins.PAUSE_NS;
        assertThat(logins.waitS(address("10.0.0.1"))).isZero();
        fail("10.0.0.1", 1);
        assertThat(logins.waitS(address("10.0.0.1"))).isPositive();
        nowNs += FailedLogins.MAX_BURST * FailedLogins.PAUSE_NS;
        fail("10.0.0.1", FailedLogins.MAX_BURST - 1);
        assertThat(logins.waitS(address("10.0.0.1"))).as("all was forgotten").isZero();
    }

    /** The owner of an IPv6 network has practically unlimited addresses. */
    @Test
    void aNetworkOfIpv6IsOneAddress() {
        fail("2001:db8::1", FailedLogins.MAX_BURST);
        assertThat(logins.waitS(address("2001:db8::ffff:2"))).isPositive();
        assertThat(logins.waitS(address("2001:db8:0:1::1"))).isZero();
    }

    @Test
    void theOldestFailureIsDroppedFirst() {
        fail("10.9.9.9", FailedLogins.MAX_BURST);
        for (int i = 0; i < FailedLogins.MAX_ADDRESSES - 1; i++) {
            fail("10.0." + i / 256 + "." + i % 256, 1);
        }
        assertThat(logins.waitS(address("10.9.9.9"))).isPositive();
        fail("10.8.8.8", 1);
        assertThat(logins.waitS(address("10.9.9.9"))).isZero();
    }

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new AssertionError(e);
        }
    }

    private void fail(String address, int times) {
        for (int i = 0; i < times; i++) {
            logins.recordFailure(address(address));
        }
    }
}
