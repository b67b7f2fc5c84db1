package io.torussm.program;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.stage.Obedience;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.MKeyHint;
import io.torussm.transport.Loop;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the requests of one stage to the devices of a fabric, counts what is written, and reports what fails.
 *
 * <p>A device that leaves a request unanswered for a while is asked for a sign of life beside it. So when all tries are over it
 * is known whether the device is dead, or only has no answer to requests of this kind: of the former nothing more is asked in
 * this sweep, of the latter nothing of that kind.
 */
final class SmpRequests {
    /** How long a device may be silent before it is asked for a sign of life: more than any of them takes, less than all tries. */
    private static final long SUSPICION_NS = TimeUnit.MILLISECONDS.toNanos(400);

    private final Fabric fabric;
    private final ProgrammingErrors errors;
    private final MadScope scope;
    private final Loop loop;
    private final @Nullable Wait[] waits;
    private int unanswered;
    private boolean isWatching;
    private long written;

    /** Requests that a device has not answered yet. */
    private static final class Wait {
        DrPath path;
        int requests;
        long sinceNs;
        boolean isSuspected;

        Wait(DrPath path) {
            this.path = path;
        }
    }

    /**
     * Creates it.
     *
     * @param scope that the requests belong to
     */
    SmpRequests(Fabric fabric, ProgrammingErrors errors, MadScope scope, Loop loop) {
        this.fabric = fabric;
        this.errors = errors;
        this.scope = scope;
        this.loop = loop;
        this.waits = new Wait[fabric.nodeCount()];
    }

    /** Entries written, failed ones included. */
    long written() {
        return written;
    }

    /** Whether a device has left so much unanswered that nothing more should be asked of it. */
    boolean hasGivenUp(int node) {
        return errors.hasGivenUp(node);
    }

    /** Whether a device has left so much of this kind unanswered that no more of it should be written. */
    boolean isPastWriting(int node, AttributeType<?> type) {
        return errors.hasGivenUp(node, type.id(), true);
    }

    /** Whether a device has left so much of this kind unanswered that no more of it should be read. */
    boolean isPastReading(int node, AttributeType<?> type) {
        return errors.hasGivenUp(node, type.id(), false);
    }

    /** Whom it harms if a device does not hold what was written. */
    enum Harm {
        /** The device alone. */
        NOBODY,
        /** All, since the proof relies on it. */
        ROUTES,
        /** Those who are in groups. */
        GROUPS
    }

    /** A Set of what a device holds. */
    <A extends Attribute<A>> SmpRequest<A> set(int node, A value, int modifier, Harm harm, Consumer<A> confirmed) {
        return set(new Write<>(this, node, value, fabric.node(node).path(), modifier, harm) {
            @Override
            void confirmed(A held) {
                confirmed.accept(held);
            }
        });
    }

    /** A Set, as {@link Write} says. */
    <A extends Attribute<A>> SmpRequest<A> set(Write<A> write) {
        written++;
        waitFor(write.node, write.request.path());
        return hopefulOrBrief(write.node, write.request);
    }

    /**
     * A Set and its end. Whose answer does not show what was written is asked what it holds, since not every agent may answer with that.
     *
     * <p>One object, and no lambdas, since there is one for each SMP: C1, which compiles what a cold sweep needs, makes a lambda that
     * captures something by a call into the JVM.
     */
    abstract static class Write<A extends Attribute<A>> implements Consumer<Outcome<A>> {
        private final SmpRequests requests;
        private final int node;
        private final Harm harm;
        private final SmpRequest<A> request;

        /**
         * A Set to a port of a device.
         *
         * @param path the way to it: of a host it must come in by that port
         */
        Write(SmpRequests requests, int node, A value, DrPath path, int modifier, Harm harm) {
            this.requests = requests;
            this.node = node;
            this.harm = harm;
            this.request = SmpRequest.set(value, path, modifier, this);
        }

        /** The device holds what was written, and answered this. */
        abstract void confirmed(A held);

        @Override
        public final void accept(Outcome<A> outcome) {
            requests.ended(node, request, outcome);
            if (!(outcome instanceof Outcome.Reply<A> reply)) {
                isNotTaken(outcome);
            } else if (Obedience.shows(request, reply.value())) {
                confirmed(reply.value());
            } else {
                requests.scope.submit(requests.watched(node, request.asGet(), this::doubted));
            }
        }

        private void doubted(Outcome<A> held) {
            if (held instanceof Outcome.Reply<A> now && Obedience.shows(request, now.value())) {
                confirmed(now.value());
            } else {
                requests.errors.isDisobedient(node, request.type().id());
                isNotTaken("answered well and not obeyed");
            }
        }

        private void isNotTaken(Object why) {
            requests.report(node, request, why);
            switch (harm) {
                case NOBODY -> {}
                case ROUTES -> requests.errors.hinder(node, request);
                case GROUPS -> requests.errors.hinderMulticast(node, request);
            }
        }
    }

    /** The end of any request. */
    private record Watched<A extends Attribute<A>>(
            SmpRequests requests, int node, SmpRequest<A> request, Consumer<Outcome<A>> then)
            implements Consumer<Outcome<A>> {
        @Override
        public void accept(Outcome<A> outcome) {
            requests.ended(node, request, outcome);
            then.accept(outcome);
        }
    }

    private void ended(int node, SmpRequest<?> request, Outcome<?> outcome) {
        landed(node, outcome);
        errors.heard(node, request, outcome);
    }

    /** A Set that a device may refuse without harm to anybody. */
    <A extends Attribute<A>> SmpRequest<A> trial(int node, SmpRequest<A> set, Consumer<Outcome<A>> then) {
        written++;
        return watched(node, set, then);
    }

    /** A Get from a device; if it fails, what was asked for is not known, and that is no error. */
    <A extends Attribute<A>> SmpRequest<A> get(AttributeType<A> type, int node, int modifier, Consumer<A> learnt) {
        return get(node, SmpRequest.get(type, fabric.node(node).path(), modifier, outcome -> {}), learnt);
    }

    /** A Get of what a port holds: of a host it must come in by that port. */
    <A extends Attribute<A>> SmpRequest<A> getAt(AttributeType<A> type, int port, int modifier, Consumer<A> learnt) {
        return get(fabric.nodeOf(port), SmpRequest.get(type, fabric.pathTo(port), modifier, outcome -> {}), learnt);
    }

    private <A extends Attribute<A>> SmpRequest<A> get(int node, SmpRequest<A> request, Consumer<A> learnt) {
        return watched(node, request, outcome -> {
            if (outcome instanceof Outcome.Reply<A> reply) {
                learnt.accept(reply.value());
            }
        });
    }

    /** A request of which it is noted whether the device answers. */
    <A extends Attribute<A>> SmpRequest<A> watched(int node, SmpRequest<A> request, Consumer<Outcome<A>> then) {
        waitFor(node, request.path());
        return hopefulOrBrief(node, request.then(new Watched<>(this, node, request, then)));
    }

    private <A extends Attribute<A>> SmpRequest<A> hopefulOrBrief(int node, SmpRequest<A> request) {
        return errors.isHopeless(node, request.type().id()) ? request.brief() : request;
    }

    private void waitFor(int node, DrPath path) {
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

    private void landed(int node, Outcome<?> outcome) {
        Wait wait = waits[node];
        if (wait == null) {
            return;
        }
        boolean isAnswer = !(outcome instanceof Outcome.Failure<?> failure)
                || failure.kind() == Outcome.Kind.BAD_STATUS && !failure.isBusy();
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

    private void suspect() {
        isWatching = false;
        for (int node = 0; node < waits.length; node++) {
            Wait wait = waits[node];
            if (wait != null && wait.requests > 0 && !wait.isSuspected && loop.nowNs() - wait.sinceNs >= SUSPICION_NS) {
                wait.isSuspected = true;
                askForLife(node, wait.path);
            }
        }
        watch();
    }

    private void askForLife(int node, DrPath path) {
        scope.submit(SmpRequest.get(NodeInfo.TYPE, path, 0, outcome -> {
                    if (outcome instanceof Outcome.Reply<NodeInfo>) {
                        errors.isAlive(node);
                    } else if (outcome instanceof Outcome.Failure<NodeInfo> failure
                            && failure.kind() == Outcome.Kind.TIMEOUT) {
                        errors.isDead(node);
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
