package io.torussm.program.smp;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** An iterator whose subclass defines only the search for the next element ({@link #findNext}). Not thread-safe. */
public abstract class LookaheadIterator<T> implements Iterator<T> {
    private @Nullable T next;

    /** Returns the next element; null at the end, and in all later calls. */
    protected abstract @Nullable T findNext();

    @Override
    public final boolean hasNext() {
        if (next == null) {
            next = findNext();
        }
        return next != null;
    }

    @Override
    public final T next() {
        T element = hasNext() ? next : null;
        if (element == null) {
            throw new NoSuchElementException();
        }
        next = null;
        return element;
    }
}
