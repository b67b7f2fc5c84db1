package io.torussm.program;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** An iterator that is written as one question: what comes next, if anything? */
abstract class Lookahead<T> implements Iterator<T> {
    private @Nullable T next;

    /** The next element; null when there is none, and then never again anything else. */
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
