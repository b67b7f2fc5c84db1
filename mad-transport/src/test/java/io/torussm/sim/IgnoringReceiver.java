package io.torussm.sim;

import io.torussm.transport.MadClient;
import io.torussm.transport.MadFrame;

/** A client's owner who expects answers and nothing else. */
public final class IgnoringReceiver implements MadClient.UnsolicitedReceiver {
    @Override
    public void subnetManagement(MadFrame frame) {
        throw new IllegalStateException("nothing is expected");
    }

    @Override
    public void subnetAdministration(MadFrame frame) {
        throw new IllegalStateException("nothing is expected");
    }

    @Override
    public void portLost(String reason) {
        throw new IllegalStateException(reason);
    }
}
