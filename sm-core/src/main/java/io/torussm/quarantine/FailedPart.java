package io.torussm.quarantine;

import io.torussm.event.DeviceText;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.Attribute;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.stage.Consistency;
import io.torussm.stage.SetVerification;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A part that failed: the request, the report of the device at that time, and the question whether it complies now. */
final class FailedPart {
    /** The port in an attribute modifier. */
    private static final int PORT_NUMBER = 0xff;

    final DeviceText name;
    final String reason;
    final DeviceRecord record;
    boolean isLeftOut;
    boolean isTolerated;
    boolean isWide;
    int pause;
    DrPath path;
    int lid;

    private final SmpRequest<?> request;
    private final NodeInfo info;

    /** The table sizes that the request was made for; null unless it is a switch that reported them. */
    private final @Nullable SwitchInfo sizes;

    /** The reading that the request was made of; null if it does not depend on one. */
    private final @Nullable Attribute<?> reading;

    FailedPart(Fabric fabric, Part part, SmpRequest<?> request, DeviceRecord record) {
        int node = fabric.nodeByGuid(part.nodeGuid());
        int port = fabric.port(new NodePort(part.nodeGuid(), request.attributeModifier() & PORT_NUMBER));
        this.name = part.isPort() ? fabric.devicePort(fabric.port(node, part.portNum())) : fabric.device(node);
        this.request = request;
        this.path = request.path();
        this.reason = "it does not take or tell its " + request.type().layout().name();
        this.record = record;
        this.info = fabric.node(node).info();
        this.sizes = fabric.node(node).switchInfo();
        this.reading = request.value() instanceof PortInfo && port != Fabric.NONE
                ? fabric.portInfo(port)
                : request.value() instanceof SwitchInfo ? fabric.node(node).switchInfo() : null;
    }

    /**
     * Retries the request after a check of the NodeGUID, so that nothing is written to another device at this path. If
     * the device reports something else than when it failed, the request may be made of a false report, and a sweep
     * makes another.
     *
     * @param whenReleased takes the reason why the part is no longer excluded
     */
    void ask(MadScope scope, Consumer<String> whenReleased) {
        scope.get(NodeInfo.TYPE, path, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<NodeInfo> reply
                    && reply.value().nodeGuid() == info.nodeGuid()) {
                if (reply.value().numPorts() != info.numPorts()) {
                    releaseForOtherReport(whenReleased);
                } else if (sizes != null && reading == null) {
                    scope.get(SwitchInfo.TYPE, path, 0, sizesNow -> askForSize(scope, sizes, sizesNow, whenReleased));
                } else if (reading == null) {
                    scope.submit(repeated(request, whenReleased));
                } else {
                    scope.submit(read(scope, request, reading, whenReleased));
                }
            }
        });
    }

    /** Retries the request, unless the table sizes differ: a switch rejects a block that it does not have. */
    private void askForSize(
            MadScope scope, SwitchInfo previous, Outcome<SwitchInfo> outcome, Consumer<String> whenReleased) {
        boolean isOther = outcome instanceof Outcome.Reply<SwitchInfo> reply
                && (reply.value().linearFdbCap() != previous.linearFdbCap()
                        || (previous.multicastFdbCap() != 0 // no table, or one that multicast bypasses
                                && reply.value().multicastFdbCap() != previous.multicastFdbCap()));
        if (isOther) {
            releaseForOtherReport(whenReleased);
        } else {
            scope.submit(repeated(request, whenReleased));
        }
    }

    private <A extends Attribute<A>> SmpRequest<A> read(
            MadScope scope, SmpRequest<A> failed, Attribute<?> previous, Consumer<String> whenReleased) {
        return SmpRequest.get(failed.type(), path, failed.attributeModifier(), outcome -> {
            if (outcome instanceof Outcome.Reply<A> reply
                    && (!Consistency.isExplained(previous, failed.value(), reply.value())
                            || hasTrainedAgain(failed.value(), reply.value()))) {
                releaseForOtherReport(whenReleased);
            } else {
                scope.submit(repeated(failed, whenReleased));
            }
        });
    }

    /** Checks whether a port was to become ACTIVE and is in INITIALIZE, where a device must reject that. */
    private static boolean hasTrainedAgain(@Nullable Attribute<?> wanted, Attribute<?> current) {
        return wanted instanceof PortInfo port
                && current instanceof PortInfo held
                && port.portState() == PortInfo.STATE_ACTIVE
                && held.portState() == PortInfo.STATE_INITIALIZE;
    }

    private static void releaseForOtherReport(Consumer<String> whenReleased) {
        whenReleased.accept("it reports something else than before, and is tried again");
    }

    private <A extends Attribute<A>> SmpRequest<A> repeated(SmpRequest<A> failed, Consumer<String> whenReleased) {
        return failed.by(path).then(outcome -> {
            if (outcome instanceof Outcome.Reply<A> reply && SetVerification.shows(failed, reply.value())) {
                whenReleased.accept("it accepted the writes that it had refused");
            }
        });
    }
}
