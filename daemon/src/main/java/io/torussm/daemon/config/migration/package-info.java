/**
 * The reading of an opensm.conf, and its conversion into a configuration of this program.
 *
 * <p>{@code opensm-options.txt} lists the action for every option of OpenSM. The converted configuration is read by
 * {@link io.torussm.daemon.config.Configuration} like any other. One use on the command line, on {@code main}.
 */
@NullMarked
package io.torussm.daemon.config.migration;

import org.jspecify.annotations.NullMarked;
