package io.torussm.transport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.smp.DrPath;
import java.util.Iterator;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A set of transactions with one end: the stage that opened it goes on when nothing is queued or in flight any more, and
 * closing it cancels what is left. Lives on the client's loop.
 */
public final class MadScope implements AutoCloseable {
    private final MadClient client;
    private int open;
    private boolean closed;
    private @Nullable Runnable idle;

    MadScope(MadClient client) {
        this.client = client;
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

    /**
     * Takes requests from a source one by one, whenever the window has room. The source is asked on the loop and must be
     * cheap; it is dropped when it has no next request.
     */
    public void pull(Iterator<? extends SmpRequest<?>> source) {
        client.pull(source, this);
    }

    /** Calls back once, on the loop, as soon as nothing of this scope is queued, to be pulled or in flight. */
    public void whenIdle(Runnable then) {
        idle = then;
        if (open == 0) {
            client.loop().execute(this::settle);
        }
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

    boolean isClosed() {
        return closed;
    }

    void opened() {
        open++;
    }

    void ended() {
        open--;
        settle();
    }

    private void settle() {
        Runnable then = idle;
        if (open == 0 && then != null) {
            idle = null;
            then.run();
        }
    }
}
