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

/**
 * A part that failed: the request that failed, what the device reported at that time, and the retry of the request.
 * Owner thread: the loop.
 */
final class FailedPart {
    /** The port in an attribute modifier. */
    private static final int PORT_NUMBER = 0xff;

    final DeviceText name;
    final String reason;

    /** ID of the attribute that the part does not accept, in hexadecimal. */
    final String attribute;

    final DeviceRecord record;

    /** True if the part is excluded, or tolerated instead. */
    boolean isExcluded;

    /** True if the part stays in the subnet, because the SM depends on it. */
    boolean isTolerated;

    /** The switch that is excluded as a whole because of this port; null if it is not. */
    @Nullable
    DeviceText excludedSwitch;

    /** Number of sweeps that must pass before the next retry. */
    int pause;

    /** Current route to the device. */
    DrPath path;

    /** LID of the switch; 0 if unknown. */
    int lid;

    private final SmpRequest<?> request;
    private final NodeInfo info;

    /** The SwitchInfo at the failure, with the table sizes for which the request was made; null for other devices. */
    private final @Nullable SwitchInfo failedSwitchInfo;

    /** The attribute as read before the Set of a modified copy failed; null for other requests. */
    private final @Nullable Attribute<?> lastReading;

    FailedPart(Fabric fabric, Part part, SmpRequest<?> request, DeviceRecord record) {
        int node = fabric.nodeByGuid(part.nodeGuid());
        int port = fabric.port(new NodePort(part.nodeGuid(), request.attributeModifier() & PORT_NUMBER));
        this.name = part.isPort() ? fabric.devicePort(fabric.port(node, part.portNum())) : fabric.device(node);
        this.request = request;
        this.path = request.path();
        this.reason =
                "it does not accept or report its " + request.type().layout().name();
        this.attribute = String.format("0x%04x", request.type().id());
        this.record = record;
        this.info = fabric.node(node).info();
        this.failedSwitchInfo = fabric.node(node).switchInfo();
        this.lastReading = request.value() instanceof PortInfo && port != Fabric.NONE
                ? fabric.portInfo(port)
                : request.value() instanceof SwitchInfo ? fabric.node(node).switchInfo() : null;
    }

    /**
     * Retries the request after a check of the NodeGUID, so that no Set is sent to another device at this path. If the
     * device now reports other values than at the failure, the request may contain a false value. Then the part is
     * released, and a sweep makes a new request.
     *
     * @param whenReleased receives the reason for which the part is no longer excluded; not called if it stays excluded
     */
    void retry(MadScope scope, Consumer<String> whenReleased) {
        scope.get(NodeInfo.TYPE, path, 0, outcome -> {
            if (outcome instanceof Outcome.Reply<NodeInfo> reply
                    && reply.value().nodeGuid() == info.nodeGuid()) {
                if (reply.value().numPorts() != info.numPorts()) {
                    releaseForChange(whenReleased);
                } else if (failedSwitchInfo != null && lastReading == null) {
                    scope.get(
                            SwitchInfo.TYPE,
                            path,
                            0,
                            currentSizes -> retryIfSameSize(scope, failedSwitchInfo, currentSizes, whenReleased));
                } else if (lastReading == null) {
                    scope.submit(repetition(request, whenReleased));
                } else {
                    scope.submit(read(scope, request, lastReading, whenReleased));
                }
            }
        });
    }

    /** Retries the request, unless the table sizes changed, because a switch rejects a block that it does not have. */
    private void retryIfSameSize(
            MadScope scope, SwitchInfo previous, Outcome<SwitchInfo> outcome, Consumer<String> whenReleased) {
        boolean isOther = outcome instanceof Outcome.Reply<SwitchInfo> reply
                && (reply.value().linearFdbCap() != previous.linearFdbCap()
                        || (previous.multicastFdbCap() != 0 // no table, or one that multicast bypasses
                                && reply.value().multicastFdbCap() != previous.multicastFdbCap()));
        if (isOther) {
            releaseForChange(whenReleased);
        } else {
            scope.submit(repetition(request, whenReleased));
        }
    }

    /** Returns a Get that compares the attribute with its earlier value, and then retries the request or releases. */
    private <A extends Attribute<A>> SmpRequest<A> read(
            MadScope scope, SmpRequest<A> failed, Attribute<?> previous, Consumer<String> whenReleased) {
        return SmpRequest.get(failed.type(), path, failed.attributeModifier(), outcome -> {
            if (outcome instanceof Outcome.Reply<A> reply
                    && (!Consistency.isExplained(previous, failed.value(), reply.value())
                            || hasTrainedAgain(failed.value(), reply.value()))) {
                releaseForChange(whenReleased);
            } else {
                scope.submit(repetition(failed, whenReleased));
            }
        });
    }

    /** Checks whether the request sets a port to ACTIVE that is now in INITIALIZE, where the device must reject it. */
    private static boolean hasTrainedAgain(@Nullable Attribute<?> wanted, Attribute<?> current) {
        return wanted instanceof PortInfo port
                && current instanceof PortInfo held
                && port.portState() == PortInfo.STATE_ACTIVE
                && held.portState() == PortInfo.STATE_INITIALIZE;
    }

    private static void releaseForChange(Consumer<String> whenReleased) {
        whenReleased.accept("it reports something else than before, and is tried again");
    }

    private <A extends Attribute<A>> SmpRequest<A> repetition(SmpRequest<A> failed, Consumer<String> whenReleased) {
        return failed.withPath(path).continuation(outcome -> {
            if (outcome instanceof Outcome.Reply<A> reply && SetVerification.hasEffect(failed, reply.value())) {
                whenReleased.accept("it accepted the writes that it had refused");
            }
        });
    }
}
