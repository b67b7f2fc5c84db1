package io.torussm.vport;

/** The values of {@code virt_enabled}, as in the manual of NVIDIA's OpenSM. */
public enum VPortMode {
    /** 0: nothing is asked or set. */
    IGNORE,
    /** 1: virtualization is disabled where a device supports it. */
    DISABLE,
    /** 2: virtualization is enabled, and vports are brought up. */
    ENABLE;

    /** Returns the mode of a value from 0 to 2. */
    public static VPortMode of(int virtEnabled) {
        return values()[virtEnabled];
    }
}
