package io.torussm.vport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.MadStatus;
import io.torussm.mad.smp.DrPath;
import io.torussm.transport.MadScope;
import io.torussm.transport.Outcome;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The SMPs of one visit. Their number and time are limited, so that a device with many vports, or a slow one, does not
 * delay the visits of others. Once the scope is closed, no outcome is passed on.
 */
final class VisitRequests {
    /** SMPs after which a visit ends before its next vport; one vport takes at most 134. */
    static final int MAX_SMPS = 256;

    private static final long MAX_NS = TimeUnit.SECONDS.toNanos(1);

    private final MadScope scope;
    private final DrPath path;
    private final LongSupplier nowNs;
    private final long beginNs;
    private int sent;
    private boolean isCancelled;

    VisitRequests(MadScope scope, DrPath path, LongSupplier nowNs) {
        this.scope = scope;
        this.path = path;
        this.nowNs = nowNs;
        this.beginNs = nowNs.getAsLong();
    }

    <A extends Attribute<A>> void get(AttributeType<A> type, int modifier, Consumer<Outcome<A>> then) {
        sent++;
        scope.get(type, path, modifier, unlessClosed(then));
    }

    <A extends Attribute<A>> void set(A value, int modifier, Consumer<Outcome<A>> then) {
        sent++;
        scope.set(value, path, modifier, unlessClosed(outcome -> {
            isCancelled |= outcome instanceof Outcome.Failure<?> failure
                    && failure.reason() == Outcome.FailureReason.CANCELLED;
            then.accept(outcome);
        }));
    }

    private <A> Consumer<Outcome<A>> unlessClosed(Consumer<Outcome<A>> then) {
        return outcome -> {
            if (!scope.isClosed()) {
                then.accept(outcome);
            }
        };
    }

    /**
     * Checks whether a device did not respond to any try, or responded Busy to all. A Set that was cancelled after a
     * standstill of this SM counts as unanswered, so that a later visit repeats it.
     */
    static boolean isUnanswered(Outcome<?> outcome) {
        return outcome instanceof Outcome.Failure<?> failure
                && (failure.reason() == Outcome.FailureReason.TIMEOUT
                        || failure.reason() == Outcome.FailureReason.CANCELLED
                        || failure.isBusy());
    }

    /** Checks whether a device rejected a value, or an AttributeModifier, but knows the attribute. */
    static boolean isInvalidField(Outcome<?> outcome) {
        return outcome instanceof Outcome.Failure<?> failure
                && failure.reason() == Outcome.FailureReason.BAD_STATUS
                && failure.status() == MadStatus.INVALID_FIELD;
    }

    /** Checks whether a Set was cancelled after a standstill of this SM: the visit shows nothing about the device. */
    boolean isCancelled() {
        return isCancelled;
    }

    /** Checks whether the visit has used its share. */
    boolean isShareUsed() {
        return sent >= MAX_SMPS || nowNs.getAsLong() - beginNs >= MAX_NS;
    }
}
