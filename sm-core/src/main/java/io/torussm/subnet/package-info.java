/** The fabric with addresses: LIDs, kept from the fabric or the store wherever they can be, assigned otherwise. */
@NullMarked
package io.torussm.subnet;

import org.jspecify.annotations.NullMarked;
