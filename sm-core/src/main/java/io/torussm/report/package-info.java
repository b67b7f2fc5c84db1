/**
 * Event forwarding: subscriptions to events of the subnet, and Reports to subscribers (IBA 13.4.8.3, 13.4.11).
 *
 * <p><b>Input</b>: InformInfo from the SA's workers, published subnets and group changes from sweeps, traps.
 * <b>Output</b>: Reports, and the list of subscriptions for the state file. All state belongs to the {@code sm} loop;
 * workers submit changes through {@link io.torussm.sa.change.UpdateGate} and read published lists.
 *
 * <pre>
 * SA: InformInfo --> Subscriptions --> state file, the standby's copy
 *                         |
 * sweeps: ports  --\      v
 * multicast groups ---> EventReporter --> Reports --> Report, repeated without a response
 * traps            --/   (matching)      (delivery) <-- ReportResp
 * </pre>
 *
 * <p><b>Matching.</b> {@link io.torussm.report.Subscription} checks whether a subscription includes a notice.
 * Partitions determine whether the subscriber may receive the notice. {@link io.torussm.report.EventReporter} checks
 * partitions for each event, because P_Keys change. For a vanished port its last P_Keys apply.
 *
 * <p><b>Delivery.</b> Each subscriber gets one Report at a time, in the order of the events. Otherwise it could receive
 * the loss of a port after the return of the port, and would treat the port as absent. Subscribers take turns, a few
 * MADs in a millisecond, so a subscriber that does not respond delays other subscribers only by its turns.
 *
 * <p><b>Bounds.</b> Subscriptions of a port (256) and in total (65,536); events that wait to be matched (65,536), and
 * subscriptions that are matched in one turn of the loop; Reports that wait for a subscriber (1,024) and in total
 * (65,536). Dropped events and Reports are counted. An event costs a check of every subscription.
 */
@NullMarked
package io.torussm.report;

import org.jspecify.annotations.NullMarked;
