/**
 * Attributes of virtual ports (vports), 0xFFB0 to 0xFFB6, as channel adapters of ConnectX-4 and later have them.
 *
 * <p>A physical port carries vports by index. Vport 0 is the physical function; the others are virtual functions.
 * Each vport belongs to a virtual node with a NodeGUID of its own. All SMPs go to the physical port, and the
 * AttributeModifier selects the vport. A device announces them by
 * {@link io.torussm.mad.smp.PortInfo#CAP2_VIRTUALIZATION}, and by GeneralInfo.
 *
 * <p>The layouts are those of public headers. Three facts are inferred, because no public source has them: the
 * AttributeModifier of each attribute ({@link io.torussm.mad.vport.VPortModifier} has both orders), the contents
 * of VPortGUIDInfo, and the coding of "no vport" in LIDByVPortIndex. None was ever tried on a device.
 */
@NullMarked
package io.torussm.mad.vport;

import org.jspecify.annotations.NullMarked;
