package io.torussm.transport;

import io.torussm.mad.Attribute;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;

/** A request of {@link GsiClient} from submission to its only outcome. Confined to the client's loop. */
final class GsiExchange<A extends Attribute<A>> extends TransactionTable.Entry {
    final GsiRequest<A> request;

    /** The destination of the next try, or of the last one. */
    MadAddress destination;

    /** Tries so far, including refused ones. */
    int tries;

    /** True if the last try ended with status Busy. */
    boolean isBusy;

    /** True if no (further) redirection is followed. */
    boolean isRedirectionFinal;

    long sentNs;
    long deadlineNs;

    GsiExchange(GsiRequest<A> request, MadAddress to) {
        this.request = request;
        this.destination = to;
        isRedirectionFinal = !request.isRedirectable();
    }

    /**
     * Checks whether a response has the class and attribute of the request. A redirection may carry a ClassPortInfo
     * instead.
     */
    @Override
    boolean isAnsweredBy(byte[] mad) {
        int attribute = MadHeader.attributeId(mad);
        return MadHeader.mgmtClass(mad) == request.mgmtClass()
                && (attribute == request.type().id()
                        || (attribute == ClassPortInfo.TYPE.id() && GsiClient.isRedirection(mad)));
    }

    /** Returns the outcome of a response that is neither Busy nor a redirection. */
    Outcome<A> outcome(byte[] mad) {
        int status = MadHeader.status(mad);
        if (MadHeader.method(mad) != Method.GET_RESP) {
            return new Outcome.Failure<>(Outcome.FailureReason.MALFORMED, 0);
        }
        return status == MadStatus.OK
                ? new Outcome.Reply<>(request.read(mad))
                : new Outcome.Failure<>(Outcome.FailureReason.BAD_STATUS, status);
    }
}
