package io.torussm.program.port;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.stage.Consistency;
import io.torussm.stage.UnexpectedAnswers;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/** The verification of responses to Set(PortInfo): a port whose response contradicts the Set is read again. */
final class PortInfoVerifier {
    private final MadScope scope;
    private final Fabric fabric;
    private final IntFunction<@Nullable PortInfo> last;

    /**
     * Creates a verifier.
     *
     * @param last function that returns the last known PortInfo of a port index; null if unknown
     */
    PortInfoVerifier(MadScope scope, Fabric fabric, IntFunction<@Nullable PortInfo> last) {
        this.scope = scope;
        this.fabric = fabric;
        this.last = last;
    }

    /** Reads the PortInfo of a port, given by index. */
    void read(int port, Consumer<Outcome<PortInfo>> then) {
        scope.get(PortInfo.TYPE, fabric.pathTo(port), fabric.portInfoModifier(port), then);
    }

    /**
     * Reads a port after a Set until a response is a possible result of the Set, or repeats an earlier one.
     *
     * @param outcome outcome of the Set, or of a read after it
     * @param then receives the last outcome
     */
    void verify(int port, SmpRequest<PortInfo> set, Outcome<PortInfo> outcome, Consumer<Outcome<PortInfo>> then) {
        verify(port, set, new UnexpectedAnswers<>(), outcome, then);
    }

    private void verify(
            int port,
            SmpRequest<PortInfo> set,
            UnexpectedAnswers<PortInfo> damaged,
            Outcome<PortInfo> outcome,
            Consumer<Outcome<PortInfo>> then) {
        if (outcome instanceof Outcome.Reply<PortInfo> reply
                && !Consistency.isPossibleResult(last.apply(port), set.value(), reply.value())
                && damaged.asksAgain(reply.value())) {
            read(port, again -> verify(port, set, damaged, again, then));
        } else {
            then.accept(outcome);
        }
    }
}
