/**
 * The QoS policy file, qos-policy.conf, which assigns QoS levels to path requests.
 *
 * <p>{@code PolicyParser} reads the text into a {@link io.torussm.qos.policy.QosPolicy}, an immutable value
 * without a fabric. For each published view it becomes a {@code PolicyOnSubnet}, in which groups are sets of
 * port indexes. A request then costs one pass over the rules, and a path one test of a bit per remaining
 * rule. The SA uses it through {@link io.torussm.paths.PathPolicy}.
 */
@NullMarked
package io.torussm.qos.policy;

import org.jspecify.annotations.NullMarked;
