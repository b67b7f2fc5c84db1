package io.torussm.daemon.assembly;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.transport.MadClient;
import io.torussm.transport.Outcome;

/**
 * The check that the SM still sends and receives MADs. It passes if any device has responded since the previous
 * check. Otherwise the SM sends a request to its own port, whose response does not depend on cables and switches.
 * Owner thread: {@code sm}.
 */
public final class LivenessCheck {
    private final MadClient client;
    private boolean isPortUsable = true;

    /** Number of responses at the previous check. */
    private long replies;

    /** True while the request to the own port has neither a response nor a time-out. */
    private boolean isRequestPending;

    /** Creates a check of a MAD client. */
    public LivenessCheck(MadClient client) {
        this.client = client;
    }

    /**
     * Handles a change of the port. While the port is not usable, each check passes, because a restart of the process
     * would not repair the port.
     */
    public void portChanged(boolean isUsable) {
        isPortUsable = isUsable;
    }

    /**
     * Checks the SM.
     *
     * @param lives callback; called if the check passes, immediately or with the response of the own port
     */
    public void check(Runnable lives) {
        long before = replies;
        replies = client.stats().replies();
        if (replies != before || !isPortUsable) {
            lives.run();
        } else if (!isRequestPending) {
            isRequestPending = true;
            client.scope().get(NodeInfo.TYPE, DrPath.LOCAL, 0, answer -> {
                isRequestPending = false;
                if (answer instanceof Outcome.Reply) {
                    lives.run();
                }
            });
        }
    }
}
