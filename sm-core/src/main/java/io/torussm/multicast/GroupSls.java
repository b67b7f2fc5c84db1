package io.torussm.multicast;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.Gid;

/** The SLs that multicast groups may have. Owner thread: the loop. */
final class GroupSls {
    private static final EventLog EVENTS = EventLog.of(GroupSls.class);
    private static final int SL_COUNT = 16;

    /** The allowed SLs: bit n is SL n. */
    private int allowedSls;

    /** The SLs whose refusal was logged: bit n is SL n. */
    private int reportedSls;

    /**
     * Creates a set of allowed SLs.
     *
     * @param sls allowed SLs: bit n is SL n
     */
    GroupSls(int sls) {
        allowedSls = sls;
    }

    /** Replaces the allowed SLs; returns whether they changed. */
    boolean replace(int sls) {
        boolean isNews = sls != allowedSls;
        allowedSls = sls;
        reportedSls = isNews ? 0 : reportedSls;
        return isNews;
    }

    boolean isAllowed(int sl) {
        return (allowedSls >> sl & 1) != 0;
    }

    /** Checks whether an SL is allowed; logs the first refusal of each SL. */
    boolean checkAllowed(int sl) {
        boolean isComplainedOf = (reportedSls >> sl & 1) != 0;
        if (!isAllowed(sl) && !isComplainedOf) {
            reportedSls |= 1 << sl;
            EVENTS.report(SmEvent.GROUP_SL_REFUSED, EventField.SL.of(sl), EventField.ALLOWED.of(describe()));
        }
        return isAllowed(sl);
    }

    /** Returns the text of the event for a group whose SL is not allowed. */
    String refusalText(Gid mgid, int sl) {
        return "multicast group " + mgid + " has SL " + sl
                + ", which the active routing cannot carry: its packets are"
                + " not forwarded. Let its members leave, and make it again with " + describe();
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        for (int sl = 0; sl < SL_COUNT; sl++) {
            if (isAllowed(sl)) {
                text.append(text.isEmpty() ? "SL " : " or ").append(sl);
            }
        }
        return text.isEmpty() ? "no SL at all" : text.toString();
    }
}
