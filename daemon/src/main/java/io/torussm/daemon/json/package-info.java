/** Conversion between records and JSON. */
@NullMarked
package io.torussm.daemon.json;

import org.jspecify.annotations.NullMarked;
