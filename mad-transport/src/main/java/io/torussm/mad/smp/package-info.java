/**
 * Subnet management packets (IBA 14.2) and the attributes that they carry (IBA 14.2.5), one type each.
 *
 * <p>{@link io.torussm.mad.smp.Smp} packs and unpacks the 256 bytes; {@link io.torussm.mad.smp.DrPath} is the
 * directed route of one. Every attribute fills the 64 bytes of SMP data: shorter attributes of IBA end with a
 * reserved range. Tables (forwarding, P_Key, GUID and VL arbitration blocks) are one wide field each, with an
 * accessor by index of the entry. The AttributeModifier, which travels beside the attribute, is the number of
 * the block or row.
 *
 * <p>The layouts are tested against bytes that OpenSM and ibsim exchanged, and against their interpretation
 * by libibmad and infiniband-diags. A round trip through our own code could not detect an offset that is
 * wrong both ways.
 */
@NullMarked
package io.torussm.mad.smp;

import org.jspecify.annotations.NullMarked;
