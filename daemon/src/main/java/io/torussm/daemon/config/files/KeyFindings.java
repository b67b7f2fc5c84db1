package io.torussm.daemon.config.files;

import io.torussm.daemon.config.SmOptions;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.ArrayList;
import java.util.List;

/** The report of weaknesses of the effective keys at begin, change and end. Not thread-safe. */
public final class KeyFindings {
    private static final EventLog EVENTS = EventLog.of(KeyFindings.class);

    private List<Finding> logged = List.of();

    /** Returns at most one finding; empty for an embedded fabric, which has no attackers. */
    static List<Finding> of(SmOptions options) {
        List<String> open = new ArrayList<>();
        if (options.port().isSimulated()) {
            return List.of();
        }
        if (options.sweep().mKey() == 0) {
            open.add("without m_key any host that can send SMPs may write to every device");
        } else if (options.mastership().mKeyProtectBits() == 0) {
            open.add("with m_key_protection_level = 0 every host may read the M_Keys");
        }
        if (options.mastership().trust().isKeyPublic()) {
            open.add("the sm_key is public: any host may read and change the records of the SA");
        }
        return open.isEmpty()
                ? List.of()
                : List.of(SmEvent.KEYS_PUBLIC.finding(String.join("; ", open) + " (torus-smctl keys new)"));
    }

    /** Reports the change since the last call. */
    public void report(SmOptions options) {
        List<Finding> findings = of(options);
        if (findings.isEmpty() && !logged.isEmpty()) {
            EVENTS.report(SmEvent.KEYS_SECRET);
        } else if (!findings.equals(logged)) {
            for (Finding finding : findings) {
                EVENTS.report(finding);
            }
        }
        logged = findings;
    }
}
