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
    private final DiscoveryFindings survey;
    private final UsualValues usual = new UsualValues();

    /**
     * Creates the comparison.
     *
     * @param fabric the last fabric; null before the first discovery
     * @param survey receives reports of devices whose responses never agree
     */
    LastReading(@Nullable Fabric fabric, DiscoveryFindings survey) {
        this.fabric = fabric;
        this.survey = survey;
    }

    /**
     * Returns a request whose consumer receives a response only if it is expected, or if two responses agree.
     *
     * @param scope scope of the repeated requests
     * @param isExpected predicate, called with each response until two agree
     */
    <A extends Attribute<A>> SmpRequest<A> verified(MadScope scope, SmpRequest<A> question, Predicate<A> isExpected) {
        return question.then(new AnswerVerifier<>(scope, question, isExpected));
    }

    private void reportOtherAnswer(SmpRequest<?> question) {
        int node = fabric == null ? Fabric.NONE : fabric.nodeAt(question.path());
        if (fabric != null && node != Fabric.NONE) {
            survey.about(
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
    NodeInfo behind(@Nullable NodePort from) {
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

    /** Checks whether the first response of an unknown port needs no second one; see {@link UsualValues#accept}. */
    boolean acceptFirst(PortInfo info) {
        return usual.accept(info);
    }

    /** Checks whether the first response of an unknown switch needs no second one. */
    boolean acceptFirst(SwitchInfo info) {
        return usual.accept(info);
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
        private final SmpRequest<A> question;
        private final Predicate<A> isExpected;
        private final UnexpectedAnswers<A> unexpected = new UnexpectedAnswers<>();

        AnswerVerifier(MadScope scope, SmpRequest<A> question, Predicate<A> isExpected) {
            this.scope = scope;
            this.question = question;
            this.isExpected = isExpected;
        }

        /** Handles a response. If a repeated request gets no response, the previous response is passed on. */
        @Override
        public void accept(Outcome<A> outcome) {
            if (!(outcome instanceof Outcome.Reply<A> reply)) {
                A last = unexpected.last();
                question.then().accept(last == null ? outcome : new Outcome.Reply<>(last));
            } else if (!isExpected.test(reply.value()) && unexpected.asksAgain(reply.value())) {
                scope.submit(question.then(this));
            } else {
                if (!unexpected.agree(reply.value())) {
                    reportOtherAnswer(question);
                } else if (unexpected.last() != null && reply.value() instanceof PortInfo info) {
                    usual.confirm(info);
                }
                question.then().accept(outcome);
            }
        }
    }
}
