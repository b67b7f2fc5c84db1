/** Records as JSON: the one place that knows how. */
@NullMarked
package io.torussm.daemon.json;

import org.jspecify.annotations.NullMarked;
