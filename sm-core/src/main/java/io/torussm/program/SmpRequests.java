package io.torussm.program;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.DrPath;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.MKeyHint;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.function.Consumer;

/** Makes requests to the devices of a fabric, counts what is written, and reports what fails. */
final class SmpRequests {
    private final Fabric fabric;
    private final ProgrammingErrors errors;
    private long written;

    SmpRequests(Fabric fabric, ProgrammingErrors errors) {
        this.fabric = fabric;
        this.errors = errors;
    }

    /** Entries written, failed ones included. */
    long written() {
        return written;
    }

    /** Whether a device has left so much unanswered that nothing more should be asked of it. */
    boolean hasGivenUp(int node) {
        return errors.hasGivenUp(node);
    }

    /** A Set to a device. */
    <A extends Attribute<A>> SmpRequest<A> set(int node, A value, int modifier, Consumer<A> confirmed) {
        return set(node, fabric.node(node).path(), value, modifier, confirmed);
    }

    /** A Set of what a port holds: of a host it must come in by that port. */
    <A extends Attribute<A>> SmpRequest<A> setAt(int port, A value, int modifier, Consumer<A> confirmed) {
        return set(fabric.nodeOf(port), fabric.pathTo(port), value, modifier, confirmed);
    }

    private <A extends Attribute<A>> SmpRequest<A> set(
            int node, DrPath path, A value, int modifier, Consumer<A> confirmed) {
        written++;
        return SmpRequest.set(value, path, modifier, outcome -> {
            errors.heard(node, outcome);
            if (outcome instanceof Outcome.Reply<A> reply) {
                confirmed.accept(reply.value());
            } else {
                report("Set", node, value.type(), outcome);
            }
        });
    }

    /** A Get from a device. */
    <A extends Attribute<A>> SmpRequest<A> get(AttributeType<A> type, int node, int modifier, Consumer<A> learnt) {
        return get(type, node, fabric.node(node).path(), modifier, learnt);
    }

    /** A Get of what a port holds: of a host it must come in by that port. */
    <A extends Attribute<A>> SmpRequest<A> getAt(AttributeType<A> type, int port, int modifier, Consumer<A> learnt) {
        return get(type, fabric.nodeOf(port), fabric.pathTo(port), modifier, learnt);
    }

    private <A extends Attribute<A>> SmpRequest<A> get(
            AttributeType<A> type, int node, DrPath path, int modifier, Consumer<A> learnt) {
        return SmpRequest.get(type, path, modifier, outcome -> {
            errors.heard(node, outcome);
            if (outcome instanceof Outcome.Reply<A> reply) {
                learnt.accept(reply.value());
            } else {
                report("Get", node, type, outcome);
            }
        });
    }

    private void report(String method, int node, AttributeType<?> type, Outcome<?> outcome) {
        errors.report(
                fabric.isSwitch(node),
                method + "(" + type.layout().name() + ") of ",
                fabric.device(node),
                ": " + outcome + (errors.isNewlySilent(node) ? MKeyHint.of(fabric, node) : ""));
    }
}
