/** Tests of {@link io.torussm.mad.vport}. */
@NullMarked
package io.torussm.mad.vport;

import org.jspecify.annotations.NullMarked;
