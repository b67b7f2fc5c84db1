/**
 * The exclusion of devices that cannot be programmed, so that the subnet is routed without them.
 *
 * <p>The proof relies on the forwarding and SL2VL tables of each switch. If they are not in place, the subnet is not
 * published. One bad device must not prevent this for long, so {@link io.torussm.quarantine.Quarantine} counts its
 * failures. From the second failed sweep on the device is excluded: routes bypass it as if it were absent. The same
 * applies to a link between switches that does not become ACTIVE. A switch that does not report its SwitchInfo is
 * excluded immediately. The switch that is attached to the SM cannot be excluded; it is tolerated and reported. Drained
 * parts are excluded, too ({@code DrainedParts}), unless there are no routes without them. {@link
 * io.torussm.quarantine.Admission} is the remaining fabric.
 *
 * <p>Every light sweep and every whole sweep sends requests to excluded devices: first a Get(NodeInfo), then the
 * request that failed. If the device complies, it is released, and the next sweep includes it. After each further
 * failure the pause doubles, so that a device which fails repeatedly does not keep the subnet busy.
 *
 * <p>{@link io.torussm.quarantine.DeadEnds} finds the ports of other switches that lead to excluded or silent devices.
 * These ports are taken down after the tables bypass them. {@link io.torussm.quarantine.DeviceTroubles} records
 * rejected attributes on which nothing else depends, and {@link io.torussm.quarantine.RetryPace} the pace of their
 * retries.
 *
 * <p>Input: fabrics, and the errors of their programming ({@link io.torussm.stage.ProgrammingErrors}), by index. State:
 * by GUID, because indexes change with the fabric. Every condition is reported when it begins and when it ends. Owner
 * thread: the loop, except for the list of excluded parts. Cost: none while all devices comply.
 */
@NullMarked
package io.torussm.quarantine;

import org.jspecify.annotations.NullMarked;
