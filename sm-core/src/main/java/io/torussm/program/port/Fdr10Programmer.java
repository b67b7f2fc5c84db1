package io.torussm.program.port;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.MlnxExtPortInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.program.smp.LookaheadIterator;
import io.torussm.stage.Phase;
import io.torussm.stage.Stage;
import io.torussm.stage.StageContext;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The stage that enables or disables FDR10 on ports that support it, at links between Mellanox devices that trained at
 * QDR and carry no traffic yet. The link then trains again. Other ports receive no request. If a device rejects the
 * request, the link works at QDR. The result is the number of ports to which a Set was sent. Owner thread: the loop.
 */
public final class Fdr10Programmer implements Stage<Fabric, Integer> {
    private static final int ENABLE = 1;

    private final int fdr10;

    /**
     * Creates the stage.
     *
     * @param fdr10 value as in OpenSM: 0 leaves ports as they are, 1 enables FDR10, 2 disables it
     */
    public Fdr10Programmer(int fdr10) {
        this.fdr10 = fdr10;
    }

    @Override
    public Phase phase() {
        return Phase.ACTIVATE;
    }

    @Override
    public void start(StageContext context, Fabric fabric, Consumer<Integer> then) {
        MadScope scope = context.scope();
        int[] set = {0};
        if (fdr10 != 0) {
            scope.pull(new LookaheadIterator<>() {
                private int port;

                @Override
                protected @Nullable SmpRequest<MlnxExtPortInfo> findNext() {
                    while (port < fabric.portCount()) {
                        int candidate = port++;
                        if (isEligible(context, fabric, candidate)) {
                            return SmpRequest.get(
                                    MlnxExtPortInfo.TYPE,
                                    fabric.pathTo(candidate),
                                    fabric.portNum(candidate),
                                    outcome -> set[0] += onInfo(scope, fabric, candidate, outcome));
                        }
                    }
                    return null;
                }
            });
        }
        scope.whenIdle(() -> then.accept(set[0]));
    }

    /** Checks whether FDR10 may be set at a port, given by index. */
    private static boolean isEligible(StageContext context, Fabric fabric, int port) {
        PortInfo info = fabric.portInfo(port);
        int far = fabric.peer(port);
        int node = fabric.nodeOf(port);
        return info != null
                && far != Fabric.NONE
                && fabric.portNum(port) > 0
                && info.portState() == PortInfo.STATE_INITIALIZE
                && LinkSpeed.of(info, fabric.capabilityPortInfo(port)).equals(Optional.of(LinkSpeed.QDR))
                && MlnxExtPortInfo.isSupportedBy(fabric.node(node).info())
                && MlnxExtPortInfo.isSupportedBy(fabric.node(fabric.nodeOf(far)).info())
                && !context.errors().hasGivenUp(node);
    }

    /** Sends a Set if a port supports FDR10 and is not as wanted. Returns the number of Sets. */
    private int onInfo(MadScope scope, Fabric fabric, int port, Outcome<MlnxExtPortInfo> outcome) {
        boolean isEnabled = fdr10 == ENABLE;
        if (!(outcome instanceof Outcome.Reply<MlnxExtPortInfo> reply)
                || (reply.value().get(MlnxExtPortInfo.LINK_SPEED_SUPPORTED) & MlnxExtPortInfo.FDR10) == 0
                || isEnabled
                        == ((reply.value().get(MlnxExtPortInfo.LINK_SPEED_ENABLED) & MlnxExtPortInfo.FDR10) != 0)) {
            return 0;
        }
        MlnxExtPortInfo value = reply.value()
                .with(MlnxExtPortInfo.STATE_CHANGE_ENABLE, 1)
                .with(MlnxExtPortInfo.LINK_SPEED_ENABLED, isEnabled ? MlnxExtPortInfo.FDR10 : 0);
        scope.set(value, fabric.pathTo(port), fabric.portNum(port), ignored -> {});
        return 1;
    }
}
