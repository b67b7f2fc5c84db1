package io.torussm.transport;

import io.torussm.event.FatalErrors;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Sources that requests are pulled from one by one, when the window has room. Confined to the client's loop. */
final class RequestSources {
    /** Requests per slot in the queues of devices beyond which sources are no longer pulled. */
    private static final int QUEUED_PER_SLOT = 4;

    private final DeviceQueues queues;
    private final int maxQueued;
    private final BiConsumer<SmpRequest<?>, MadScope> enqueue;
    private final Consumer<Throwable> failed;
    private final ArrayDeque<Source> sources = new ArrayDeque<>();

    /** A source of requests and the scope that it belongs to. */
    private record Source(Iterator<? extends SmpRequest<?>> requests, MadScope scope) {}

    /**
     * Creates an empty set of sources.
     *
     * @param queues queues of pulled requests
     * @param slots maximum of requests on the wire
     * @param enqueue consumer of pulled requests
     * @param failed counter of exceptions of sources
     */
    RequestSources(
            DeviceQueues queues, int slots, BiConsumer<SmpRequest<?>, MadScope> enqueue, Consumer<Throwable> failed) {
        this.queues = queues;
        this.maxQueued = QUEUED_PER_SLOT * slots;
        this.enqueue = enqueue;
        this.failed = failed;
    }

    void add(Iterator<? extends SmpRequest<?>> requests, MadScope scope) {
        scope.opened();
        sources.add(new Source(requests, scope));
    }

    /** Forgets the sources within a scope. */
    void removeWithin(MadScope scope) {
        sources.removeIf(source -> {
            boolean isOfScope = source.scope().isWithin(scope);
            if (isOfScope) {
                source.scope().ended();
            }
            return isOfScope;
        });
    }

    /** Takes one request from the next source; false if there is none, or enough is queued behind device windows. */
    boolean pullOne() {
        while (queues.queued() < maxQueued) {
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
            source.scope().ended();
            // The scope may have been idle with that, and the next stage may have submitted its first requests.
            if (queues.hasReady()) {
                return true;
            }
        }
        return false;
    }

    /** Returns the next request, or null if the source has no more, has failed, or belongs to a closed scope. */
    private @Nullable SmpRequest<?> nextOf(Source source) {
        if (source.scope().isClosed()) {
            return null;
        }
        try {
            return source.requests().hasNext() ? source.requests().next() : null;
        } catch (RuntimeException | Error bug) {
            failed.accept(bug);
            source.scope().failed(bug);
            FatalErrors.escalate(bug);
            return null;
        }
    }
}
