package io.torussm.daemon;

import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;

/**
 * Hands MADs that nobody waits for to the part that they are for: mastership before the sweeper, Report responses before
 * the SA. What comes before the SM has begun, or after it has ended, is dropped.
 */
final class InboundDispatcher implements MadClient.Unsolicited {
    private final Lifetime lifetime;
    private final SubnetManagerService.Listener listener;

    InboundDispatcher(Lifetime lifetime, SubnetManagerService.Listener listener) {
        this.lifetime = lifetime;
        this.listener = listener;
    }

    @Override
    public void subnetManagement(MadFrame frame) {
        Lifetime.Running now = lifetime.running();
        if (now != null && !now.mastership().receive(frame)) {
            now.sweeper().receive(frame);
        }
    }

    @Override
    public void subnetAdministration(MadFrame frame) {
        Lifetime.Running now = lifetime.published();
        if (now != null && !now.reporter().received(frame)) {
            now.administrator().received(frame);
        }
    }

    /** Whatever has changed while the port could not be used is found by a sweep; without a port there is nothing to sweep. */
    @Override
    public void portChanged(boolean isUsable, String why) {
        listener.portChanged(isUsable, why);
        Lifetime.Running now = lifetime.running();
        if (now == null) {
            return;
        }
        now.signs().portChanged(isUsable);
        if (isUsable) {
            now.mastership().sweepHeavy();
        }
    }

    @Override
    public void portLost(String why) {
        listener.portLost(why);
    }
}
