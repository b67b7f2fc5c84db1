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
 * A set of transactions with one end: the stage that opened it goes on when nothing is queued or in flight any more, and
 * closing it cancels what is left. Lives on the client's loop.
 *
 * <p>A stage whose result would be wrong if one of its continuations broke off half-way should say
 * {@link #whenFailed}; without it, the exception is logged and counted, and the stage goes on.
 */
public final class MadScope implements AutoCloseable {
    private static final EventLog EVENTS = EventLog.of(MadScope.class);

    private final MadClient client;
    private final @Nullable MadScope parent;
    private int open;

    /** When something began or ended last, in the loop's time. */
    private long movedNs;

    private boolean closed;
    private @Nullable Runnable idle;
    private @Nullable Consumer<Throwable> failure;

    MadScope(MadClient client) {
        this(client, null);
    }

    private MadScope(MadClient client, @Nullable MadScope parent) {
        this.client = client;
        this.parent = parent;
    }

    /**
     * A scope within this one, which can be closed by itself: its transactions are this one's, too, and so are its failures.
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
     * Takes requests from a source one by one, whenever the window has room. The source is asked on the loop and must be
     * cheap; it is dropped when it has no next request.
     */
    public void pull(Iterator<? extends SmpRequest<?>> source) {
        client.pull(source, this);
    }

    /**
     * Calls back once, on the loop, as soon as nothing of this scope is queued, to be pulled or in flight; never from
     * within this call, and not at all if the scope is closed before.
     *
     * @throws IllegalStateException if somebody is waiting already
     */
    public void whenIdle(Runnable then) {
        if (idle != null) {
            throw new IllegalStateException("another caller already waits for this scope to be idle");
        }
        if (isClosed()) {
            return;
        }
        idle = then;
        if (open == 0) {
            client.loop().execute(this::settle);
        }
    }

    /**
     * Calls back once, on the loop, if a continuation or a source of this scope, or what waits for it to be idle, throws
     * anything. The scope is closed then: what is left is cancelled, and {@link #whenIdle} stays silent.
     */
    public void whenFailed(Consumer<Throwable> then) {
        failure = then;
    }

    /** Cancels what is left; the continuations of cancelled transactions see {@link Outcome.Kind#CANCELLED}. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            idle = null;
            client.cancel(this);
        }
    }

    /** Whether anything of this scope is queued, to be pulled or in flight. */
    public boolean isWaiting() {
        return open > 0;
    }

    /** Nanoseconds since anything of this scope was queued, or ended with an answer or without. */
    public long stillNs() {
        return client.loop().nowNs() - movedNs;
    }

    /** Routes of what is in flight. */
    public Set<DrPath> routes() {
        return client.routes(this);
    }

    /**
     * Waits no longer for what is in flight or queued: it ends as if all tries were over, with {@link Outcome.Kind#TIMEOUT}. The scope stays
     * open, and its sources are asked for more.
     */
    public void expire() {
        client.expire(this);
    }

    boolean isClosed() {
        return closed || parent != null && parent.isClosed();
    }

    /** Whether this is a scope, or within it. */
    boolean isWithin(MadScope scope) {
        return this == scope || parent != null && parent.isWithin(scope);
    }

    void opened() {
        open++;
        movedNs = client.loop().nowNs();
        if (parent != null) {
            parent.opened();
        }
    }

    void ended() {
        open--;
        movedNs = client.loop().nowNs();
        settle();
        if (parent != null) {
            parent.ended();
        }
    }

    /** A continuation or a source threw. */
    void failed(Throwable bug) {
        Consumer<Throwable> then = failure;
        if (then == null && parent != null) {
            parent.failed(bug);
            return;
        }
        if (then == null) {
            EVENTS.report(SmEvent.CONTINUATION_FAILED, bug);
            return;
        }
        failure = null;
        close();
        try {
            then.accept(bug);
        } catch (RuntimeException | Error another) {
            another.addSuppressed(bug);
            EVENTS.report(SmEvent.FAILURE_HANDLER_FAILED, another);
        }
    }

    private void settle() {
        Runnable then = idle;
        if (open == 0 && then != null && !isClosed()) {
            idle = null;
            try {
                then.run();
            } catch (RuntimeException | Error bug) {
                client.countFailure();
                failed(bug);
                FatalErrors.escalate(bug);
            }
        }
    }
}
