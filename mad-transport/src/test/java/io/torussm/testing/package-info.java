/** What the tests of all modules share. */
@NullMarked
package io.torussm.testing;

import org.jspecify.annotations.NullMarked;
