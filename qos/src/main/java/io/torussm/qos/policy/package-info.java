/**
 * The QoS policy file, qos-policy.conf: which requests for paths get which QoS level.
 *
 * <p>{@code PolicyParser} makes a {@link io.torussm.qos.policy.QosPolicy} of the text, an immutable value that knows no
 * fabric. For each published view it becomes a {@code PolicyOnSubnet}: groups are sets of port
 * indexes there, so that a request costs a look at the rules, and a path a look at one bit for each rule that is left. The
 * SA asks it through {@link io.torussm.paths.PathPolicy}.
 */
@NullMarked
package io.torussm.qos.policy;

import org.jspecify.annotations.NullMarked;
