package io.torussm.transport;

import io.torussm.event.FatalErrors;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The sources from which requests are pulled one by one when the window has room. The first source is pulled until it
 * has no more requests. Confined to the client's loop.
 */
final class RequestSources {
    /** Queued requests per slot of the table above which sources are not pulled. */
    private static final int QUEUED_PER_SLOT = 4;

    private final DeviceQueues queues;
    private final int maxQueued;
    private final BiConsumer<SmpRequest<?>, MadScope> enqueue;
    private final Consumer<Throwable> failureHandler;
    private final ArrayDeque<Source> sources = new ArrayDeque<>();

    /** A source of requests and the scope that it belongs to. */
    private record Source(Iterator<? extends SmpRequest<?>> requests, MadScope scope) {}

    /**
     * Creates an empty set of sources.
     *
     * @param queues queues of pulled requests
     * @param slots max requests on the wire
     * @param enqueue consumer of pulled requests
     * @param failed consumer of exceptions of sources, which counts them
     */
    RequestSources(
            DeviceQueues queues, int slots, BiConsumer<SmpRequest<?>, MadScope> enqueue, Consumer<Throwable> failed) {
        this.queues = queues;
        this.maxQueued = QUEUED_PER_SLOT * slots;
        this.enqueue = enqueue;
        this.failureHandler = failed;
    }

    void add(Iterator<? extends SmpRequest<?>> requests, MadScope scope) {
        scope.countOpened();
        sources.add(new Source(requests, scope));
    }

    /** Removes the sources within a scope. */
    void removeWithin(MadScope scope) {
        sources.removeIf(source -> {
            boolean isOfScope = source.scope().isWithin(scope);
            if (isOfScope) {
                source.scope().countEnded();
            }
            return isOfScope;
        });
    }

    /**
     * Queues one request of the next source. Returns false if no source has a request, or if enough requests wait for
     * the windows of their devices.
     */
    boolean pullOne() {
        while (queues.queuedCount() < maxQueued) {
            Source source = sources.poll();
            if (source == null) {
                return false;
            }
            SmpRequest<?> request = nextOf(source);
            if (request != null) {
                enqueue.accept(request, source.scope());
                sources.addFirst(source);
                return true;
            }
            source.scope().countEnded();
            // The scope may be idle by the end of its source, and the next stage may have submitted its first requests.
            if (queues.hasReady()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the next request; null if the source has no more, has failed, or belongs to a closed scope. */
    private @Nullable SmpRequest<?> nextOf(Source source) {
        if (source.scope().isClosed()) {
            return null;
        }
        try {
            return source.requests().hasNext() ? source.requests().next() : null;
        } catch (RuntimeException | Error bug) {
            failureHandler.accept(bug);
            source.scope().handleFailure(bug);
            FatalErrors.escalate(bug);
            return null;
        }
    }
}
