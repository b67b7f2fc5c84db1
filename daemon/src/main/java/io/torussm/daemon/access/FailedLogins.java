package io.torussm.daemon.access;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * A rate limit for failed logins of each address: {@value #MAX_BURST} failures in quick succession, and one more every
 * six seconds. All IPv6 addresses of a network of 64 bits count as one address. Not thread-safe.
 */
public final class FailedLogins {
    /** Number of failures in quick succession. */
    public static final int MAX_BURST = 10;

    /** Time after which one more failure is permitted, in ns. */
    public static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(6);

    /** Maximum number of addresses. Beyond it, the address whose last failure is oldest is removed. */
    static final int MAX_ADDRESSES = 1024;

    private static final int NETWORK_BYTES = 8;

    private final LongSupplier clock;

    /** Time at which all failures of an address have expired, in ns, in the order of their last failures. */
    private final Map<String, Long> expiryNs = new LinkedHashMap<>();

    /** @param clock monotonic clock, in ns */
    public FailedLogins(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns the number of seconds that an address must wait; 0 if it may log in now. */
    public long waitS(InetAddress address) {
        Long until = expiryNs.get(key(address));
        long overNs = until == null ? 0 : until - clock.getAsLong() - (MAX_BURST - 1) * PAUSE_NS;
        return overNs <= 0 ? 0 : overNs / TimeUnit.SECONDS.toNanos(1) + 1;
    }

    /** Counts a failed login of an address. */
    public void recordFailure(InetAddress address) {
        String key = key(address);
        Long until = expiryNs.remove(key);
        long nowNs = clock.getAsLong();
        if (expiryNs.size() == MAX_ADDRESSES) {
            expiryNs.remove(expiryNs.keySet().iterator().next());
        }
        expiryNs.put(key, (until == null || until - nowNs < 0 ? nowNs : until) + PAUSE_NS);
    }

    private static String key(InetAddress address) {
        byte[] bytes = address.getAddress();
        return HexFormat.of().formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }
}
