/** The process: options, configuration, wiring and life cycle. */
@NullMarked
package io.torussm.daemon;

import org.jspecify.annotations.NullMarked;
