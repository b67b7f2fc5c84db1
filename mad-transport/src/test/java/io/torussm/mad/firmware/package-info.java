/** Tests of firmware versions. */
@NullMarked
package io.torussm.mad.firmware;

import org.jspecify.annotations.NullMarked;
