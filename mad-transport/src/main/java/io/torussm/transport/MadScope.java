package io.torussm.transport;

import io.torussm.event.FatalErrors;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.DrPath;
import java.util.Iterator;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A set of transactions with a common end. The stage that opened the scope continues when none of them is queued or in
 * flight. Closing the scope cancels the remaining transactions. Confined to the client's loop.
 *
 * <p>If a failed continuation would make the result of a stage wrong, the stage should call {@link #whenFailed}.
 * Otherwise the exception is logged and counted, and the stage continues.
 */
public final class MadScope implements AutoCloseable {
    private static final EventLog EVENTS = EventLog.of(MadScope.class);

    private final MadClient client;
    private final @Nullable MadScope parent;

    /** Number of closings of the gate of Sets before this scope. */
    private final int closingsAtBegin;

    /** Sources and requests without an outcome, including those of child scopes. */
    private int openCount;

    /** Time of the loop at which a request or source was last added, or ended. */
    private long lastChangeNs;

    private boolean isClosed;

    /** Callback of {@link #whenIdle}; null if none waits. */
    private @Nullable Runnable idleCallback;

    private @Nullable Consumer<Throwable> failureCallback;

    MadScope(MadClient client) {
        this(client, null);
    }

    private MadScope(MadClient client, @Nullable MadScope parent) {
        this.client = client;
        this.parent = parent;
        this.closingsAtBegin = client.gateClosings();
    }

    /**
     * Opens a scope within this one, which can be closed alone. Its transactions also count in this scope, and failures
     * that it does not handle are handled here.
     */
    public MadScope child() {
        return new MadScope(client, this);
    }

    /** Reads an attribute of the device at the end of a route. */
    public <A extends Attribute<A>> void get(
            AttributeType<A> type, DrPath path, int attributeModifier, Consumer<Outcome<A>> then) {
        client.submit(SmpRequest.get(type, path, attributeModifier, then), this);
    }

    /** Writes an attribute of the device at the end of a route. */
    public <A extends Attribute<A>> void set(A value, DrPath path, int attributeModifier, Consumer<Outcome<A>> then) {
        client.submit(SmpRequest.set(value, path, attributeModifier, then), this);
    }

    /** Sends a request, now or as soon as the windows allow. */
    public void submit(SmpRequest<?> request) {
        client.submit(request, this);
    }

    /**
     * Pulls requests from a source one by one whenever the window has room. The source is called on the loop
     * and must be cheap. It is dropped when it has no next request.
     */
    public void pull(Iterator<? extends SmpRequest<?>> source) {
        client.pull(source, this);
    }

    /**
     * Calls back once, on the loop, as soon as this scope has no request in a source, in a queue or in flight. Never
     * calls back within this method. A scope that is closed before does not call back.
     *
     * @throws IllegalStateException if another callback already waits
     */
    public void whenIdle(Runnable then) {
        if (idleCallback != null) {
            throw new IllegalStateException("another caller already waits for this scope to be idle");
        }
        if (isClosed()) {
            return;
        }
        idleCallback = then;
        if (openCount == 0) {
            client.loop().execute(this::callIfIdle);
        }
    }

    /**
     * Calls back once, on the loop, if a continuation, a source or the idle callback of this scope throws an exception.
     * The scope is closed before: its other transactions are cancelled, and {@link #whenIdle} does not call back.
     */
    public void whenFailed(Consumer<Throwable> then) {
        failureCallback = then;
    }

    /**
     * Cancels the remaining transactions. Their continuations receive {@link Outcome.FailureReason#CANCELLED}, as do
     * Sets that {@link MadClient#refuseSets} prevents.
     */
    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            idleCallback = null;
            client.cancel(this);
        }
    }

    /** Checks whether a request of this scope is in a source, a queue or in flight. */
    public boolean isWaiting() {
        return openCount > 0;
    }

    /** Returns the nanoseconds since a request or source of this scope was last added, or ended. */
    public long sinceLastChangeNs() {
        return client.loop().nowNs() - lastChangeNs;
    }

    /** Returns the routes of the requests in flight. */
    public Set<DrPath> routes() {
        return client.routes(this);
    }

    /**
     * Ends the requests that are queued or in flight as if all tries had timed out, with
     * {@link Outcome.FailureReason#TIMEOUT}. The scope stays open, and its sources are pulled again.
     */
    public void expire() {
        client.expire(this);
    }

    int closingsAtBegin() {
        return closingsAtBegin;
    }

    /** Checks whether this scope, or one that contains it, is closed. */
    public boolean isClosed() {
        return isClosed || (parent != null && parent.isClosed());
    }

    /** Checks whether this scope equals another one or is within it. */
    boolean isWithin(MadScope scope) {
        return this == scope || (parent != null && parent.isWithin(scope));
    }

    void countOpened() {
        openCount++;
        lastChangeNs = client.loop().nowNs();
        if (parent != null) {
            parent.countOpened();
        }
    }

    void countEnded() {
        openCount--;
        lastChangeNs = client.loop().nowNs();
        callIfIdle();
        if (parent != null) {
            parent.countEnded();
        }
    }

    /**
     * Handles an exception of a continuation or a source in this scope or the nearest parent with {@link #whenFailed}.
     */
    void handleFailure(Throwable bug) {
        Consumer<Throwable> handler = failureCallback;
        if (handler == null && parent != null) {
            parent.handleFailure(bug);
            return;
        }
        if (handler == null) {
            EVENTS.report(SmEvent.CONTINUATION_FAILED, bug);
            return;
        }
        failureCallback = null;
        close();
        try {
            handler.accept(bug);
        } catch (RuntimeException | Error another) {
            another.addSuppressed(bug);
            EVENTS.report(SmEvent.FAILURE_HANDLER_FAILED, another);
        }
    }

    /** Calls {@link #idleCallback} if no request remains. */
    private void callIfIdle() {
        Runnable callback = idleCallback;
        if (openCount == 0 && callback != null && !isClosed()) {
            idleCallback = null;
            try {
                callback.run();
            } catch (RuntimeException | Error bug) {
                client.countFailure();
                handleFailure(bug);
                FatalErrors.escalate(bug);
            }
        }
    }
}
