/**
 * Subnet management packets (IBA 14.2) and the attributes that they carry (IBA 14.2.5), one type each.
 *
 * <p>{@link io.torussm.mad.smp.Smp} packs and unpacks the 256 bytes; {@link io.torussm.mad.smp.DrPath} is a directed
 * route. Every attribute fills the 64 bytes of SMP data: shorter attributes of IBA end with a reserved range. Each
 * table (forwarding, P_Key, GUID and VL arbitration blocks) is one wide field, with an accessor by index of the entry.
 * The AttributeModifier is a field of the MAD, not of the attribute: the number of a block, row or port.
 *
 * <p>The layouts are tested against bytes that OpenSM and ibsim exchanged, and against their interpretation by libibmad
 * and infiniband-diags. A round trip through this code alone could not detect an offset that is wrong in both
 * directions.
 */
@NullMarked
package io.torussm.mad.smp;

import org.jspecify.annotations.NullMarked;
