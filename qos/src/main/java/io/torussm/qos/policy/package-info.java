/**
 * The QoS policy file, qos-policy.conf, which assigns QoS levels to path requests.
 *
 * <p>{@code PolicyParser} reads the text into a {@link io.torussm.qos.policy.QosPolicy}, an immutable value
 * without a fabric. For each published view, {@code Resolution} makes a {@code PolicyOnSubnet} of it, in which
 * groups are sets of port indexes. So a request costs one pass over the rules, and a path one test of a bit for
 * each remaining rule. The SA uses the policy through {@link io.torussm.paths.PathPolicy}.
 */
@NullMarked
package io.torussm.qos.policy;

import org.jspecify.annotations.NullMarked;
