package io.torussm.mad.vport;

/**
 * The place of vport and block in the AttributeModifier of VPortGUIDInfo and VPortPKeyTable. No public source has it.
 * {@link #VPORT_IN_UPPER_HALF} is inferred from P_KeyTable, whose upper half is the port of a switch.
 */
public enum VPortModifier {
    /** Bits 31 to 16: the vport; bits 15 to 0: the block. */
    VPORT_IN_UPPER_HALF,
    /** Bits 31 to 16: the block; bits 15 to 0: the vport. */
    VPORT_IN_LOWER_HALF;

    /** Returns the AttributeModifier of a block of a vport, both 0 to 65535. */
    public int of(int vport, int block) {
        return this == VPORT_IN_UPPER_HALF ? vport << Short.SIZE | block : block << Short.SIZE | vport;
    }

    /** Returns the vport of an AttributeModifier. */
    public int vport(int modifier) {
        return this == VPORT_IN_UPPER_HALF ? modifier >>> Short.SIZE : modifier & 0xffff;
    }

    /** Returns the block of an AttributeModifier. */
    public int block(int modifier) {
        return this == VPORT_IN_UPPER_HALF ? modifier & 0xffff : modifier >>> Short.SIZE;
    }
}
