package io.torussm.transport;

import io.torussm.event.FatalErrors;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.Attribute;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.Smp;
import java.util.List;
import java.util.function.Consumer;

/**
 * The delivery of outcomes to the continuations of requests, and of other MADs to their handlers. If one of these
 * throws, the exception is counted and does not stop the flow of MADs. An {@link Error} of a continuation also reaches
 * the loop, after the end of its transaction and of those that end together with it. Owner thread: the loop, except for
 * {@link #callHandler}.
 */
final class OutcomeDelivery {
    private static final EventLog EVENTS = EventLog.of(MadClient.class); // the name that operators know

    private final MadCounters counters;

    OutcomeDelivery(MadCounters counters) {
        this.counters = counters;
    }

    /** Runs a handler. An exception is a defect of the handler and must not stop the flow of MADs. */
    void callHandler(Consumer<MadFrame> handler, MadFrame frame) {
        try {
            handler.accept(frame);
        } catch (RuntimeException | Error bug) {
            counters.failures.increment();
            EVENTS.report(SmEvent.MAD_HANDLER_FAILED, bug);
            FatalErrors.escalate(bug);
        }
    }

    /** Delivers the outcome of a response. */
    <A extends Attribute<A>> void deliverResponse(Transaction<A> transaction, byte[] mad) {
        int status = MadHeader.status(mad);
        if (MadHeader.method(mad) != Method.GET_RESP) {
            counters.malformed.increment();
            deliverFailure(transaction, Outcome.FailureReason.MALFORMED, 0);
        } else if (status != MadStatus.OK) {
            deliverFailure(transaction, Outcome.FailureReason.BAD_STATUS, status);
        } else {
            Outcome<A> reply = new Outcome.Reply<>(transaction.request.type().read(mad, Smp.DATA_OFFSET));
            deliverOutcome(transaction.request, transaction.scope, reply);
        }
    }

    /** Delivers the failure of a transaction. */
    <A extends Attribute<A>> void deliverFailure(Transaction<A> transaction, Outcome.FailureReason kind, int status) {
        deliverOutcome(transaction.request, transaction.scope, new Outcome.Failure<>(kind, status));
    }

    /** Delivers the failure of a transaction whose device was busy, or did not respond. */
    void deliverUnanswered(Transaction<?> transaction) {
        if (transaction.isBusy) {
            deliverFailure(transaction, Outcome.FailureReason.BAD_STATUS, MadStatus.BUSY);
        } else {
            counters.timeouts.add(transaction.isOfVendor() ? 0 : 1);
            deliverFailure(transaction, Outcome.FailureReason.TIMEOUT, 0);
        }
    }

    /** Ends transactions that are in no table or queue any more, each of them even if others throw an Error. */
    void endEach(List<Transaction<?>> transactions, Consumer<Transaction<?>> end) {
        Error first = null;
        for (Transaction<?> transaction : transactions) {
            try {
                end.accept(transaction);
            } catch (Error bug) {
                if (first == null) {
                    first = bug;
                } else {
                    counters.failures.increment(); // the loop counts the first one only
                    if (bug != first) { // the JVM throws one OutOfMemoryError again and again
                        first.addSuppressed(bug);
                    }
                }
            }
        }
        if (first != null) {
            throw first;
        }
    }

    /**
     * Calls the continuation and counts the end of the transaction in its scope. An {@code Error} is thrown again
     * afterwards, so that it reaches the loop.
     */
    <A extends Attribute<A>> void deliverOutcome(SmpRequest<A> request, MadScope scope, Outcome<A> outcome) {
        counters.smpCounts.count(request, outcome);
        try {
            request.continuation().accept(outcome);
        } catch (RuntimeException bug) {
            counters.failures.increment();
            scope.handleFailure(bug);
        } catch (Error bug) {
            scope.handleFailure(bug);
            throw bug; // the loop counts it
        } finally {
            scope.countEnded();
        }
    }
}
