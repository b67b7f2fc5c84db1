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
 * The failed logins of each address: {@value #BURST} are free, and one more every six seconds. A network of
 * 64 bits counts as one address of IPv6. Not thread-safe.
 */
public final class FailedLogins {
    /** Number of failures in quick succession. */
    public static final int BURST = 10;

    /** After this time one more. */
    public static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(6);

    /** Addresses that are kept apart; the one that failed least recently is forgotten first. */
    static final int MAX_ADDRESSES = 1024;

    private static final int NETWORK_BYTES = 8;

    private final LongSupplier clock;

    /** Until when the failures of an address would be forgotten, in the order of their last failures. */
    private final Map<String, Long> untilNs = new LinkedHashMap<>();

    /** @param clock nanoseconds */
    public FailedLogins(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns how many seconds it has to wait; 0 if it has not. */
    public long waitS(InetAddress address) {
        Long until = untilNs.get(key(address));
        long overNs = until == null ? 0 : until - clock.getAsLong() - (BURST - 1) * PAUSE_NS;
        return overNs <= 0 ? 0 : overNs / TimeUnit.SECONDS.toNanos(1) + 1;
    }

    /** Counts a failed login of an address. */
    public void failed(InetAddress address) {
        String key = key(address);
        Long until = untilNs.remove(key);
        long nowNs = clock.getAsLong();
        if (untilNs.size() == MAX_ADDRESSES) {
            untilNs.remove(untilNs.keySet().iterator().next());
        }
        untilNs.put(key, (until == null || until - nowNs < 0 ? nowNs : until) + PAUSE_NS);
    }

    private static String key(InetAddress address) {
        byte[] bytes = address.getAddress();
        return HexFormat.of().formatHex(address instanceof Inet6Address ? Arrays.copyOf(bytes, NETWORK_BYTES) : bytes);
    }
}
