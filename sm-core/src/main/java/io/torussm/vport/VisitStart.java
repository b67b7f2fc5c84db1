package io.torussm.vport;

/**
 * The place in a port where a visit begins. A visit that has used its share of SMPs or time ends before a vport, and
 * the next visit of the port begins with this vport.
 *
 * @param vport index of the first vport to be read; 0 for a whole visit
 * @param isOutdated whether vports below it may have changed since they were read, so that all are visited once more
 * @param unmanagedReason reason why a vport below it stays as it is; empty if all are as they should be
 * @param isRetryDue whether an earlier part of the visit has found that another visit soon is worthwhile
 */
record VisitStart(int vport, boolean isOutdated, String unmanagedReason, boolean isRetryDue) {
    static final VisitStart WHOLE_PORT = new VisitStart(0, false, "", false);

    /** Checks whether earlier visits have read the vports below. */
    boolean isContinuation() {
        return vport > 0;
    }

    /** Returns a copy for a port of which any vport may have changed. A whole visit reads all of them anyway. */
    VisitStart outdated() {
        return isContinuation() ? new VisitStart(vport, true, unmanagedReason, isRetryDue) : this;
    }
}
