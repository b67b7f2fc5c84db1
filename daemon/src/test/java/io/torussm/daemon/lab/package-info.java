/** Tests of the fabric as a process of its own. */
@NullMarked
package io.torussm.daemon.lab;

import org.jspecify.annotations.NullMarked;
