package io.torussm.discovery;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.Attribute;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.stage.UnexpectedAnswers;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of the responses of a discovery with the last fabric. If a response contradicts that fabric, the
 * request is repeated until two responses agree. So a damaged response has no effect, and a true change costs one more
 * SMP. The first response of an unknown device is accepted if it has {@link UsualValues}.
 *
 * <p>An instance belongs to one discovery. Owner thread: the loop.
 */
final class LastReading {
    private final @Nullable Fabric fabric;
    private final DiscoveryFindings findings;
    private final UsualValues usualValues = new UsualValues();

    /**
     * Creates the comparison.
     *
     * @param fabric the last fabric; null before the first discovery
     * @param survey receives reports of devices whose responses never agree
     */
    LastReading(@Nullable Fabric fabric, DiscoveryFindings survey) {
        this.fabric = fabric;
        this.findings = survey;
    }

    /**
     * Returns a request whose consumer receives a response only if it is expected, or if two responses agree.
     *
     * @param scope scope of the repeated requests
     * @param isExpected predicate, called with each response until two agree
     */
    <A extends Attribute<A>> SmpRequest<A> withVerification(
            MadScope scope, SmpRequest<A> question, Predicate<A> isExpected) {
        return question.continuation(new AnswerVerifier<>(scope, question, isExpected));
    }

    private void reportMismatch(SmpRequest<?> question) {
        int node = fabric == null ? Fabric.NONE : fabric.nodeAt(question.path());
        if (fabric != null && node != Fabric.NONE) {
            findings.reportDevice(
                    fabric.nodeGuid(node),
                    " gave another response than before to "
                            + question.type().layout().name() + "; update its firmware");
        }
    }

    /**
     * Returns the NodeInfo of the device at the far end of a cable in the last fabric; null if unknown.
     *
     * @param from near end of the cable; null to get the device of the local port
     */
    @Nullable
    NodeInfo farNodeInfo(@Nullable NodePort from) {
        if (fabric == null) {
            return null;
        }
        int near = from == null ? Fabric.NONE : fabric.port(from);
        int port = from == null ? fabric.localPort() : near == Fabric.NONE ? Fabric.NONE : fabric.peer(near);
        if (port == Fabric.NONE) {
            return null;
        }
        int node = fabric.nodeOf(port);
        NodeInfo info = fabric.node(node).info().with(NodeInfo.LOCAL_PORT_NUM, fabric.portNum(port));
        return fabric.isSwitch(node) ? info : info.with(NodeInfo.PORT_GUID, fabric.portGuid(port));
    }

    /** Returns the last SwitchInfo of a switch; null if unknown. */
    @Nullable
    SwitchInfo switchInfo(long nodeGuid) {
        int node = fabric == null ? Fabric.NONE : fabric.nodeByGuid(nodeGuid);
        return fabric == null || node == Fabric.NONE ? null : fabric.node(node).switchInfo();
    }

    /**
     * Checks whether the first response of an unknown port needs no second one; see {@link UsualValues#isAcceptable}.
     */
    boolean isOneResponseEnough(PortInfo info) {
        return usualValues.isAcceptable(info);
    }

    /** Checks whether the first response of an unknown switch needs no second one. */
    boolean isOneResponseEnough(SwitchInfo info) {
        return usualValues.isAcceptable(info);
    }

    /** Returns the last description of a node; empty if unknown. */
    String description(long nodeGuid) {
        int node = fabric == null ? Fabric.NONE : fabric.nodeByGuid(nodeGuid);
        return fabric == null || node == Fabric.NONE ? "" : fabric.node(node).description();
    }

    /** Returns the last PortInfo of a port; null if unknown. */
    @Nullable
    PortInfo portInfo(long nodeGuid, int portNum) {
        int port = fabric == null ? Fabric.NONE : fabric.port(new NodePort(nodeGuid, portNum));
        return fabric == null || port == Fabric.NONE ? null : fabric.portInfo(port);
    }

    /** The comparison of the responses to one request. */
    private final class AnswerVerifier<A extends Attribute<A>> implements Consumer<Outcome<A>> {
        private final MadScope scope;
        private final SmpRequest<A> request;
        private final Predicate<A> isExpected;
        private final UnexpectedAnswers<A> unexpectedAnswers = new UnexpectedAnswers<>();

        AnswerVerifier(MadScope scope, SmpRequest<A> question, Predicate<A> isExpected) {
            this.scope = scope;
            this.request = question;
            this.isExpected = isExpected;
        }

        /** Handles a response. If a repeated request gets no response, the previous response is passed on. */
        @Override
        public void accept(Outcome<A> outcome) {
            if (!(outcome instanceof Outcome.Reply<A> reply)) {
                A last = unexpectedAnswers.last();
                request.continuation().accept(last == null ? outcome : new Outcome.Reply<>(last));
            } else if (!isExpected.test(reply.value()) && unexpectedAnswers.asksAgain(reply.value())) {
                scope.submit(request.continuation(this));
            } else {
                if (!unexpectedAnswers.allAgree(reply.value())) {
                    reportMismatch(request);
                } else if (unexpectedAnswers.last() != null && reply.value() instanceof PortInfo info) {
                    usualValues.confirm(info);
                }
                request.continuation().accept(outcome);
            }
        }
    }
}
