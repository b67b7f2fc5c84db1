/**
 * Event forwarding: subscriptions to events of the subnet, and Reports to subscribers (IBA 13.4.8.3,
 * 13.4.11).
 *
 * <p><b>Input</b>: InformInfo from the SA's workers, published subnets and group changes from sweeps, traps.
 * <b>Output</b>: Reports, and the list of subscriptions for the state file. All of it belongs to the
 * {@code sm} loop; workers submit changes through {@link io.torussm.sa.change.UpdateGate} and read published
 * lists.
 *
 * <pre>
 * SA: InformInfo --> Subscriptions --> state file, the standby's copy
 *                         |
 * sweeps: ports  --\      v
 * multicast groups ---> EventReporter --> Reports --> Report, repeated if it is not answered
 * traps            --/   (matching)      (delivery) <-- ReportResp
 * </pre>
 *
 * <p><b>Matching.</b> {@link io.torussm.report.Subscription} checks whether a subscription includes a notice.
 * Partitions decide whether the subscriber may receive it. {@link io.torussm.report.EventReporter} checks
 * them for each event, because P_Keys change. For a vanished port its last P_Keys apply.
 *
 * <p><b>Delivery.</b> Each subscriber gets one Report at a time, in the order of the events. Otherwise it
 * could receive the loss of a port after its return, and would be wrong for ever. Subscribers take turns, a
 * few MADs a millisecond; a subscriber that does not answer costs the others only these turns.
 *
 * <p><b>Bounds.</b> Subscriptions of a port (256) and in total (65,536); events that wait to be matched
 * (65,536), and subscriptions that are matched in one turn of the loop; Reports that wait for a subscriber
 * (1,024) and in total (65,536). Dropped ones are counted. An event costs a check of every subscription.
 */
@NullMarked
package io.torussm.report;

import org.jspecify.annotations.NullMarked;
