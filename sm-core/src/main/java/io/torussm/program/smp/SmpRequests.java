package io.torussm.program.smp;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.stage.SetVerification;
import io.torussm.subnet.MKeyHint;
import io.torussm.transport.Loop;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one stage to the devices of a fabric. It counts writes and reports failures.
 *
 * <p>If a device does not respond for {@link #SUSPICION_NS}, a Get(NodeInfo) tests whether it responds at all. When all
 * retries of the request are over, the errors then distinguish a dead device from one that ignores this attribute. A
 * dead device gets no more requests in this sweep, another device no more requests of the attribute. Owner thread: the
 * loop.
 */
public final class SmpRequests {
    /**
     * The time without a response after which Get(NodeInfo) is sent: longer than any device needs to respond, shorter
     * than all retries of a request.
     */
    private static final long SUSPICION_NS = TimeUnit.MILLISECONDS.toNanos(400);

    private final Fabric fabric;
    private final ProgrammingErrors errors;
    private final MadScope scope;
    private final Loop loop;

    /** [node] outstanding requests; null before the first request. */
    private final @Nullable Wait[] waits;

    /** Number of outstanding requests to all devices. */
    private int unanswered;

    /** True if the timer of {@link #suspect} runs. */
    private boolean isWatching;

    /** Number of Sets. */
    private long writes;

    /** The outstanding requests to a device. */
    private static final class Wait {
        /** Directed route of the first of these requests. */
        DrPath path;

        /** Number of outstanding requests. */
        int requests;

        /** Time of the loop at the last response, or at the first of these requests. */
        long sinceNs;

        /** True if Get(NodeInfo) was sent since then. */
        boolean isSuspected;

        Wait(DrPath path) {
            this.path = path;
        }
    }

    /**
     * Creates the requests.
     *
     * @param scope scope of the requests
     */
    public SmpRequests(Fabric fabric, ProgrammingErrors errors, MadScope scope, Loop loop) {
        this.fabric = fabric;
        this.errors = errors;
        this.scope = scope;
        this.loop = loop;
        this.waits = new Wait[fabric.nodeCount()];
    }

    /** Returns the number of Sets, failed Sets included. */
    public long writes() {
        return writes;
    }

    /** Checks whether a device did not respond so often that it gets no more requests. */
    public boolean hasGivenUp(int node) {
        return errors.hasGivenUp(node);
    }

    /** Checks whether a device did not respond so often that it gets no more Sets of this type. */
    public boolean hasGivenUpSets(int node, AttributeType<?> type) {
        return errors.hasGivenUp(node, type.id(), true);
    }

    /** Checks whether a device did not respond so often that it gets no more Gets of this type. */
    public boolean hasGivenUpGets(int node, AttributeType<?> type) {
        return errors.hasGivenUp(node, type.id(), false);
    }

    /** The harm of a write that a device did not accept. */
    public enum Harm {
        /** Harm to the device alone. */
        DEVICE,
        /** Harm to all routes, because the proof relies on the table. */
        ROUTES,
        /** Harm to members of multicast groups. */
        GROUPS
    }

    /**
     * Returns a Set of an attribute of a device.
     *
     * @param node node index
     * @param modifier AttributeModifier
     * @param confirmed receives the response, if it shows the written value
     */
    public <A extends Attribute<A>> SmpRequest<A> set(
            int node, A value, int modifier, Harm harm, Consumer<A> confirmed) {
        return set(new Write<>(this, node, value, fabric.node(node).path(), modifier, harm) {
            @Override
            public void onConfirmation(A held) {
                confirmed.accept(held);
            }
        });
    }

    /** Returns a Set as described by {@link Write}. */
    public <A extends Attribute<A>> SmpRequest<A> set(Write<A> write) {
        writes++;
        addPending(write.node, write.request.path());
        return briefIfRejected(write.node, write.request);
    }

    /**
     * A Set and its completion. If the response does not show the written value, the device is read, because not every
     * agent responds with the stored value.
     *
     * <p>A Set is one object without lambdas, because there is one for each SMP: C1, which compiles the code of a cold
     * sweep, creates a capturing lambda by a call into the JVM.
     */
    public abstract static class Write<A extends Attribute<A>> implements Consumer<Outcome<A>> {
        private final SmpRequests requests;
        private final int node;
        private final Harm harm;
        private final SmpRequest<A> request;

        /**
         * Creates a Set to a port of a device.
         *
         * @param node node index
         * @param path directed route; the route to a host must enter by the port of the attribute
         * @param modifier AttributeModifier
         */
        public Write(SmpRequests requests, int node, A value, DrPath path, int modifier, Harm harm) {
            this.requests = requests;
            this.node = node;
            this.harm = harm;
            this.request = SmpRequest.set(value, path, modifier, this);
        }

        /**
         * Handles a confirmed write.
         *
         * @param held response of the device
         */
        public abstract void onConfirmation(A held);

        @Override
        public final void accept(Outcome<A> outcome) {
            requests.ended(node, request, outcome);
            if (!(outcome instanceof Outcome.Reply<A> reply)) {
                reportRefusal(outcome);
            } else if (SetVerification.hasEffect(request, reply.value())) {
                onConfirmation(reply.value());
            } else {
                requests.scope.submit(requests.counted(node, request.asGet(), this::onContradiction));
            }
        }

        private void onContradiction(Outcome<A> held) {
            if (held instanceof Outcome.Reply<A> current && SetVerification.hasEffect(request, current.value())) {
                onConfirmation(current.value());
            } else {
                requests.errors.noteIgnored(node, request.type().id());
                reportRefusal("answered well and not obeyed");
            }
        }

        private void reportRefusal(Object reason) {
            requests.report(node, request, reason);
            switch (harm) {
                case DEVICE -> {}
                case ROUTES -> requests.errors.recordDeviation(node, request);
                case GROUPS -> requests.errors.recordMulticastFailure(node, request);
            }
        }
    }

    /** The completion of any request. */
    private record OutcomeCounter<A extends Attribute<A>>(
            SmpRequests requests, int node, SmpRequest<A> request, Consumer<Outcome<A>> then)
            implements Consumer<Outcome<A>> {
        @Override
        public void accept(Outcome<A> outcome) {
            requests.ended(node, request, outcome);
            then.accept(outcome);
        }
    }

    private void ended(int node, SmpRequest<?> request, Outcome<?> outcome) {
        onOutcome(node, outcome);
        errors.recordOutcome(node, request, outcome);
    }

    /** Returns a Set that a device may reject without harm: a failure is not reported, only counted. */
    public <A extends Attribute<A>> SmpRequest<A> trial(int node, SmpRequest<A> set, Consumer<Outcome<A>> then) {
        writes++;
        return counted(node, set, then);
    }

    /** Returns a Get from a device. If the Get fails, {@code learnt} is not called, and no error is reported. */
    public <A extends Attribute<A>> SmpRequest<A> get(
            AttributeType<A> type, int node, int modifier, Consumer<A> learnt) {
        return get(node, SmpRequest.get(type, fabric.node(node).path(), modifier, outcome -> {}), learnt);
    }

    /** Returns a Get from a port, given by index. The route to a host enters by that port. */
    public <A extends Attribute<A>> SmpRequest<A> getAt(
            AttributeType<A> type, int port, int modifier, Consumer<A> learnt) {
        return get(fabric.nodeOf(port), SmpRequest.get(type, fabric.pathTo(port), modifier, outcome -> {}), learnt);
    }

    private <A extends Attribute<A>> SmpRequest<A> get(int node, SmpRequest<A> request, Consumer<A> learnt) {
        return counted(node, request, outcome -> {
            if (outcome instanceof Outcome.Reply<A> reply) {
                learnt.accept(reply.value());
            }
        });
    }

    /** Returns a copy of a request whose response, or lack of a response, is counted. */
    public <A extends Attribute<A>> SmpRequest<A> counted(int node, SmpRequest<A> request, Consumer<Outcome<A>> then) {
        addPending(node, request.path());
        return briefIfRejected(node, request.continuation(new OutcomeCounter<>(this, node, request, then)));
    }

    /** Returns a request, with fewer tries if the device is known to reject this attribute. */
    private <A extends Attribute<A>> SmpRequest<A> briefIfRejected(int node, SmpRequest<A> request) {
        return errors.isRejectionExpected(node, request.type().id()) ? request.brief() : request;
    }

    private void addPending(int node, DrPath path) {
        Wait wait = waits[node];
        if (wait == null) {
            wait = new Wait(path);
            waits[node] = wait;
        }
        if (wait.requests++ == 0) {
            wait.path = path;
            wait.sinceNs = loop.nowNs();
            wait.isSuspected = false;
        }
        unanswered++;
        watch();
    }

    private void onOutcome(int node, Outcome<?> outcome) {
        Wait wait = waits[node];
        if (wait == null) {
            return;
        }
        boolean isAnswer = !(outcome instanceof Outcome.Failure<?> failure)
                || (failure.reason() == Outcome.FailureReason.BAD_STATUS && !failure.isBusy());
        if (isAnswer) {
            wait.sinceNs = loop.nowNs();
            wait.isSuspected = false;
        }
        wait.requests--;
        unanswered--;
    }

    private void watch() {
        if (!isWatching && unanswered > 0) {
            isWatching = true;
            loop.schedule(SUSPICION_NS, this::suspect);
        }
    }

    /** Sends Get(NodeInfo) to each device that did not respond for {@link #SUSPICION_NS}. */
    private void suspect() {
        isWatching = false;
        for (int node = 0; node < waits.length; node++) {
            Wait wait = waits[node];
            if (wait != null && wait.requests > 0 && !wait.isSuspected && loop.nowNs() - wait.sinceNs >= SUSPICION_NS) {
                wait.isSuspected = true;
                probe(node, wait.path);
            }
        }
        watch();
    }

    private void probe(int node, DrPath path) {
        scope.submit(SmpRequest.get(NodeInfo.TYPE, path, 0, outcome -> {
                    if (outcome instanceof Outcome.Reply<NodeInfo>) {
                        errors.noteAlive(node);
                    } else if (outcome instanceof Outcome.Failure<NodeInfo> failure
                            && failure.reason() == Outcome.FailureReason.TIMEOUT) {
                        errors.noteDead(node);
                    }
                })
                .urgent());
    }

    private void report(int node, SmpRequest<?> request, Object outcome) {
        AttributeType<?> type = request.type();
        errors.report(
                node,
                type.id(),
                "Set(" + type.layout().name() + ") of ",
                fabric.device(node),
                ": " + outcome + (errors.isNewlySilent(node) ? MKeyHint.of(fabric, node) : ""));
    }
}
