package io.torussm.daemon.assembly;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.transport.MadClient;
import io.torussm.transport.Outcome;

/**
 * The check that the SM still sends and receives. It passes if some device has responded since the last
 * check. Else the own port must respond now, which does not depend on cables and switches. Owner thread: the
 * loop.
 */
public final class SignsOfLife {
    private final MadClient client;
    private boolean isPortUsable = true;
    private long replies;
    private boolean isAsking;

    /** Creates a check of the client on a port, on its loop. */
    public SignsOfLife(MadClient client) {
        this.client = client;
    }

    /** Handles a change of the port. A port that is reported as gone is awaited, because no restart would repair it. */
    public void portChanged(boolean isUsable) {
        isPortUsable = isUsable;
    }

    /** Calls back, now or when the own port has answered; never if it does not answer. */
    public void look(Runnable lives) {
        long before = replies;
        replies = client.stats().replies();
        if (replies != before || !isPortUsable) {
            lives.run();
        } else if (!isAsking) {
            isAsking = true;
            client.scope().get(NodeInfo.TYPE, DrPath.LOCAL, 0, answer -> {
                isAsking = false;
                if (answer instanceof Outcome.Reply) {
                    lives.run();
                }
            });
        }
    }
}
