/** The common fixtures of the tests of all modules. */
@NullMarked
package io.torussm.testing;

import org.jspecify.annotations.NullMarked;
