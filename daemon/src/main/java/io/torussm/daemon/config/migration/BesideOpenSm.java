package io.torussm.daemon.config.migration;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Settings that must differ from those of an OpenSM that still runs: the priority, and the directory of dumps. */
final class BesideOpenSm {
    /** The directory of logs and dumps of the package. OpenSM and this SM give their dumps the same names. */
    static final String DUMPS = "/var/log/torus-sm";

    private static final int HIGHEST = 15;

    private BesideOpenSm() {}

    /**
     * Returns the priority with which this SM begins as standby of OpenSM.
     *
     * @return nothing if OpenSM has the lowest priority, or the value is no priority
     */
    static Optional<String> priority(OpenSmConf.Item item) {
        try {
            int theirs = Integer.decode(item.value());
            return theirs > 0 && theirs <= HIGHEST ? Optional.of(Integer.toString(theirs - 1)) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /**
     * Returns the step that keeps this SM standby until an operator takes over.
     *
     * @param item the line with OpenSM's sm_priority; null for OpenSM's default, which is 0
     */
    static String step(OpenSmConf.@Nullable Item item) {
        Optional<String> lower = item == null ? Optional.empty() : priority(item);
        return lower.map(ours -> "sm_priority: " + ours + ", one less than OpenSM's, so that this SM begins as standby;"
                        + " raise it after the takeover, or if OpenSM is stopped for good")
                .orElse(
                        "sm_priority: OpenSM has 0, the lowest; if both run, the lower port GUID becomes master, without"
                                + " a preview; before that set sm_priority 5 in opensm.conf, run pkill -HUP opensm, and set"
                                + " sm_priority = 3 here");
    }
}
