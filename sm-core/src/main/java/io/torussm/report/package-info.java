/**
 * Event forwarding: subscriptions to events of the subnet, and Reports to subscribers (IBA 13.4.8.3, 13.4.11).
 *
 * <p><b>Enters</b>: InformInfo from the SA's workers, published subnets and group changes from sweeps, traps. <b>Leaves</b>: Reports,
 * and the list of subscriptions for the state file. All of it belongs to the {@code sm} loop; workers submit changes through
 * {@link io.torussm.transport.UpdateGate} and read published lists.
 *
 * <pre>
 *   SA: InformInfo --> Subscriptions --> state file, the standby's copy
 *                            |
 *   sweeps: ports  --\       v
 *   multicast groups ---> EventReporter --> Reports --> Report, again if it is not answered
 *   traps that count --/   (matching)      (delivery) <-- ReportResp
 * </pre>
 *
 * <p><b>Matching.</b> {@link io.torussm.report.Subscription} says whether a notice is wanted; whether the subscriber
 * may receive it is a question of partitions, and {@link io.torussm.report.EventReporter} asks it for each event
 * anew: P_Keys change. Of a port that is gone the P_Keys count that it had.
 *
 * <p><b>Delivery.</b> One Report at a time to each subscriber, in the order of the events: a subscriber that learned that a port is
 * gone after learning that it is back would be wrong for ever. Subscribers take turns, a few MADs a millisecond; what
 * one of them does not answer costs the others nothing but these turns.
 *
 * <p><b>Bounds.</b> Subscriptions of a port (256) and in all (65,536); events that wait to be matched (65,536), and
 * subscriptions that are looked at in one turn of the loop; Reports that wait for a subscriber (1,024) and in all
 * (65,536). Whatever is dropped is counted. An event costs a look at every subscription.
 */
@NullMarked
package io.torussm.report;

import org.jspecify.annotations.NullMarked;
