package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.DrPath;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.function.Consumer;

/** Makes requests to the devices of a fabric, counts what is written, and reports what fails. */
final class SmpRequests {
    private final Fabric fabric;
    private final Trouble trouble;
    private long written;

    SmpRequests(Fabric fabric, Trouble trouble) {
        this.fabric = fabric;
        this.trouble = trouble;
    }

    /** Entries written, failed ones included. */
    long written() {
        return written;
    }

    /** Whether a device has left so much unanswered that nothing more should be asked of it. */
    boolean hasGivenUp(int node) {
        return trouble.hasGivenUp(node);
    }

    <A extends Attribute<A>> SmpRequest<A> set(int node, A value, int modifier, Consumer<A> confirmed) {
        written++;
        DrPath path = fabric.node(node).path();
        return SmpRequest.set(value, path, modifier, outcome -> {
            trouble.heard(node, outcome);
            if (outcome instanceof Outcome.Reply<A> reply) {
                confirmed.accept(reply.value());
            } else {
                report("Set", node, value.type(), outcome);
            }
        });
    }

    <A extends Attribute<A>> SmpRequest<A> get(AttributeType<A> type, int node, int modifier, Consumer<A> learnt) {
        DrPath path = fabric.node(node).path();
        return SmpRequest.get(type, path, modifier, outcome -> {
            trouble.heard(node, outcome);
            if (outcome instanceof Outcome.Reply<A> reply) {
                learnt.accept(reply.value());
            } else {
                report("Get", node, type, outcome);
            }
        });
    }

    private void report(String method, int node, AttributeType<?> type, Outcome<?> outcome) {
        trouble.report(
                fabric.isSwitch(node),
                method + "(" + type.layout().name() + ") of " + fabric.name(node) + ": " + outcome);
    }
}
