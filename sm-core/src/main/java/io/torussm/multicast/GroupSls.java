package io.torussm.multicast;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.Gid;

/** The SLs that multicast groups may have. Owner thread: the loop. */
final class GroupSls {
    private static final EventLog EVENTS = EventLog.of(GroupSls.class);
    private static final int SLS = 16;

    /** The allowed SLs: bit n is SL n. */
    private int allowed;

    /** The SLs whose refusal was logged: bit n is SL n. */
    private int complainedOf;

    /**
     * Creates a set of allowed SLs.
     *
     * @param sls allowed SLs: bit n is SL n
     */
    GroupSls(int sls) {
        allowed = sls;
    }

    /** Replaces the allowed SLs; returns whether they changed. */
    boolean adopt(int sls) {
        boolean isNews = sls != allowed;
        allowed = sls;
        complainedOf = isNews ? 0 : complainedOf;
        return isNews;
    }

    boolean allow(int sl) {
        return (allowed >> sl & 1) != 0;
    }

    /** Checks whether an SL is allowed; logs the first refusal of each SL. */
    boolean allowOrComplain(int sl) {
        boolean isComplainedOf = (complainedOf >> sl & 1) != 0;
        if (!allow(sl) && !isComplainedOf) {
            complainedOf |= 1 << sl;
            EVENTS.report(SmEvent.GROUP_SL_REFUSED, EventField.SL.of(sl), EventField.ALLOWED.of(describe()));
        }
        return allow(sl);
    }

    /** Returns the text of the event for a group whose SL is not allowed. */
    String unusable(Gid mgid, int sl) {
        return "multicast group " + mgid + " has SL " + sl
                + ", which the active routing cannot carry: its packets are"
                + " not forwarded. Let its members leave, and make it again with " + describe();
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        for (int sl = 0; sl < SLS; sl++) {
            if (allow(sl)) {
                text.append(text.isEmpty() ? "SL " : " or ").append(sl);
            }
        }
        return text.isEmpty() ? "no SL at all" : text.toString();
    }
}
