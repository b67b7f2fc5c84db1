package io.torussm.daemon.traffic;

import java.util.List;

/** The result of a study of traffic. The components of the record are the JSON document. */
public sealed interface TrafficResult
        permits TrafficReport, JobReport, ShiftReport, TrafficComparison, CongestionComparison, LossReport {
    /** Returns the lines for people. */
    List<String> lines();

    /** Checks whether packets were in a deadlock, or messages of a job were lost. */
    boolean isFailed();

    /** Checks whether there was no traffic, since every engine refused the fabric. */
    default boolean isRefused() {
        return false;
    }
}
