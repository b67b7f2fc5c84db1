/**
 * Subnet management packets (IBA 14.2) and the attributes that they carry (IBA 14.2.5), one type each.
 *
 * <p>{@link io.torussm.mad.smp.Smp} packs and unpacks the 256 bytes; {@link io.torussm.mad.smp.DrPath} is the directed
 * route of one.
 */
@NullMarked
package io.torussm.mad.smp;

import org.jspecify.annotations.NullMarked;
