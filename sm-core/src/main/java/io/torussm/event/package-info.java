/** What the fabric reports by itself: traps and notices (IBA 13.4.8, 14.2.5.1). */
@NullMarked
package io.torussm.event;

import org.jspecify.annotations.NullMarked;
