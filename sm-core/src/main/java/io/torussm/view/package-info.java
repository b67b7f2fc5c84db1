/** What the SA, the console, the dumps and every other reader may see: one immutable value, swapped after programming. */
@NullMarked
package io.torussm.view;

import org.jspecify.annotations.NullMarked;
