package io.torussm.daemon.http.server;

import io.netty.util.NetUtil;
import java.util.Locale;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The host names that the server accepts: addresses, localhost, and names from settings. This prevents DNS rebinding: a
 * page of another origin can let its own name resolve to this address, but cannot change the name that the browser
 * sends.
 */
final class HostNames {
    private static final Pattern HOST =
            Pattern.compile("(?:\\[([0-9A-Fa-f:.]{2,45})\\]|([A-Za-z0-9._-]{1,253}))(?::\\d{1,5})?");

    private final Set<String> allowedNames;
    private final Supplier<Set<String>> certifiedNames;

    /**
     * Collects names in lower case, besides addresses and localhost.
     *
     * @param allowed names from settings
     * @param certified source of the names in the server's certificate
     */
    HostNames(Set<String> allowed, Supplier<Set<String>> certified) {
        this.allowedNames = Set.copyOf(allowed);
        this.certifiedNames = certified;
    }

    /** Checks whether a Host header names this server. */
    boolean isOwn(String header) {
        Matcher matcher = HOST.matcher(header);
        if (!matcher.matches()) {
            return false;
        }
        if (matcher.group(1) != null) {
            return NetUtil.isValidIpV6Address(matcher.group(1));
        }
        String name = matcher.group(2).toLowerCase(Locale.ROOT);
        return name.equals("localhost")
                || NetUtil.isValidIpV4Address(name)
                || allowedNames.contains(name)
                || certifiedNames.get().contains(name);
    }
}
