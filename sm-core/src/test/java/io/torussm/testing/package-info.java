/** What the tests of all modules share: subnets without discovery. */
@NullMarked
package io.torussm.testing;

import org.jspecify.annotations.NullMarked;
