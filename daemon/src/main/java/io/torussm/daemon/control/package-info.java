/**
 * What operators see of a subnet manager and ask of it, whatever they use.
 */
@NullMarked
package io.torussm.daemon.control;

import org.jspecify.annotations.NullMarked;
