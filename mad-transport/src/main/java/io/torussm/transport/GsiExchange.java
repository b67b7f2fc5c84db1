package io.torussm.transport;

import io.torussm.mad.Attribute;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;

/** One request of {@link GsiClient} from submission to its only outcome. Confined to the client's loop. */
final class GsiExchange<A extends Attribute<A>> extends TransactionTable.Entry {
    final GsiRequest<A> request;

    /** Where the next try goes, or the last one went. */
    MadAddress to;

    /** Tries so far, those that the transport refused included. */
    int tries;

    /** Whether the last try was answered with status Busy. */
    boolean isBusy;

    /** Whether an answer to this request led elsewhere. */
    boolean wasRedirected;

    long sentNs;
    long deadlineNs;

    GsiExchange(GsiRequest<A> request, MadAddress to) {
        this.request = request;
        this.to = to;
    }

    /** Same class and attribute; what redirects may be a ClassPortInfo. */
    @Override
    boolean isAnsweredBy(byte[] mad) {
        int attribute = MadHeader.attributeId(mad);
        return MadHeader.mgmtClass(mad) == request.mgmtClass()
                && (attribute == request.type().id()
                        || attribute == ClassPortInfo.TYPE.id() && GsiClient.redirects(mad));
    }

    /** What an answer other than Busy or a redirection says. */
    Outcome<A> outcome(byte[] mad) {
        int status = MadHeader.status(mad);
        if (MadHeader.method(mad) != Method.GET_RESP) {
            return new Outcome.Failure<>(Outcome.Kind.MALFORMED, 0);
        }
        return status == MadStatus.OK
                ? new Outcome.Reply<>(request.type().read(mad, GsiRequest.DATA))
                : new Outcome.Failure<>(Outcome.Kind.BAD_STATUS, status);
    }
}
