/** The common parts of the tests of all modules: subnets without discovery. */
@NullMarked
package io.torussm.testing;

import org.jspecify.annotations.NullMarked;
