package io.torussm.daemon.assembly;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.transport.MadClient;
import io.torussm.transport.Outcome;

/**
 * Whether the SM still sends and receives: since the last look some device has answered it, or else the own port does now, which
 * no cable or switch keeps from it. Owner thread: the loop.
 */
public final class SignsOfLife {
    private final MadClient client;
    private boolean isPortUsable = true;
    private long replies;
    private boolean isAsking;

    /** Of the client on the port; on its loop. */
    public SignsOfLife(MadClient client) {
        this.client = client;
    }

    /** A port that is known to be away, as reported, is awaited: no restart would mend that. */
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
